"""Numbered memories with versions, as facts, rules and episodes are: found, and followed by a next version.

A number is a person's own and never used again. Of its versions at most one is not retired: that one is held.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from app.models import Episode, Fact, Rule
from app.store.db import carried_on

LARGEST_NUMBER = 2**63 - 1  # SQLite takes no larger integer; the model may well make one up.

Row = TypeVar("Row", Fact, Rule, Episode)


@dataclass(frozen=True)
class Removed(Generic[Row]):
    """The memories that were forgotten, and the numbers that named nothing."""

    removed: list[Row]
    unknown: list[int]


def held(kind: type[Row], person_id: int) -> Select[Row]:
    return select(kind).where(kind.person_id == person_id, kind.retired_at.is_(None))


def held_by_number(kind: type[Row], db: Session, person_id: int, number: int) -> Row | None:
    if not 0 < number <= LARGEST_NUMBER:
        return None
    return db.scalars(held(kind, person_id).where(kind.number == number)).one_or_none()


def of_number(kind: type[Row], db: Session, person_id: int, number: int) -> list[Row]:
    """All versions, oldest first; none for an unknown number."""
    if not 0 < number <= LARGEST_NUMBER:
        return []
    rows = select(kind).where(kind.person_id == person_id, kind.number == number)
    return list(db.scalars(rows.order_by(kind.version)))


def last_retired(kind: type[Row], person_id: int) -> Select[Row]:
    """The last version of each that is not held."""
    newest = select(func.max(kind.id)).where(kind.person_id == person_id).group_by(kind.number)
    return select(kind).where(kind.id.in_(newest), kind.retired_at.is_not(None))


def next_version(db: Session, before: Row, now: datetime, **new: object) -> Row:
    """A row for what comes after `before`: the same, but for what is `new`."""
    kind = type(before)
    theirs = (kind.person_id == before.person_id, kind.number == before.number)
    newest = db.scalars(select(func.max(kind.version)).where(*theirs)).one()
    return kind(version=newest + 1, recorded_at=now, **carried_on(before), **new)
