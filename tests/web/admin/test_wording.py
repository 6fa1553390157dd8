"""Times say whose clock they are of, counts agree with their words, and screen readers are read whole sentences."""

import html
import re
from datetime import UTC, datetime

from app.memory import Origin
from app.services import Services
from app.web.admin.shown import as_count, as_percent, as_stamp
from tests.fakes import FrozenClock
from tests.web.admin.conftest import Browser
from tests.web.admin.made_up import fill
from tests.web.admin.scenes import BY_PERSON, Someone

A_TIME = re.compile(r"\d{1,2} \w{3} 20\d\d, \d\d:\d\d")
ONE_OF_SEVERAL = re.compile(
    r"\b1 (?:facts|texts|people|persons|turns|rules|episodes|routines|tools|calls|parts|checks|sessions|entries|keys|"
    r"messages|segments|passkeys|operators|days|minutes|times|rows|quotes|changes|words)\b"
)


def test_every_time_with_a_date_has_its_mark(operator: Browser, services: Services, clock: FrozenClock) -> None:
    of = fill(services, clock).path
    operator.log_in()
    pages = {f"{of}{page}": "PST" for page in ("", "/facts/1", "/rules", "/episodes/1", "/routines/1", "/changes")}
    for path, mark in {**pages, "/log": "UTC", "/routines/history": "PST"}.items():
        text = operator.read(path)
        assert len(A_TIME.findall(text)) == len(re.findall(rf"{A_TIME.pattern} {mark}\b", text)), path
        assert A_TIME.search(text) or path == of, path


def test_the_mark_is_that_of_the_zone_at_that_instant() -> None:
    at = datetime(2026, 11, 21, 17, tzinfo=UTC)
    assert as_stamp(at, "America/Los_Angeles") == "21 Nov 2026, 09:00 PST"
    assert as_stamp(at, "America/Sao_Paulo") == "21 Nov 2026, 14:00 UTC-03"


def test_a_count_is_said_with_its_word_and_a_share_that_is_little_not_as_nothing() -> None:
    counts = ("0 facts", "1 fact", "1,200 facts", "1 person", "2 people")
    asked = ((0, "fact"), (1, "fact"), (1200, "fact"), (1, "person"), (2, "person"))
    assert tuple(as_count(count, word) for count, word in asked) == counts
    assert [as_percent(share) for share in (0, 0.004, 0.006, 1)] == ["0%", "under 1%", "1%", "100%"]


def test_no_page_says_that_one_is_several(operator: Browser, alex: Someone) -> None:
    turn = alex.turn("Hi", "Hello", model_calls=1, tools=[("recall", {}, "{}")])
    alex.learn("Likes tea", origin=Origin("assistant", "explicit", turn_id=turn.id))
    alex.rule("Be short", origin=BY_PERSON)
    alex.text("Are you there?", state="dead", media_count=1)
    pages = "people memory review settings settings/prompt security operators".split()
    theirs = [f"{alex.path}/{one}" for one in "facts facts/1 rules episodes routines forgotten".split()]
    for path in ("/", alex.path, *(f"/{page}" for page in pages), *theirs):
        text = " ".join(html.unescape(re.sub(r"<[^>]+>", "", operator.get(path))).split())
        assert ONE_OF_SEVERAL.findall(text) == [], path
