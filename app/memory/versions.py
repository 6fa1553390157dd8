"""Numbered memories with versions, as facts, rules and episodes are, and the origin of what is told in one.

A number is a person's own and never used again. Of its versions at most one is not retired: that one is held.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Literal, TypeVar

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from app.errors import NotFound
from app.models import Episode, Fact, Rule
from app.store.db import carried_on
from app.text.secrets import without_despair, without_secrets

LARGEST_NUMBER = 2**63 - 1  # SQLite takes no larger integer; the model may well make one up.

Row = TypeVar("Row", Fact, Rule, Episode)

CONFIDENCE = {"explicit": 1.0, "corrected": 0.9, "inferred": 0.7, "imported": 0.8, "operator": 1.0, "agent": 0.7}
"""0 to 1 by source. Told, corrected and inferred are the product's; the others lie between by how near they are."""


@dataclass(frozen=True)
class Origin:
    """Who changes the memory, on what grounds, and in which words."""

    actor: str  # `person`, `assistant`, `operator` or `agent`.
    source: str
    """`explicit` (told), `corrected`, `inferred`, `imported`, `operator` or `agent`.

    Of rules also `file` and `forwarded`: it came with a text of the person, and is not in their own words.
    """
    turn_id: int | None = None
    message_id: int | None = None
    quote: str | None = None  # Those words, without the sentences that give a secret away or are said in despair.
    call: str | None = None  # Which call of a tool asks for it; asked for again after a crash, it is not done again.

    def __post_init__(self) -> None:
        object.__setattr__(self, "quote", without_despair(without_secrets(self.quote or "")).strip() or None)

    @property
    def confidence(self) -> float:
        return CONFIDENCE[self.source]


def not_held(kind: Literal["fact", "rule"], number: int, origin: Origin) -> NotFound:
    """The error for whoever names one that is not held: the model is told where to look, and people what it means."""
    if origin.actor in {"assistant", "agent"}:
        return NotFound(
            f"No {kind} with id {number}. List the {'memories' if kind == 'fact' else 'rules'} to see the ids."
        )
    return NotFound(f"No {kind} with id {number}. It was forgotten meanwhile, or it never was.")


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


def held_as(kind: type[Row], db: Session, row_id: int) -> Row | None:
    """The version that is held now of what this row is a version of."""
    row = db.get_one(kind, row_id)
    return held_by_number(kind, db, row.person_id, row.number)


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
    return kind(version=newest + 1, recorded_at=now, **(carried_on(before) | new))
