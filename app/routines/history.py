"""The history of what comes by itself: occurrences, each with the texts that carried it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.clock import seconds_between
from app.models import Message, Occurrence, Person, Routine

ON_A_PAGE = 50
STATES = ("due", "held", "running", "sent", "late", "delivered", "missed", "skipped", "cancelled")


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


def past(
    db: Session,
    *,
    person_id: int | None = None,
    routine_id: int | None = None,
    state: str | None = None,
    before: int | None = None,
    limit: int = ON_A_PAGE,
) -> HistoryPage:
    """Occurrences of everybody, of one person or of one routine; all, or those in one state; before that id."""
    of = {Occurrence.person_id: person_id, Occurrence.routine_id: routine_id, Occurrence.state: state}
    wanted = select(Occurrence, Routine, Person).join(Routine, Routine.id == Occurrence.routine_id)
    wanted = wanted.join(Person, Person.id == Occurrence.person_id).order_by(Occurrence.id.desc())
    wanted = wanted.where(*(column == value for column, value in of.items() if value is not None))
    if before is not None:
        wanted = wanted.where(Occurrence.id < before)
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
