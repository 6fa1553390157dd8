"""Hours are counted by the job once, also after the process was down and what is late; and little is kept of them."""

from datetime import date, timedelta

import pytest
from sqlalchemy import event, func, select, text, update

from app.jobs import count_hours
from app.models import Count, CountedHour, Message, PersonSpend, Spending
from app.operations.numbers.hours import AGAIN_AFTER, KEPT_DAYS, LATEST, key_of
from app.services import Services
from app.store.db import Database
from tests.fakes import FrozenClock
from tests.jobs.counting import HOUR, add_spending, add_turn, counts, spent
from tests.memory.remembering import add_person
from tests.statements import asked, plan


@pytest.fixture
def person_id(services: Services) -> int:
    return add_person(services)


def everything(services: Services) -> list[tuple[object, ...]]:
    with services.reading() as db:
        columns = (Count.unit, Count.began, Count.figure, Count.label, Count.times, Count.total)
        spent = (PersonSpend.unit, PersonSpend.began, PersonSpend.person_id, PersonSpend.spent_on, PersonSpend.cents)
        return [tuple(row) for one in (columns, spent) for row in db.execute(select(*one).order_by(*one))]


def test_counted_twice_an_hour_is_the_same(services: Services, clock: FrozenClock, person_id: int) -> None:
    add_spending(services, person_id, 1.5, add_turn(services, person_id, model="m", model_calls=1, model_seconds=0.1))
    clock.advance(minutes=1)
    count_hours.run(services)
    once = everything(services)
    assert once
    for _ in range(3):
        clock.advance(minutes=2)
        count_hours.run(services)
    assert everything(services) == once


@pytest.mark.parametrize("after", [timedelta(minutes=40), LATEST - timedelta(hours=1)])
def test_what_comes_late_is_counted_in_its_hour(
    services: Services, clock: FrozenClock, person_id: int, after: timedelta
) -> None:
    add_turn(services, person_id)
    clock.advance(minutes=1)
    count_hours.run(services)
    clock.advance(seconds=after.total_seconds())
    with services.transaction() as db:
        db.execute(update(Message).where(Message.direction == "out").values(delivery="delivered"))
    clock.advance(seconds=(LATEST - after + timedelta(hours=1)).total_seconds())

    count_hours.run(services)

    for unit, began in (("hour", HOUR), ("day", "2026-11-21"), ("month", "2026-11")):
        found = counts(services, unit, began)
        assert found["deliveries delivered"] == (1, 0.0)
        assert "deliveries sent" not in found


def test_what_comes_later_than_that_is_not_looked_for(services: Services, clock: FrozenClock, person_id: int) -> None:
    add_turn(services, person_id)
    clock.advance(seconds=LATEST.total_seconds() + 3600)
    count_hours.run(services)
    with services.transaction() as db:
        db.execute(update(Message).where(Message.direction == "out").values(delivery="delivered"))
    clock.advance(hours=1)
    count_hours.run(services)
    assert "deliveries sent" in counts(services)


def test_an_hour_is_left_alone_between_the_times_at_which_it_is_counted_again(
    services: Services, clock: FrozenClock, person_id: int
) -> None:
    add_turn(services, person_id)
    times = 0
    last = None
    for _ in range(80):
        count_hours.run(services)
        clock.advance(hours=1)
        with services.reading() as db:
            at = db.get_one(CountedHour, HOUR).counted_at
        times += at != last
        last = at
    assert times == 1 + len(AGAIN_AFTER)


def test_hours_in_which_it_was_down_are_made_up_for_and_those_before_the_first_gone_back_to(
    services: Services, clock: FrozenClock, person_id: int
) -> None:
    add_turn(services, person_id)
    clock.advance(days=5)
    add_turn(services, person_id)
    count_hours.run(services)
    assert "reply_seconds" in counts(services), "from before the first run"

    clock.advance(days=2)
    add_turn(services, person_id)
    clock.advance(days=3)
    count_hours.run(services)

    assert "reply_seconds" in counts(services, "hour", "2026-11-28T17")
    with services.reading() as db:
        assert db.scalar(select(func.count()).select_from(CountedHour)) == 10 * 24 + 1
    assert counts(services, "month", "2026-11")["reply_seconds"] == (3, 12.0)


