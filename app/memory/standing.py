"""Changes that later ones stand upon: those cannot be taken back before these are."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import literal, select, union_all
from sqlalchemy.orm import Session

from app.errors import Conflict
from app.memory import calendar_changes
from app.memory.episodes import retelling
from app.memory.forgotten import SUBJECT
from app.models import Change, ChangeItem, Episode, Fact, Routine, Rule

_TOUCHES_NOTHING = frozenset({SUBJECT, retelling.TEXTS})
_TOGETHER = {
    "timezone_source": "timezone",
    "away_until": "timezone",
    "home_timezone": "timezone",
    "home_timezone_source": "timezone",
    "paused_until": "paused_at",
}
"""Fields of a person that are set with another."""
_SPOKEN = {"timezone": "The time zone", "paused_at": "The pause of all", "quiet_hours": "The quiet hours"}
_COLUMNS: tuple[tuple[str, str], ...] = (
    ("fact", "added_fact_id"),
    ("fact", "retired_fact_id"),
    ("fact", "fact_id"),
    ("rule", "added_rule_id"),
    ("rule", "retired_rule_id"),
    ("routine", "routine_id"),
    ("episode", "retired_episode_id"),
)
# Two episodes of one conversation are told again together.
_NUMBERS: dict[str, tuple[Any, Any]] = {
    "fact": (Fact.id, Fact.number),
    "rule": (Rule.id, Rule.number),
    "routine": (Routine.id, Routine.number),
    "episode": (Episode.id, Episode.conversation_id),
}

Touched = tuple[str, int | str]
"""A kind of row and its number (of an episode its conversation's id), or a field of the person."""


class StoodUpon(Conflict):
    """The change cannot be taken back: a later one stands upon it."""


def stood_upon(db: Session, changes: Sequence[Change]) -> dict[int, Touched]:
    """Of a person's newest changes, the newest first: those upon which a later one stands, by id, with where."""
    touched = _touched(db, changes)
    found: dict[int, Touched] = {}
    later: set[Touched] = set()
    for change in changes:
        if change.undone_at is not None:
            continue
        both = touched[change.id] & later
        if both:
            found[change.id] = min(both, key=str)
        later |= touched[change.id]
    return found


def check(db: Session, change: Change) -> None:
    """Check that the change can be taken back by itself.

    Raises:
        StoodUpon: a later change touched the same.
    """
    since = select(Change).where(Change.person_id == change.person_id, Change.id >= change.id)
    found = stood_upon(db, db.scalars(since.order_by(Change.id.desc())).all()).get(change.id)
    if found is not None:
        raise StoodUpon(f"{_spoken(found)} was changed again since. Take the later change back first.")


def _spoken(touched: Touched) -> str:
    match touched:
        case "person", field:
            return _SPOKEN.get(str(field), f"The {field}")
        case "calendar", _:
            return "The calendar"
        case "episode", _:
            return "What happened in the same conversation"
        case kind, number:
            return f"{kind.capitalize()} {number}"


def _touched(db: Session, changes: Sequence[Change]) -> dict[int, set[Touched]]:
    rows = {change.id: {key for item in change.items for key in _rows(item)} for change in changes}
    numbers = _numbers(db, {key for keys in rows.values() for key in keys})
    return {
        change.id: {(kind, numbers[kind, row]) for kind, row in rows[change.id]} | {*_fields(change.items)}
        for change in changes
    }


def _rows(item: ChangeItem) -> Iterator[tuple[str, int]]:
    for kind, column in _COLUMNS:
        row = getattr(item, column)
        if row is not None:
            yield kind, row


def _numbers(db: Session, rows: Collection[tuple[str, int]]) -> dict[tuple[str, int], int]:
    of_kinds = [
        select(literal(kind), key, number).where(key.in_([row for of, row in rows if of == kind]))
        for kind, (key, number) in _NUMBERS.items()
    ]
    return {(kind, row): number for kind, row, number in db.execute(union_all(*of_kinds))}


def _fields(items: Iterable[ChangeItem]) -> Iterator[Touched]:
    for item in items:
        if item.field is None or item.field in _TOUCHES_NOTHING or any(_rows(item)):
            continue
        if item.field == calendar_changes.FIELD:
            yield "calendar", ""
        else:
            yield "person", _TOGETHER.get(item.field, item.field)
