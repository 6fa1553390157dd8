"""One of something is not said to be several, and several not one."""

import html
import re

import pytest

from app import memory
from app.memory import NewFact, Origin, index
from app.memory.index.documents import Document
from app.models import Fact, Person
from app.services import Services
from app.web.admin.shown import as_count, as_percent
from tests.web.admin.conftest import Browser
from tests.web.admin.scenes import add_episode, add_text, add_turn

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
