"""Hours counted, kept, and counted again while something may still come late.

An hour is counted while it lasts, and again when it has been over for each of `AGAIN_AFTER`: a delivery report, a
routine's end or the carrier's price that comes within `LATEST` of the end of its hour is counted in it, and what comes
later is not. Counting is the same whenever it is done, so that nothing is counted twice: an hour that is counted again
takes the place of itself, and its day and month are added up anew. Hours in which the process was down are made up for.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import ColumnElement, delete, func, insert, literal, select
from sqlalchemy.orm import Session

from app.clock import local
from app.models import Count, CountedHour, Message, PersonSpend, Spending, Turn
from app.operations.numbers.counting import HOUR, SPENDINGS, SPENT_ON, Counted, count_hour
from app.operations.numbers.figures import merged
from app.operations.numbers.halving import span
from app.services import Services

AGAIN_AFTER = (timedelta(0), timedelta(minutes=30), timedelta(hours=6), timedelta(hours=24), timedelta(hours=72))
LATEST = AGAIN_AFTER[-1]
KEPT_DAYS = 100
"""For so long hours are kept one by one, and persons' days; the installation's days, and all months, for ever."""
HOURS_AT_ONCE = 24  # Those in which nothing happened take less than it takes to write that they were counted.
VIEW_SECONDS = 0.1
PEOPLE_AT_ONCE = 200  # In one question: a statement takes only so many values.

Spent = tuple[date, Sequence[int], dict[tuple[int, str], float]]
"""A day, some people, and what each cost on it, by what it was spent on."""

_TOUCHED = select(Spending.day, Spending.person_id).distinct().where(SPENDINGS.within)


def to_count(db: Session, now: datetime) -> list[datetime]:
    """The hours that are to be counted, by when they began: those to be counted again, then those that never were."""
    this, hours = hour_of(key_of(now)), []
    since = CountedHour.began > key_of(now - LATEST - 2 * HOUR)
    lately = select(CountedHour.began, CountedHour.counted_at).where(since).order_by(CountedHour.began.desc())
    for key, counted_at in db.execute(lately):
        began = hour_of(key)
        passed = [began + HOUR + age for age in AGAIN_AFTER if began + HOUR + age <= now]
        if began == this or (passed and counted_at < passed[-1]):
            hours.append(began)
    if last := db.scalar(select(func.max(CountedHour.began))):
        began = hour_of(last) + HOUR
    else:
        began = hour_of(key_of(db.scalar(select(Message.created_at).order_by(Message.id).limit(1)) or now))
    while began <= this:
        hours.append(began)
        began += HOUR
    return hours


def count_some(services: Services, hours: Sequence[datetime], now: datetime) -> int:
    """Count the first of these hours as of `now`, and as many more as are quickly counted; how many it were.

    The rows are read and counted in one view, and what came of it is written in a short transaction.
    """
    until = services.clock.monotonic() + VIEW_SECONDS
    found: list[tuple[str, str, list[Counted], list[Spent]]] = []
    with services.reading() as db:
        for began in hours[:HOURS_AT_ONCE]:
            day = f"{local(began, services.settings.budget_timezone):%Y-%m-%d}"
            found.append((key_of(began), day, count_hour(db, began), _spent_in(db, began)))
            if services.clock.monotonic() >= until:
                break
    with services.transaction() as db:
        days: set[str] = set()
        for hour, day, counted, spent in found:
            days |= _keep(db, hour, day, counted, now)
            _keep_spent(db, spent)
        _add_up(db, days)
    return len(found)


def drop_old(services: Services, now: datetime) -> None:
    """Let go of hours, and of persons' days, that are kept in their months; once nothing is left to count."""
    oldest = now - timedelta(days=KEPT_DAYS)
    hours = (Count.unit == "hour", Count.began < key_of(oldest))
    days = (PersonSpend.unit == "day", PersonSpend.began < f"{oldest:%Y-%m-%d}")
    with services.reading() as db:
        is_any = db.scalar(select(Count.began).where(*hours).limit(1)) is not None
        is_any = is_any or db.scalar(select(PersonSpend.began).where(*days).limit(1)) is not None
    if is_any:
        with services.transaction() as db:
            db.execute(delete(Count).where(*hours))
            db.execute(delete(PersonSpend).where(*days))


def key_of(instant: datetime) -> str:
    """The hour in which the instant lies, as it is kept: `2026-11-22T14`."""
    return f"{instant.astimezone(UTC):%Y-%m-%dT%H}"


def hour_of(key: str) -> datetime:
    return datetime.fromisoformat(key).replace(tzinfo=UTC)


