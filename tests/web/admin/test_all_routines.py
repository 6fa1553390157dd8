"""Everybody's routines of the coming week, and the outcome of past occurrences."""

import re
from collections.abc import Callable
from datetime import date

import pytest

from app.jobs import begin_routines
from app.models import Routine
from app.people import consents
from app.routines import setting
from app.services import Services
from tests.fakes import FrozenClock, InlineBackground
from tests.web.admin.conftest import Browser, in_words
from tests.web.admin.scenes import Someone, add_person


@pytest.fixture
def mia(services: Services) -> Someone:
    return add_person(services, "+819012345678", name="Mia")  # Tokyo: it is Sunday, 02:00 there.


@pytest.fixture
def pass_time(
    operator: Browser, services: Services, clock: FrozenClock, background: InlineBackground
) -> Callable[..., None]:
    """Let time pass, and what is due come to its person."""

    def pass_time(**span: float) -> None:
        clock.advance(**span)
        begin_routines.run(services)
        background.run(within_seconds=0)
        operator.log_in()

    return pass_time


def body(page: str) -> list[str]:
    """The rows of the page's table, as one reads them, without their buttons."""
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", page.partition("<tbody>")[2], re.DOTALL)
    return [in_words(re.sub(r"<form.*?</form>", "", row, flags=re.DOTALL)) for row in rows]


def test_each_day_has_what_comes_by_the_clock_of_each_person(operator: Browser, alex: Someone, mia: Someone) -> None:
    alex.remind("Stretch", "08:00", "20:00")
    mia.remind("Tea", "07:00")
    mia.remind("Review", "18:00", repeat="weekly", weekdays=("tuesday",))
    assert body(operator.get("/routines")) == ["20:00 PST Stretch reminder Alex America/Los_Angeles"]
    assert body(operator.get("/routines?day=2026-11-22")) == [
        "07:00 JST Tea reminder Mia Asia/Tokyo",
        "08:00 PST Stretch reminder Alex America/Los_Angeles",
        "20:00 PST Stretch reminder Alex America/Los_Angeles",
    ]
    tuesday = body(operator.get("/routines?day=2026-11-24"))
    assert [row[:11] for row in tuesday] == ["07:00 JST T", "08:00 PST S", "18:00 JST R", "20:00 PST S"]
    assert body(operator.get("/routines?day=2026-11-27"))[0].startswith("07:00 JST Tea")
    for beyond in ("2026-11-28", "2020-01-01", "x"):
        assert body(operator.get(f"/routines?day={beyond}")) == body(operator.get("/routines"))

    page = operator.get(f"/routines?person={alex.id}&day=2026-11-22")
    assert [row.split()[2] for row in body(page)] == ["Stretch"] * 2
    assert "<h1>Routines of <bdi>Alex</bdi></h1>" in page
    assert operator.client.get("/admin/routines?person=999").status_code == 404


def test_the_first_day_has_what_comes_in_yesterday(operator: Browser, services: Services, clock: FrozenClock) -> None:
    clock.advance(hours=10)  # Sunday, 03:00 in UTC; Saturday, 17:00 in Honolulu.
    operator.log_in()
    add_person(services, "+18085550100", name="Kai").remind("Swim", "18:00")
    assert body(operator.get("/routines")) == [
        "18:00 HST Saturday Swim reminder Kai Pacific/Honolulu",
        "18:00 HST Swim reminder Kai Pacific/Honolulu",
    ]


def test_what_will_not_come_as_is_says_why(operator: Browser, services: Services, alex: Someone, ben: Someone) -> None:
    ben.remind("Tea", "20:00")
    owls = alex.remind("Owls", "23:30")
    with services.transaction() as db:
        db.get_one(Routine, owls.id).at_night = False
    setting.pause_all(services, ben.id)
    page = operator.read("/routines")
    assert "Tea reminder All routines of the person are paused." in page
    assert "Owls reminder Left out: it is quiet there then, and it would be of no use after." in page
    consents.opt_out_for(services, ben.id, "by phone")
    assert "Tea" not in operator.get("/routines")  # It waits for a yes, so nothing is to come.


