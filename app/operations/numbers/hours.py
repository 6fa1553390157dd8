"""Counting and keeping hours, and counting them again while rows may still come late.

An hour is counted while it lasts, and again once it has been over for each of `AGAIN_AFTER`: a delivery report, a
routine's end or the carrier's price that comes within `LATEST` of the hour's end is included; anything later is not.
Counting can be repeated without counting twice: the new count replaces the old one, and the hour's day and month are
summed up again. Hours in which the process was down are made up for.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, func, insert, literal, select
from sqlalchemy.orm import Session

from app.clock import local
from app.models import Count, CountedHour, Message, PersonSpend, Spending, Turn
from app.operations.numbers.counting import HOUR, SPENDINGS, SPENT_ON, Counts, count_hour
from app.operations.numbers.figures import Cell, added
from app.operations.numbers.halving import span
from app.services import Services

AGAIN_AFTER = (timedelta(0), timedelta(minutes=30), timedelta(hours=6), timedelta(hours=24), timedelta(hours=72))
LATEST = AGAIN_AFTER[-1]
KEPT_DAYS = 100
"""Days for which single hours and people's days are kept; the installation's days, and all months, stay for ever."""

_touched = select(Spending.day, Spending.person_id).distinct().where(SPENDINGS.within).subquery()
_SPENT = (
    select(Spending.day, Spending.person_id, SPENT_ON, func.sum(Spending.cents))
    .join(_touched, (_touched.c.day == Spending.day) & (_touched.c.person_id == Spending.person_id))
    .outerjoin(Turn, Turn.id == Spending.turn_id)
    .group_by(Spending.day, Spending.person_id, SPENT_ON)
    .order_by(Spending.day)
)
"""All spendings by purpose, as they now are, on each day and for each person with a spending in an hour."""


def hours_to_count(db: Session, now: datetime) -> list[datetime]:
    """Starts of the hours to count: those that are due again, then those that were never counted."""
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


def count(services: Services, began: datetime, now: datetime) -> None:
    """Count that hour as of `now`: read it in one view, and write the result in a short transaction."""
    day = f"{local(began, services.settings.budget_timezone):%Y-%m-%d}"
    with services.reading() as db:
        counted, spent = count_hour(db, began), db.execute(_SPENT, span(began, began + HOUR)).all()
    with services.transaction() as db:
        _keep(db, key_of(began), day, counted, now)
        _keep_spent(db, spent)


def drop_old(services: Services, now: datetime) -> None:
    """Delete old hours and people's old days, which their months include. Call it once nothing is left to count."""
    oldest = now - timedelta(days=KEPT_DAYS)
    with services.transaction() as db:
        db.execute(delete(Count).where(Count.unit == "hour", Count.began < key_of(oldest)))
        db.execute(delete(PersonSpend).where(PersonSpend.unit == "day", PersonSpend.began < f"{oldest:%Y-%m-%d}"))


def key_of(instant: datetime) -> str:
    """The key of the hour that contains the instant: `2026-11-22T14`."""
    return f"{instant.astimezone(UTC):%Y-%m-%dT%H}"


def hour_of(key: str) -> datetime:
    return datetime.fromisoformat(key).replace(tzinfo=UTC)


def _keep(db: Session, hour: str, day: str, counted: Counts, now: datetime) -> None:
    """Store the hour, and if it has changed, sum up its day and its month again."""
    row = db.get(CountedHour, hour)
    was = row.day if row is not None else day
    db.merge(CountedHour(began=hour, day=day, counted_at=now))
    db.flush()
    if was == day and counted == _rows(db, Count.unit == "hour", Count.began == hour):
        return
    _replace(db, "hour", hour, counted)
    for changed in {day, was}:  # Two, if the budget has another zone now.
        first, last = (f"{date.fromisoformat(changed) + timedelta(days=apart)}" for apart in (-1, 2))
        theirs = select(CountedHour.began).where(CountedHour.began.between(first, last), CountedHour.day == changed)
        _replace(db, "day", changed, _rows(db, Count.unit == "hour", Count.began.in_(theirs)))
        month = changed[:7]
        _replace(db, "month", month, _rows(db, Count.unit == "day", Count.began.in_(_days_of(month))))


def _days_of(month: str) -> list[str]:
    """Each day by name, since a range of days would read those of everybody."""
    return [f"{month}-{day:02}" for day in range(1, 32)]


def _rows(db: Session, *which: ColumnElement[bool]) -> Counts:
    columns = (Count.figure, Count.label, Count.times, Count.total, Count.shape)
    found: dict[tuple[str, str], list[Cell]] = {}
    for figure, label, times, total, shape in db.execute(select(*columns).where(*which)):
        found.setdefault((figure, label), []).append(Cell(times, total, shape or {}))
    return {key: added(cells) for key, cells in found.items()}


def _replace(db: Session, unit: str, began: str, counted: Counts) -> None:
    db.execute(delete(Count).where(Count.unit == unit, Count.began == began))
    if counted:
        rows = [
            {"figure": figure, "label": label, "times": cell.times, "total": cell.total, "shape": cell.shape or None}
            for (figure, label), cell in counted.items()
        ]
        db.execute(insert(Count).values(unit=unit, began=began), rows)


def _keep_spent(db: Session, spent: Sequence[Row[*tuple[Any, ...]]]) -> None:
    """Replace the known spendings of these days, and sum up their months again from the days."""
    columns = (PersonSpend.person_id, PersonSpend.spent_on)
    for day, rows in groupby(spent, itemgetter(0)):
        spends = [{"person_id": row[1], "spent_on": row[2], "cents": row[3]} for row in rows]
        month, theirs = f"{day:%Y-%m}", PersonSpend.person_id.in_({spend["person_id"] for spend in spends})
        of_days = (PersonSpend.unit == "day", theirs)
        db.execute(delete(PersonSpend).where(*of_days, PersonSpend.began == f"{day}"))
        if some := [spend for spend in spends if spend["cents"]]:
            db.execute(insert(PersonSpend).values(unit="day", began=f"{day}"), some)
        db.execute(delete(PersonSpend).where(PersonSpend.unit == "month", PersonSpend.began == month, theirs))
        summed = select(literal("month"), literal(month), *columns, func.sum(PersonSpend.cents)).group_by(*columns)
        whole = summed.where(*of_days, PersonSpend.began.in_(_days_of(month)))
        db.execute(insert(PersonSpend).from_select(["unit", "began", "person_id", "spent_on", "cents"], whole))