def test_hours_are_kept_for_a_hundred_days_and_their_months_for_ever(
    services: Services, clock: FrozenClock, person_id: int
) -> None:
    add_spending(services, person_id, 1.5, add_turn(services, person_id, model="m"))
    count_hours.run(services)
    before = everything(services)
    clock.advance(days=KEPT_DAYS + 1)
    with services.transaction() as db:  # As if all hours until now had been counted.
        db.add(CountedHour(began=key_of(clock.now()), day="2027-03-02", counted_at=clock.now()))
    count_hours.run(services)
    kept = everything(services)
    assert kept == [row for row in before if row[0] == "month" or (row[0] == "day" and row[2] != person_id)]
    assert kept


@pytest.mark.parametrize("settings", [{"budget_timezone": "America/Los_Angeles"}], indirect=True)
def test_days_are_those_of_the_budgets_clock(services: Services, clock: FrozenClock, person_id: int) -> None:
    clock.advance(hours=14)  # 07:00 in UTC on the 22nd, 23:00 on the 21st there.
    add_turn(services, person_id)
    clock.advance(hours=1)
    count_hours.run(services)
    assert "reply_seconds" in counts(services, "day", "2026-11-21")
    assert counts(services, "day", "2026-11-22") == {}


def test_a_run_ends_after_a_few_seconds_and_the_next_goes_on(
    services: Services, clock: FrozenClock, person_id: int, database: Database
) -> None:
    add_turn(services, person_id)
    clock.advance(days=10)

    def take_time(*_: object) -> None:
        clock.advance(seconds=count_hours.RUN_SECONDS / 2)

    event.listen(database.engine, "commit", take_time)
    count_hours.run(services)
    with services.reading() as db:
        first = db.scalar(select(func.count()).select_from(CountedHour)) or 0
    assert 0 < first < 10 * 24
    count_hours.run(services)
    event.remove(database.engine, "commit", take_time)
    with services.reading() as db:
        assert (db.scalar(select(func.count()).select_from(CountedHour)) or 0) > first


@pytest.mark.sqlite
def test_a_persons_day_takes_less_than_a_kilobyte(services: Services, clock: FrozenClock) -> None:
    turns = [add_turn(services, add_person(services, f"+1206555{number:04}"), model="sonnet") for number in range(40)]
    count_hours.run(services)
    with services.transaction() as db:
        for hour in range(24):
            for turn in turns:
                of = {"day": date(2026, 11, 21 + (hour > 6)), "person_id": turn.person_id, "cents": 0.5}
                for own in ({"turn_id": turn.id}, {"is_background": True}):
                    db.add(Spending(**of, **own, at=clock.now() + timedelta(hours=hour)))
    before = pages(services)
    clock.advance(days=1)
    count_hours.run(services)
    assert len(spent(services, "day")) == 40 * 2 * 2
    assert 0 < (pages(services) - before) * 4096 / len(turns) < 1024


def pages(services: Services) -> int:
    """Of the database, those that hold something."""
    with services.reading() as db:
        made, free = (db.execute(text(f"PRAGMA {what}")).scalar_one() for what in ("page_count", "freelist_count"))
        return int(made) - int(free)


@pytest.mark.sqlite
def test_an_hour_is_counted_without_reading_others(
    services: Services, database: Database, clock: FrozenClock, person_id: int
) -> None:
    add_turn(services, person_id)
    clock.advance(minutes=1)

    with asked(database) as statements:
        count_hours.run(services)

    looks = [one for one in statements if one.sql.startswith("SELECT")]
    scans = {step for look in looks for step in plan(database, look) if step.startswith("SCAN")}
    assert scans <= {"SCAN counted_hours", "SCAN messages"}, "of both the first row alone"
