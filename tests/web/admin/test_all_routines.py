"""What comes to everybody in the coming week, and what became of what was due."""

import html
import re
from datetime import date, timedelta
from typing import Any

from app.jobs import begin_routines
from app.memory import Origin
from app.models import Person, Routine
from app.people import consents
from app.routines import setting
from app.routines.schedule import Schedule
from app.routines.setting import NewRoutine, set_routine
from app.routines.values import local_time
from app.services import Services
from tests.fakes import FrozenClock, InlineBackground
from tests.web.admin.conftest import Browser, in_words
from tests.web.admin.scenes import add_person

BY_PERSON = Origin("person", "explicit")


def remind(services: Services, person: Person, words: str, *times: str, repeat: str = "daily", **when: Any) -> Routine:
    schedule = Schedule(repeat, times=tuple(local_time("times", at) for at in times), **when)
    return set_routine(services, person.id, NewRoutine("remind", words, schedule), BY_PERSON, "phone")


def body(page: str) -> list[str]:
    """The rows of the page's table, as one reads them, without their buttons."""
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", page.partition("<tbody>")[2], re.DOTALL)
    return [in_words(re.sub(r"<form.*?</form>", "", row, flags=re.DOTALL)) for row in rows]


def counts(page: str) -> list[str]:
    """How much is said to come on each day of the week."""
    days = page.partition('aria-label="Days"')[2].partition("</nav>")[0]
    return [in_words(count).removesuffix(" due") for count in re.findall(r'class="count">(.*?)</span></a>', days)]


def test_each_day_of_the_week_has_what_comes_on_it_by_the_clock_of_each_person(
    operator: Browser, services: Services, alex: Person
) -> None:
    mia = add_person(services, "+819012345678", name="Mia")  # Tokyo: it is Sunday, 02:00 there.
    remind(services, alex, "Stretch", "08:00", "20:00")
    remind(services, mia, "Tea", "07:00")
    remind(services, mia, "Review", "18:00", repeat="weekly", weekdays=("tuesday",))
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


def test_the_first_day_has_all_that_is_still_to_come_where_it_is_yesterday(
    operator: Browser, services: Services, clock: FrozenClock
) -> None:
    clock.advance(hours=10)  # Sunday, 03:00 in UTC; Saturday, 17:00 in Honolulu.
    operator.log_in()
    kai = add_person(services, "+18085550100", name="Kai")
    remind(services, kai, "Swim", "18:00")
    assert body(operator.get("/routines")) == [
        "18:00 HST Saturday Swim reminder Kai Pacific/Honolulu",
        "18:00 HST Swim reminder Kai Pacific/Honolulu",
    ]


def test_each_day_says_how_much_its_page_lists(
    operator: Browser, services: Services, alex: Person, clock: FrozenClock, background: InlineBackground
) -> None:
    clock.advance(hours=10)  # Sunday, 03:00 in UTC; Saturday in America.
    operator.log_in()
    mia = add_person(services, "+819012345678", name="Mia")
    remind(services, alex, "Stretch", "21:00", "23:30", "06:00")
    remind(services, mia, "Tea", "07:00", repeat="weekly", weekdays=("tuesday", "friday"))
    remind(services, mia, "Train", "18:00", repeat="once", starts=date(2026, 11, 25))
    clock.advance(hours=2, minutes=1)  # The first is due, and held: it has not gone out yet.
    begin_routines.run(services)
    said = counts(operator.get("/routines"))
    lists = [body(operator.get(f"/routines?day=2026-11-{day}")) for day in range(22, 29)]
    assert said == [str(len(rows)) for rows in lists] == ["5", "3", "4", "4", "3", "4", "3"]
    assert counts(operator.get(f"/routines?person={mia.id}")) == ["0", "0", "1", "1", "0", "1", "0"]


