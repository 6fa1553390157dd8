"""Spending by person, day and month and by purpose: added up from the spendings of the day."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from sqlalchemy import ColumnElement, and_, delete, func, insert, select
from sqlalchemy.orm import Session

from app.models import PersonSpend, Spending, Turn
from app.operations.numbers.counting import SPENDINGS, SPENT_ON
from app.operations.numbers.halving import span

PEOPLE_AT_ONCE = 200  # In one question: a statement takes only so many values.

_TOUCHED = select(Spending.day, Spending.person_id).distinct().where(SPENDINGS.within)

_Cents = dict[tuple[int, str], float]
"""By person, and by what it was spent on."""


@dataclass(frozen=True)
class SpentOn:
    """What some people cost on one day."""

    day: date
    people: Sequence[int]
    cents: _Cents = field(default_factory=dict)


def of_hour(db: Session, began: datetime, ended: datetime) -> list[SpentOn]:
    """The whole days, as they now are, of all for whom something was spent in that hour."""
    by_day: dict[date, list[int]] = {}
    for day, person_id in db.execute(_TOUCHED, span(began, ended)):
        by_day.setdefault(day, []).append(person_id)
    return [
        SpentOn(day, some, _spent(db, day, some)) for day, people in sorted(by_day.items()) for some in _batches(people)
    ]


def keep(db: Session, spent: Sequence[SpentOn]) -> None:
    """These days in the place of what was known of them; their months change by what changed."""
    for one in spent:
        of_day = _of("day", f"{one.day}", one.people)
        before = _read(db, of_day)
        if before == one.cents:
            continue
        of_month = _of("month", f"{one.day:%Y-%m}", one.people)
        month = _read(db, of_month)
        for key in {*before, *one.cents}:
            month[key] = month.get(key, 0.0) + one.cents.get(key, 0.0) - before.get(key, 0.0)
        _replace(db, "day", f"{one.day}", of_day, one.cents)
        _replace(db, "month", f"{one.day:%Y-%m}", of_month, month)


def _spent(db: Session, day: date, people: Sequence[int]) -> _Cents:
    rows = (
        select(Spending.person_id, SPENT_ON, func.sum(Spending.cents))
        .outerjoin(Turn, Turn.id == Spending.turn_id)
        .where(Spending.day == day, Spending.person_id.in_(people))
        .group_by(Spending.person_id, SPENT_ON)
    )
    return {(person_id, spent): cents for person_id, spent, cents in db.execute(rows) if cents}


def _batches(people: Sequence[int]) -> Iterator[Sequence[int]]:
    return (people[place : place + PEOPLE_AT_ONCE] for place in range(0, len(people), PEOPLE_AT_ONCE))


def _of(unit: str, began: str, people: Sequence[int]) -> ColumnElement[bool]:
    return and_(PersonSpend.unit == unit, PersonSpend.began == began, PersonSpend.person_id.in_(people))


def _read(db: Session, which: ColumnElement[bool]) -> _Cents:
    rows = select(PersonSpend.person_id, PersonSpend.spent_on, PersonSpend.cents).where(which)
    return {(person_id, on): cents for person_id, on, cents in db.execute(rows)}


def _replace(db: Session, unit: str, began: str, which: ColumnElement[bool], cents: _Cents) -> None:
    db.execute(delete(PersonSpend).where(which))
    rows = [
        {"unit": unit, "began": began, "person_id": person_id, "spent_on": on, "cents": spent}
        for (person_id, on), spent in cents.items()
        if spent > 0
    ]
    if rows:
        db.execute(insert(PersonSpend), rows)