def test_what_is_held_or_put_off_stands_where_it_will_come(
    operator: Browser, services: Services, alex: Someone, pass_time: Callable[..., None]
) -> None:
    train = alex.remind("Train", "22:30", repeat="once", starts=date(2026, 11, 21))
    with services.transaction() as db:
        db.get_one(Routine, train.id).at_night = False
    held = "22:30 PST Train reminder Held until 07:00: it is quiet there then. Alex America/Los_Angeles"
    assert body(operator.get("/routines")) == [held]
    pass_time(hours=13, minutes=31)
    waits = "07:00 PST Train reminder waits It waits for the end of quiet hours. Alex America/Los_Angeles"
    assert body(operator.get("/routines")) == [waits]  # In UTC it is Sunday by now.
    assert body(operator.get("/routines?day=2026-11-23")) == []
    assert body(operator.get(f"/routines?person={alex.id}")) == [waits]
    setting.pause_all(services, alex.id)
    assert "waits All routines of the person are paused." in body(operator.get("/routines"))[0]


def test_pages_of_a_day_hold_each_routine_once(operator: Browser, services: Services) -> None:
    for number in range(12):
        person = add_person(services, f"+1312555{number:04}")
        for place in range(10):
            person.remind(f"w{number}x{place}", f"{10 + place}:{number:02}")
    pages = operator.pages("/routines?day=2026-11-23")
    found = [words for page in pages for words in re.findall(r"w\d+x\d+", page)]
    assert sorted(found) == sorted(f"w{number}x{place}" for number in range(12) for place in range(10))
    assert len(pages) == 3


def test_a_page_looks_at_no_more_routines_than_it_can_work_out_at_once(operator: Browser, services: Services) -> None:
    for number in range(3):
        person = add_person(services, f"+1312555{number:04}")
        for place in range(50):
            at = f"{8 + place // 10}:{place % 10:02}"
            person.remind(f"w{place}", at, repeat="weekly", weekdays=("sunday",))
    first, *_, last = operator.pages("/routines?day=2026-11-24")
    assert "the next page looks further" in first
    assert "None of the routines that this page looked at comes on Tuesday." in last


def test_the_history_has_when_it_was_due_sent_and_how_late(
    operator: Browser, services: Services, alex: Someone, pass_time: Callable[..., None]
) -> None:
    alex.remind("Stretch", "10:00")
    alex.remind("Rest", "12:00")
    pass_time(hours=1, minutes=20)  # 10:20 in Los Angeles.
    begin_routines.run(services)
    [row] = body(operator.get("/routines/history"))
    assert row.startswith("21 Nov 2026, 10:00 PST Stretch Alex 10:20 PST")
    assert "20 min late late It came 20 minutes late." in row

    setting.pause_all(services, alex.id)
    pass_time(hours=2)
    rows = body(operator.get("/routines/history"))
    assert [re.findall("Stretch|Rest", row)[0] for row in rows] == ["Rest", "Stretch"]
    [skipped] = body(operator.get("/routines/history?state=skipped"))
    assert skipped.endswith("– not sent – not sent skipped All routines of the person are paused.")
    for query, count in (("state=delivered", 0), ("state=x", 2), (f"person={alex.id}", 2)):
        assert len(body(operator.get(f"/routines/history?{query}"))) == count


@pytest.mark.parametrize(
    ("path", "hours", "sizes"), [("/routines/history", 60, [50, 10]), ("/people/1/routines/1", 30, [20, 10])]
)
def test_the_history_of_all_and_of_one_routine_is_paged_without_a_gap(
    operator: Browser, alex: Someone, pass_time: Callable[..., None], path: str, hours: int, sizes: list[int]
) -> None:
    alex.remind("Drink", *(f"{hour:02}:00" for hour in range(24)))
    for _ in range(hours):
        pass_time(hours=1)
    rows_of = (re.findall(r"<tr[^>]*>.*?</tr>", page, re.DOTALL) for page in operator.pages(path))
    came = [[in_words(row) for row in rows if '<th scope="row">' in row] for rows in rows_of]
    assert [len(rows) for rows in came] == sizes
    assert len({row for rows in came for row in rows}) == hours
