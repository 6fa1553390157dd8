"""Outcomes of occurrences that said something: read off the texts that carry them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.models import Message, Occurrence, Person, Routine, Turn
from app.models.routine import RUNNING
from app.models.states import move
from app.routines import rows
from app.services import Services

AT_ONCE = 500
SAYS_SO_AFTER = timedelta(minutes=3)  # Nobody minds that many; the line of those who are due at once takes as long.
ON_ITS_WAY = ("queued", "sending", "unknown")

_ENDED = select(Occurrence).join(Turn, Turn.id == Occurrence.turn_id).where(RUNNING, Turn.state == "done")


@dataclass(frozen=True)
class DueRoutine:
    """A routine in a lane's hand, at one of its instants."""

    occurrence_id: int
    number: int
    words: str
    wanted_at: datetime
    """When it was due, or snoozed to."""
    is_late: bool

    @classmethod
    def of(cls, occurrence: Occurrence, routine: Routine, now: datetime) -> "DueRoutine":
        wanted_at = occurrence.snoozed_to or occurrence.due_at
        return cls(occurrence.id, routine.number, routine.words, wanted_at, now - wanted_at >= SAYS_SO_AFTER)


def in_turn(db: Session, turn_id: int, now: datetime) -> DueRoutine | None:
    """The routine that this turn carries out; None for the turn of a text."""
    occurrence = db.scalars(select(Occurrence).where(Occurrence.turn_id == turn_id)).first()
    if occurrence is None:
        return None
    return DueRoutine.of(occurrence, db.get_one(Routine, occurrence.routine_id), now)


def numbers_of(db: Session, turn_ids: Collection[int]) -> dict[int, str]:
    """Which routines spoke in each of these turns, by their numbers."""
    spoke = select(Occurrence.turn_id, Routine.number).join(Routine, Routine.id == Occurrence.routine_id)
    found: dict[int, list[str]] = {}
    for turn_id, number in db.execute(spoke.where(Occurrence.turn_id.in_(turn_ids)).order_by(Routine.number)):
        assert turn_id is not None  # noqa: S101  (for the type checker: it is one of those asked for)
        found.setdefault(turn_id, []).append(str(number))
    return {turn_id: ", ".join(numbers) for turn_id, numbers in found.items()}


def note_said(db: Session, due: DueRoutine, now: datetime) -> None:
    """Its text is queued, in this transaction."""
    occurrence = db.get_one(Occurrence, due.occurrence_id)
    occurrence.said_at, occurrence.late_seconds = now, max(0, int((now - due.wanted_at).total_seconds()))


def passed_before(db: Session, occurrence: Occurrence) -> int:
    """How many instants in a row passed before this one, of which the person heard nothing."""
    theirs = (Occurrence.routine_id == occurrence.routine_id, Occurrence.due_at < occurrence.due_at)
    states = select(Occurrence.state, Occurrence.turn_id).where(*theirs).order_by(Occurrence.due_at.desc())
    unheard = takewhile(lambda one: one.state == "missed" and one.turn_id is None, db.execute(states.limit(AT_ONCE)))
    return len(list(unheard))


def settle_sent(services: Services) -> None:
    """Note what the carrier took, and what it or we refused, of those that were on their way."""
    now = services.clock.now()
    with services.reading() as db:
        if db.scalar(select(Occurrence.id).where(RUNNING).limit(1)) is None:
            return
        if not db.scalars(_ENDED.limit(1)).all():
            return
    with services.transaction() as db:
        ended = db.scalars(_ENDED.limit(AT_ONCE)).all()
        for occurrence in ended:
            _settle(db, occurrence, now)
        rows.end_what_is_over(db, [one.routine_id for one in ended])


def follow_delivery(db: Session, turn_id: int | None, why_lost: str | None) -> None:
    """The carrier has said that a routine's text has arrived; or is lost, and why."""
    theirs = Occurrence.turn_id == turn_id
    if why_lost is None:
        move(db, Occurrence, "delivered", theirs, Occurrence.state != "missed")
    else:
        move(db, Occurrence, "missed", theirs, reason=why_lost)
    # The carrier may say so before `settle_sent` has looked, which then finds nothing on its way any more.
    rows.end_what_is_over(db, db.scalars(select(Occurrence.routine_id).where(theirs)).all())


def come_again(db: Session, turn_id: int | None, reason: str, now: datetime) -> None:
    """What its turn said has not reached its person, who may have it yet: it is looked at anew."""
    unheard = (Occurrence.turn_id == turn_id, Occurrence.state.in_(("running", "sent", "late")))
    routines = list(db.scalars(select(Occurrence.routine_id).where(*unheard)))
    move(db, Occurrence, "due", *unheard, run_at=now, turn_id=None, said_at=None, reason=reason)
    move(db, Routine, "active", Routine.id.in_(routines), Routine.state == "ended")


def _settle(db: Session, occurrence: Occurrence, now: datetime) -> None:
    this = Occurrence.id == occurrence.id
    texts = db.scalars(select(Message).where(Message.turn_id == occurrence.turn_id, Message.direction == "out")).all()
    if any(text.state == "sent" for text in texts):
        is_late = occurrence.late_seconds >= SAYS_SO_AFTER.total_seconds()
        why = f"It came {occurrence.late_seconds // 60} minutes late." if is_late else None
        move(db, Occurrence, "late" if is_late else "sent", this, reason=why)
    elif not any(text.state in ON_ITS_WAY for text in texts):
        _settle_refused(db, occurrence, texts, now)


def _settle_refused(db: Session, occurrence: Occurrence, texts: Sequence[Message], now: datetime) -> None:
    this = Occurrence.id == occurrence.id
    why = next((text.note for text in texts if text.note), "Its text was not sent.")
    person, routine = db.get_one(Person, occurrence.person_id), db.get_one(Routine, occurrence.routine_id)
    if person.access != "allowed" or person.opted_out_at or person.unreachable:
        move(db, Occurrence, "skipped", this, reason=why)
    elif rows.comes_once(routine) and texts and not any(text.attempts for text in texts):
        # No carrier was ever asked: what was to come once is not lost without a word.
        move(db, Occurrence, "due", this, run_at=now, turn_id=None, reason=why)
    else:
        move(db, Occurrence, "missed", this, reason=why)