def _keep(db: Session, hour: str, day: str, counted: Sequence[Counted], now: datetime) -> set[str]:
    """The days that have to be added up anew, as the hour is not what it was; two, if the budget has another zone."""
    row = db.get(CountedHour, hour)
    was = row.day if row is not None else None
    if row is None:
        db.add(CountedHour(began=hour, day=day, counted_at=now))
    else:
        row.day, row.counted_at = day, now
    if was in {None, day} and counted == _rows(db, Count.unit == "hour", Count.began == hour):
        return set()
    _replace(db, "hour", hour, counted)
    return {day, was or day}


def _add_up(db: Session, days: Collection[str]) -> None:
    """These days anew of their hours, and their months of their days: both are kept for longer than one can change."""
    db.flush()
    for day in sorted(days):
        first, last = (f"{date.fromisoformat(day) + timedelta(days=apart)}" for apart in (-1, 2))
        theirs = select(CountedHour.began).where(CountedHour.began.between(first, last), CountedHour.day == day)
        _replace(db, "day", day, _rows(db, Count.unit == "hour", Count.began.in_(theirs)))
    for month in sorted({day[:7] for day in days}):
        _replace(db, "month", month, _rows(db, Count.unit == "day", Count.began.in_(_days_of(month))))


def _days_of(month: str) -> list[str]:
    """One by one: a stretch of days would be read whole, of everybody."""
    return [f"{month}-{day:02}" for day in range(1, 32)]


def _rows(db: Session, *which: ColumnElement[bool]) -> list[Counted]:
    """What these rows come to together, by figure and label."""
    columns = (Count.figure, Count.label, Count.times, Count.total, Count.shape)
    found: dict[tuple[str, str], list[Counted]] = {}
    for row in db.execute(select(*columns).where(*which).order_by(Count.figure, Count.label)):
        found.setdefault((row.figure, row.label), []).append(Counted(*row))
    return [
        Counted(
            *key,
            sum(one.times for one in some),
            math.fsum(one.total for one in some),
            merged(one.shape for one in some) if any(one.shape for one in some) else None,
        )
        for key, some in found.items()
    ]


def _replace(db: Session, unit: str, began: str, counted: Sequence[Counted]) -> None:
    db.execute(delete(Count).where(Count.unit == unit, Count.began == began))
    if counted:
        db.execute(insert(Count), [{"unit": unit, "began": began, **asdict(one)} for one in counted])


def _spent_in(db: Session, began: datetime) -> list[Spent]:
    """The whole days, as they now are, of all for whom something was spent in that hour."""
    by_day: dict[date, list[int]] = {}
    for day, person_id in db.execute(_TOUCHED, span(began, began + HOUR)):
        by_day.setdefault(day, []).append(person_id)
    found: list[Spent] = []
    for day, people in sorted(by_day.items()):
        for place in range(0, len(people), PEOPLE_AT_ONCE):
            some = people[place : place + PEOPLE_AT_ONCE]
            rows = (
                select(Spending.person_id, SPENT_ON, func.sum(Spending.cents))
                .outerjoin(Turn, Turn.id == Spending.turn_id)
                .where(Spending.day == day, Spending.person_id.in_(some))
                .group_by(Spending.person_id, SPENT_ON)
            )
            found.append((day, some, {(person, on): cents for person, on, cents in db.execute(rows) if cents}))
    return found


def _keep_spent(db: Session, spent: Sequence[Spent]) -> None:
    """These days in the place of what was known of them, and their months anew of their days."""
    columns = (PersonSpend.person_id, PersonSpend.spent_on)
    for day, people, cents in spent:
        month, theirs = f"{day:%Y-%m}", PersonSpend.person_id.in_(people)
        of_days = (PersonSpend.unit == "day", theirs)
        db.execute(delete(PersonSpend).where(*of_days, PersonSpend.began == f"{day}"))
        if cents:
            keys = [{"person_id": person_id, "spent_on": on, "cents": of} for (person_id, on), of in cents.items()]
            db.execute(insert(PersonSpend), [{"unit": "day", "began": f"{day}", **key} for key in keys])
        db.execute(delete(PersonSpend).where(PersonSpend.unit == "month", PersonSpend.began == month, theirs))
        summed = select(literal("month"), literal(month), *columns, func.sum(PersonSpend.cents)).group_by(*columns)
        whole = summed.where(*of_days, PersonSpend.began.in_(_days_of(month)))
        db.execute(insert(PersonSpend).from_select(["unit", "began", "person_id", "spent_on", "cents"], whole))