def test_a_count_of_very_many_says_that_it_is_the_least(operator: Browser, services: Services, alex: Person) -> None:
    assert counts(operator.get("/routines")) == ["0"] * 7
    every_five_minutes = [f"{hour:02}:{minute:02}" for hour in range(24) for minute in range(0, 60, 5)]
    for words in ("Drink", "Stand", "Look up", "Sit"):
        remind(services, alex, words, *every_five_minutes)
    page = operator.get("/routines")
    assert counts(page)[1] == "864+"  # Three of the four: five thousand times in the week are enough to count.
    assert "each number is the least that comes on its day" in page


def test_what_comes_can_be_run_now_and_paused_where_it_is_listed(
    operator: Browser, services: Services, alex: Person, background: InlineBackground
) -> None:
    remind(services, alex, "Stretch", "20:00")
    mia = add_person(services, "+13125550200", name="Mia")
    remind(services, mia, "Tea", "20:00")
    setting.pause_all(services, mia.id)
    page = operator.get("/routines")
    assert f'formaction="/admin/people/{mia.id}/routines/1/pause"' in page
    assert f'formaction="/admin/people/{mia.id}/routines/1/run"' not in page  # Nothing may come to her.
    for _ in range(2):  # As the page was shown: a second click is refused.
        operator.act(f"/people/{alex.id}/routines/1/run", **seen_beside(page, alex))
        background.run(within_seconds=0)
    assert len(body(operator.get("/routines/history"))) == 1
    assert seen_beside(operator.get("/routines"), alex) != seen_beside(page, alex)
    operator.act(f"/people/{alex.id}/routines/1/pause")
    assert "Stretch" not in operator.get("/routines")


def seen_beside(page: str, person: Person) -> dict[str, str]:
    """What the form of the person's first routine sends."""
    form = next(
        one for one in re.findall(r"<form.*?</form>", page, re.DOTALL) if f"/people/{person.id}/routines" in one
    )
    return {"seen": re.findall(r'name="seen" value="(\d+)"', form)[0]}


def test_one_persons_routines_stand_alone(operator: Browser, services: Services, alex: Person) -> None:
    mia = add_person(services, "+13125550200", name="Mia")
    remind(services, alex, "Stretch", "20:00")
    remind(services, mia, "Tea", "20:00")
    page = operator.get(f"/routines?person={mia.id}")
    assert [row.split()[2] for row in body(page)] == ["Tea"]
    assert "<h1>Routines of <bdi>Mia</bdi></h1>" in page
    assert operator.client.get("/admin/routines?person=999").status_code == 404


def test_what_will_not_come_as_all_stands_now_says_why(
    operator: Browser, services: Services, alex: Person, clock: FrozenClock
) -> None:
    mia = add_person(services, "+13125550200", name="Mia")
    remind(services, mia, "Tea", "20:00")
    remind(services, alex, "Owls", "23:30")
    with services.transaction() as db:
        for routine in db.query(Routine).filter(Routine.words == "Owls"):
            routine.at_night = False
    setting.pause_all(services, mia.id)
    page = in_words(operator.get("/routines"))
    assert "Tea reminder All routines of the person are paused." in page
    assert "Owls reminder Left out: it is quiet there then, and it would be of no use after." in page
    consents.refuse_for(services, mia.id, "by phone")
    assert "Tea" not in operator.get("/routines")  # It waits for a yes, so nothing is to come.


def test_what_is_held_or_put_off_stands_where_it_will_come(
    operator: Browser, services: Services, alex: Person, clock: FrozenClock, background: InlineBackground
) -> None:
    remind(services, alex, "Train", "22:30", repeat="once", starts=date(2026, 11, 21))
    with services.transaction() as db:
        db.query(Routine).one().at_night = False
    held = "22:30 PST Train reminder Held until 07:00: it is quiet there then. Alex America/Los_Angeles"
    assert body(operator.get("/routines")) == [held]
    clock.advance(hours=13, minutes=31)
    begin_routines.run(services)
    background.run(within_seconds=0)
    operator.log_in()
    waits = "07:00 PST Train reminder waits It waits for the end of quiet hours. Alex America/Los_Angeles"
    assert body(operator.get("/routines")) == [waits]  # In UTC it is Sunday by now.
    assert body(operator.get("/routines?day=2026-11-23")) == []
    assert body(operator.get(f"/routines?person={alex.id}")) == [waits]


