"""Reads, counts, describes and withdraws suggestions for other packages. The feature `habits` makes them."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, TextClause, exists, func, select
from sqlalchemy.orm import Session

from app.models import Message, Suggestion, move
from app.routines.described import describe
from app.routines.schedule import Schedule

ROWS_COUNTED = 8_000  # The newest suggestions to count, so that reading the figures stays fast.


def of(db: Session, person_id: int) -> list[Suggestion]:
    """All suggestions of the person, the oldest first."""
    return list(db.scalars(select(Suggestion).where(Suggestion.person_id == person_id).order_by(Suggestion.id)))


def schedule_of(suggestion: Suggestion) -> Schedule:
    return Schedule.from_dict(suggestion.schedule or {})


def in_turns(db: Session, turn_ids: Collection[int]) -> dict[int, Suggestion]:
    """Suggestions that were sent in these turns, by turn id."""
    said = db.scalars(select(Suggestion).where(Suggestion.turn_id.in_(turn_ids), Suggestion.turn_id.is_not(None)))
    return {one.turn_id: one for one in said if one.turn_id is not None}


def count_sent_since(db: Session, person_id: int, since: datetime) -> int:
    """Number of suggestions sent to the person from that instant on."""
    said = (Suggestion.person_id == person_id, Suggestion.said_at >= since)
    return db.scalar(select(func.count()).where(*said)) or 0


def withdraw(db: Session, person_id: int, reason: str) -> None:
    """Drop the person's suggestions that wait or whose text is still queued."""
    queued = exists().where(Message.turn_id == Suggestion.turn_id, Message.state == "queued")
    on_way = select(Suggestion.turn_id).where(Suggestion.OPEN, Suggestion.person_id == person_id, queued)
    turns = list(db.scalars(on_way))
    if turns:
        move(db, Message, "refused", Message.turn_id.in_(turns), Message.state == "queued", note=reason)
        drop(db, reason, Suggestion.turn_id.in_(turns))
    drop(db, reason, Suggestion.person_id == person_id, Suggestion.state == "waiting")


def counts(db: Session) -> dict[tuple[str, str], int]:
    """Counts by kind and state among the newest `ROWS_COUNTED`."""
    newest = (db.scalar(select(func.max(Suggestion.id))) or 0) - ROWS_COUNTED
    counted = select(Suggestion.kind, Suggestion.state, func.count()).where(Suggestion.id > newest)
    rows_ = db.execute(counted.group_by(Suggestion.kind, Suggestion.state))
    return {(kind, state): count for kind, state, count in rows_}


def described(suggestion: Suggestion, zone: str) -> str:
    """The suggestion in a few words: `Weather today?, daily at 07:00`."""
    if suggestion.schedule is None:
        return suggestion.procedure or ""
    return f"{suggestion.words}, {describe(schedule_of(suggestion), zone)}"


def adoption(found: Sequence[Suggestion]) -> str:
    """Counts of the answers to these: `3 suggested: 1 accepted, 1 declined, 1 without an answer`."""
    states = Counter(one.state for one in found if one.said_at is not None and one.state != "dropped")
    if not states:
        return "nothing was suggested yet"
    silent = states["silent"] + states["said"]
    parts = [f"{states['accepted']} accepted", f"{states['declined']} declined", f"{silent} without an answer"]
    return f"{states.total()} suggested: {', '.join(parts)}"


def drop(db: Session, reason: str, *which: ColumnElement[bool] | TextClause) -> None:
    move(db, Suggestion, "dropped", *which, reason=reason)
