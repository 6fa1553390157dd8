"""The history of what comes by itself: occurrences, each with the texts that carried it, and changes of a routine."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from app.clock import seconds_between
from app.models import Change, ChangeItem, Message, Occurrence, Person, Routine
from app.routines import rows
from app.routines.described import describe
from app.routines.schedule import Schedule

ON_A_PAGE = 50
MOST_CHANGES = 50  # Of one routine; nobody reads further back.
STATES = ("due", "held", "running", "sent", "late", "delivered", "missed", "skipped", "cancelled")
NAMES = {
    "at_night": "may come at night",
    "schedule": "when it comes",
    "useful_minutes": "minutes for which it is of use",
    "zone": "zone it stays in",
}


@dataclass(frozen=True)
class Past:
    """One occurrence, and what is known of its text."""

    occurrence: Occurrence
    routine: Routine
    person: Person
    sent_at: datetime | None  # When the carrier took the first part of its text.
    delivery: str | None  # The carrier's last word on the last part: `delivered`, `undelivered` …

    @property
    def wanted_at(self) -> datetime:
        """When it was to come: due, or as its person put it off."""
        return self.occurrence.snoozed_to or self.occurrence.due_at

    @property
    def late_seconds(self) -> float | None:
        """From when it was to come until the carrier took it; None of what was not sent."""
        return None if self.sent_at is None else max(0.0, seconds_between(self.wanted_at, self.sent_at))


@dataclass(frozen=True)
class HistoryPage:
    found: list[Past]
    next_before: int | None  # The id of the last occurrence, for the page after this one; None on the last page.


def past(db: Session, *, person_id: int | None, state: str | None, before: int | None) -> HistoryPage:
    """Occurrences of everybody, or of one person; all, or those in one state; before the one with that id."""
    which: list[ColumnElement[bool]] = []
    if person_id is not None:
        which.append(Occurrence.person_id == person_id)
    if state is not None:
        which.append(Occurrence.state == state)
    if before is not None:
        which.append(Occurrence.id < before)
    return _page(db, which, Occurrence.id.desc(), ON_A_PAGE)


def past_of(db: Session, routine_id: int, *, before: int | None, limit: int) -> HistoryPage:
    """Those of one routine, by when they were due."""
    which = [Occurrence.routine_id == routine_id]
    if before is not None:
        due = select(Occurrence.due_at).where(Occurrence.id == before, Occurrence.routine_id == routine_id)
        which.append(Occurrence.due_at < due.scalar_subquery())
    return _page(db, which, Occurrence.due_at.desc(), limit)


def _page(db: Session, which: Sequence[ColumnElement[bool]], order: ColumnElement[Any], limit: int) -> HistoryPage:
    wanted = select(Occurrence, Routine, Person).join(Routine, Routine.id == Occurrence.routine_id)
    wanted = wanted.join(Person, Person.id == Occurrence.person_id).where(*which).order_by(order)
    found = db.execute(wanted.limit(limit + 1)).all()
    shown = found[:limit]
    texts = _texts(db, [one.turn_id for one, _, _ in shown if one.turn_id is not None])
    page = [Past(one, routine, person, *texts.get(one.turn_id or 0, (None, None))) for one, routine, person in shown]
    return HistoryPage(page, shown[-1][0].id if len(found) > limit else None)


def _texts(db: Session, turn_ids: Sequence[int]) -> dict[int, tuple[datetime | None, str | None]]:
    """When the first text of each turn was sent, and what the carrier last said of its last."""
    wanted = select(Message.turn_id, Message.sent_at, Message.delivery)
    wanted = wanted.where(Message.turn_id.in_(turn_ids), Message.direction == "out").order_by(Message.id)
    texts: dict[int, tuple[datetime | None, str | None]] = {}
    for turn_id, sent_at, delivery in db.execute(wanted) if turn_ids else ():
        assert turn_id is not None  # noqa: S101  (for the type checker: it is one of those asked for)
        first, _ = texts.get(turn_id, (None, None))
        texts[turn_id] = (first or sent_at, delivery)
    return texts


@dataclass(frozen=True)
class Changed:
    """One field of a routine that was set otherwise, the routine's making included; or that an operator had it run."""

    at: datetime
    actor: str
    field: str  # `run now` where nothing was set.
    before: str | None  # None of a new routine, and of one that was run.
    after: str  # Of one that was run, what became of it.
    undone_at: datetime | None

    @property
    def what(self) -> str:
        """The field in words; `state` has none, since its values say enough."""
        return NAMES.get(self.field, self.field)


def changes_of(db: Session, routine: Routine) -> list[Changed]:
    """The newest first."""
    zone = rows.zone_of(db, routine)
    items = select(Change.at, Change.actor, ChangeItem.field, ChangeItem.before, ChangeItem.after, Change.undone_at)
    items = items.join(Change, Change.id == ChangeItem.change_id).where(ChangeItem.routine_id == routine.id)
    was_set = [
        Changed(at, actor, field or "", _spoken(field, before, zone), _spoken(field, after, zone) or "", undone_at)
        for at, actor, field, before, after, undone_at in db.execute(
            items.order_by(ChangeItem.id.desc()).limit(MOST_CHANGES)
        )
    ]
    runs = select(Occurrence.due_at, Occurrence.state)
    runs = runs.where(Occurrence.routine_id == routine.id, Occurrence.by_operator).order_by(Occurrence.due_at.desc())
    was_run = [
        Changed(at, "operator", "run now", None, state, None) for at, state in db.execute(runs.limit(MOST_CHANGES))
    ]
    return sorted([*was_set, *was_run], key=lambda one: one.at, reverse=True)[:MOST_CHANGES]


def _spoken(field: str | None, value: str | None, zone: str) -> str | None:
    kept: Any = json.loads(value or "null")
    match kept:
        case None:
            return "none" if field == "zone" else None
        case bool():
            return "yes" if kept else "no"
        case dict():
            return describe(Schedule.from_dict(kept), zone)
        case _:
            return str(kept)