def test_pages_of_a_day_hold_each_routine_once(operator: Browser, services: Services) -> None:
    words = set()
    for number in range(12):
        person = add_person(services, f"+1312555{number:04}")
        for place in range(10):
            words.add(f"w{number}x{place}")
            remind(services, person, f"w{number}x{place}", f"{10 + place}:{number:02}")
    found: list[str] = []
    path: str | None = "/routines?day=2026-11-23"
    pages = 0
    while path:
        page = operator.get(path)
        found += re.findall(r"w\d+x\d+", page)
        links = re.findall(r'href="/admin(/routines\?[^"]*after=[^"]*)"', page)
        path = html.unescape(links[0]) if links else None
        pages += 1
    assert sorted(found) == sorted(words)
    assert pages == 3


def test_a_page_looks_at_no_more_routines_than_it_can_work_out_at_once(operator: Browser, services: Services) -> None:
    for number in range(3):
        person = add_person(services, f"+1312555{number:04}")
        for place in range(50):
            remind(
                services,
                person,
                f"w{place}",
                f"{8 + place // 10}:{place % 10:02}",
                repeat="weekly",
                weekdays=("sunday",),
            )
    page = operator.get("/routines?day=2026-11-24")
    assert "the next page looks further" in page
    [further] = re.findall(r'href="/admin(/routines\?[^"]*after=[^"]*)"', page)
    page = operator.get(html.unescape(further))
    assert "None of the routines that this page looked at comes on Tuesday." in page
    assert "Next page" not in page


def test_the_history_has_when_it_was_due_sent_and_how_late(
    operator: Browser, services: Services, alex: Person, clock: FrozenClock, background: InlineBackground
) -> None:
    remind(services, alex, "Stretch", "10:00")
    remind(services, alex, "Rest", "12:00")
    clock.advance(hours=1, minutes=20)  # 10:20 in Los Angeles.
    begin_routines.run(services)
    background.run(within_seconds=0)
    begin_routines.run(services)
    [row] = body(operator.get("/routines/history"))
    assert row.startswith("21 Nov 2026, 10:00 PST Stretch Alex 10:20 PST")
    assert "20 min late late It came 20 minutes late." in row

    setting.pause_all(services, alex.id)
    clock.advance(hours=2)
    begin_routines.run(services)
    background.run(within_seconds=0)
    rows = body(operator.get("/routines/history"))
    assert [re.findall("Stretch|Rest", row)[0] for row in rows] == ["Rest", "Stretch"]
    [skipped] = body(operator.get("/routines/history?state=skipped"))
    assert skipped.endswith("– not sent – not sent skipped All routines of the person are paused.")
    assert body(operator.get("/routines/history?state=delivered")) == []
    assert len(body(operator.get("/routines/history?state=x"))) == 2
    assert len(body(operator.get(f"/routines/history?person={alex.id}"))) == 2


def test_the_history_is_paged_without_a_gap(
    operator: Browser, services: Services, alex: Person, clock: FrozenClock, background: InlineBackground
) -> None:
    remind(services, alex, "Drink", *(f"{hour:02}:00" for hour in range(24)))
    for _ in range(60):
        clock.advance(seconds=timedelta(hours=1).total_seconds())
        begin_routines.run(services)
        background.run(within_seconds=0)
    operator.log_in()
    first = operator.get("/routines/history")
    [older] = re.findall(r'href="/admin(/routines/history\?before=\d+)"', first)
    rows = body(first) + body(operator.get(older))
    assert len(rows) == len(set(rows)) == 60
