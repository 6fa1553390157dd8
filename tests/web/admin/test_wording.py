"""Times say whose clock they are of, counts agree with their words, and screen readers are read whole sentences."""

import html
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app import memory, web
from app.jobs import pair_facts
from app.memory import NewFact, Origin, index
from app.memory.index.documents import Document
from app.models import Fact, Person
from app.services import Services
from app.web.admin.shown import as_count, as_percent, as_stamp
from tests.fakes import FrozenClock
from tests.web.admin.conftest import Browser
from tests.web.admin.made_up import fill
from tests.web.admin.scenes import add_episode, add_text, add_turn

A_TIME = re.compile(r"\d{1,2} \w{3} 20\d\d, \d\d:\d\d")


def test_every_time_with_a_date_has_its_mark(operator: Browser, services: Services, clock: FrozenClock) -> None:
    alex = fill(services, clock)
    operator.log_in()
    of = f"/people/{alex.id}"
    pages = {f"{of}{page}": "PST" for page in ("", "/facts/1", "/rules", "/episodes/1", "/routines/1", "/changes")}
    for path, mark in {**pages, "/log": "UTC", "/routines/history": "PST"}.items():
        text = " ".join(re.sub(r"<[^>]+>", " ", operator.get(path)).split())
        assert len(A_TIME.findall(text)) == len(re.findall(rf"{A_TIME.pattern} {mark}\b", text)), path
        assert A_TIME.search(text) or path == of, path


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        ("UTC", "21 Nov 2026, 17:00 UTC"),
        ("America/Los_Angeles", "21 Nov 2026, 09:00 PST"),
        ("Asia/Dubai", "21 Nov 2026, 21:00 UTC+04"),
        ("America/Sao_Paulo", "21 Nov 2026, 14:00 UTC-03"),
    ],
)
def test_the_mark_is_that_of_the_zone_at_that_instant(zone: str, said: str) -> None:
    assert as_stamp(datetime(2026, 11, 21, 17, tzinfo=UTC), zone) == said


ONE_OF_SEVERAL = re.compile(
    r"\b1 (?:facts|texts|people|persons|turns|rules|episodes|routines|tools|calls|parts|checks|sessions|entries|keys|"
    r"messages|segments|passkeys|operators|days|minutes|times|rows|quotes|changes|words)\b"
)


@pytest.mark.parametrize(
    ("count", "word", "said"),
    [
        (0, "fact", "0 facts"),
        (1, "fact", "1 fact"),
        (1200, "fact", "1,200 facts"),
        (1, "person", "1 person"),
        (2, "person", "2 people"),
    ],
)
def test_a_count_is_said_with_its_word(count: int, word: str, said: str) -> None:
    assert as_count(count, word) == said


@pytest.mark.parametrize(("share", "said"), [(0, "0%"), (0.004, "under 1%"), (0.006, "1%"), (1, "100%")])
def test_a_share_that_is_little_is_not_said_to_be_nothing(share: float, said: str) -> None:
    assert as_percent(share) == said


def test_a_receipt_says_one_of_each_thing_in_the_singular(operator: Browser, services: Services, alex: Person) -> None:
    by_operator, words = Origin("operator", "operator"), "Has a dog named Max"
    add_episode(services, add_turn(services, alex.id, f"I {words}.", "Nice!"), f"Alex {words}.")
    memory.remember(services, alex.id, [NewFact(words)], by_operator)
    memory.revise(services, alex.id, 1, by_operator, fact=f"{words} Junior")
    with services.transaction() as db:  # A row of the version before, which forgetting the newest does not take along.
        before = db.query(Fact).filter_by(version=1).one()
        index.add(db, alex.id, "fact", [Document(before.id, words, before.recorded_at.date())])

    page = operator.act(f"/people/{alex.id}/facts/1/forget")

    assert "1 episode told anew" in page
    assert "1 row of it left in the index." in page
    assert ONE_OF_SEVERAL.findall(page.partition("Receipt:")[2].partition("</p>")[0]) == []


def test_no_page_says_that_one_is_several(operator: Browser, services: Services, alex: Person) -> None:
    turn = add_turn(services, alex.id, "Hi", "Hello", model_calls=1, tools=[("recall", {}, "{}")])
    memory.remember(services, alex.id, [NewFact("Likes tea")], Origin("assistant", "explicit", turn_id=turn.id))
    memory.set_rule(services, alex.id, memory.RuleWords("always", None, "Be short"), Origin("person", "explicit"))
    add_text(services, alex.id, "Are you there?", state="dead", media_count=1)
    of = f"/people/{alex.id}"
    pages = ("/", "/people", "/memory", "/review", "/settings", "/settings/prompt", "/security", "/operators", of)
    for path in (
        *pages,
        *(f"{of}/{one}" for one in ("facts", "facts/1", "rules", "episodes", "routines", "forgotten")),
    ):
        text = " ".join(html.unescape(re.sub(r"<[^>]+>", "", operator.get(path))).split())
        assert ONE_OF_SEVERAL.findall(text) == [], path


def test_the_button_that_keeps_two_facts_is_read_as_one_sentence(
    operator: Browser, services: Services, alex: Person
) -> None:
    told = [NewFact("Likes black tea"), NewFact("Likes green tea")]
    memory.remember(services, alex.id, told, Origin("assistant", "explicit"))
    pair_facts.run(services)

    page = operator.get(f"/people/{alex.id}/facts/1")

    assert 'Keep both<span class="unseen"> this and fact 2</span></button>' in page


def test_none_begins_with_a_mark_since_a_blank_is_read_before_it() -> None:
    templates = {path: path.read_text() for path in Path(web.__file__).parent.rglob("*.html")}
    assert len(templates) > 40
    begins_with_a_mark = re.compile(r'class="unseen">\s*[,.;:]')
    assert [path.name for path, source in templates.items() if begins_with_a_mark.search(source)] == []
