"""Occurrences, from the instant at which they are due to their final state.

The rows are the truth, and the tick only reads them. A routine stores the next instant at which it comes. When that has
come, one transaction adds the occurrence, under a unique key, and computes the next instant. The final state of an
occurrence with a text follows from the state of that text.
"""

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from sqlalchemy import delete, exists, select, update
from sqlalchemy.orm import Session

from app.clock import seconds_between
from app.errors import Refused
from app.models import Message, Occurrence, Person, Routine, Turn, marks, move
from app.operations.alerts import raise_alert
from app.routines import rows
from app.routines.described import MISSED_KEPT, due_when
from app.routines.schedule import due_after, due_between
from app.routines.setting import ALL_PAUSED
from app.services import Services
from app.store.dialect import insert_or_ignore
from app.store.faultpoints import reach

BEGUN_AT_ONCE = 200  # Routines per transaction: an incoming text waits about a tenth of a second for it.
MOST_BATCHES = 50  # Per tick, so that it ends; the tick of the next second continues with the rest.
AT_ONCE = 500
LOOKED_BACK = timedelta(days=31)
APART = {"remind": timedelta(seconds=0.01), "run": timedelta(seconds=0.2)}
"""Gap between two people whose routines are due at once: a reminder costs a row, a run costs a call of the model."""
SAYS_SO_AFTER = timedelta(minutes=3)  # Nobody minds a shorter delay, and the queue of those due at once takes as long.
STEP = timedelta(seconds=1)
ON_A_PAGE = 50
STATES = ("due", "held", "running", "sent", "late", "delivered", "missed", "skipped", "cancelled")
MARK = "routines_begun"  # The time at which routines last began; if it is later than now, the clock was set back.

_DUE = select(Routine, Person).join(Person, Person.id == Routine.person_id).where(Routine.TO_COME)
_DUE = _DUE.order_by(Routine.next_due_at).limit(BEGUN_AT_ONCE)
_ON_ITS_WAY = exists().where(Message.turn_id == Occurrence.turn_id, Message.state.in_(("queued", "sending", "unknown")))
_ENDED = select(Occurrence).join(Turn, Turn.id == Occurrence.turn_id)
_ENDED = _ENDED.where(Occurrence.RUNNING, Turn.state == "done", ~_ON_ITS_WAY)


def begin_due(services: Services) -> int:
    """Begin an occurrence for each routine that is due; their number. Nearly always 0, at the cost of an index read."""
    now = services.clock.now()
    with services.reading() as db:
        mark = marks.read(db, MARK)
        was_set_back = mark is not None and mark.at > now + STEP
        if not was_set_back and not db.scalar(select(exists().where(Routine.TO_COME, Routine.next_due_at <= now))):
            return 0
    if was_set_back:
        with services.transaction() as db:
            _after_step_back(db, now)
    line = _Queue(now)
    begun = 0
    for _ in range(MOST_BATCHES):
        with services.transaction() as db:
            batch = [(routine, person) for routine, person in db.execute(_DUE.where(Routine.next_due_at <= now))]
            if not batch:
                break
            _begin(db, batch, line, now)
            marks.put(db, MARK, now)
        reach("routines.begun")
        begun += len(batch)
    return begun


def people_to_wake(db: Session, now: datetime) -> Sequence[int]:
    """People with an occurrence that is due now, the longest wait first."""
    due = select(Occurrence.person_id).where(Occurrence.OPEN, Occurrence.run_at <= now).order_by(Occurrence.run_at)
    return list(dict.fromkeys(db.scalars(due.limit(AT_ONCE))))


class _Queue:
    """The queue of routines that are due at once; all of one person's have the same place."""

    def __init__(self, now: datetime) -> None:
        self._end = now
        self._places: dict[int, datetime] = {}

    def place(self, routine: Routine) -> datetime:
        if routine.person_id not in self._places:
            self._places[routine.person_id] = self._end
            self._end += APART[routine.does]
        return self._places[routine.person_id]


def _begin(db: Session, due: Sequence[tuple[Routine, Person]], line: _Queue, now: datetime) -> None:
    found: list[dict[str, Any]] = []
    for routine, person in due:
        try:
            found += _occurrences(routine, person, line.place(routine), now)
        except (Refused, ValueError, KeyError) as error:  # Its zone is no longer known here, or its row is damaged.
            move(db, Routine, "paused", Routine.id == routine.id, next_due_at=None)
            raise_alert(db, "routines", f"Routine {routine.id} cannot be worked out and was paused: {error}", now)
    if found:
        db.execute(insert_or_ignore(db, Occurrence, "routine_id", "due_at"), found)
    rows.end_finished(db, [routine.id for routine, _ in due])


def _occurrences(routine: Routine, person: Person, run_at: datetime, now: datetime) -> Iterator[dict[str, Any]]:
    """Rows for the instants that have come: the last is due, earlier ones are missed, those in a pause are skipped."""
    schedule, zone, first = rows.schedule_of(routine), routine.zone or person.timezone, routine.next_due_at
    assert first is not None  # noqa: S101  (for the type checker: the query asks for it)
    passed = deque([first], maxlen=MISSED_KEPT + 1)
    passed.extend(due_between(schedule, zone, max(first, now - LOOKED_BACK), now))
    routine.next_due_at = due_after(schedule, zone, max(now, first))
    for due_at in passed:
        state, reason = ("due", None) if due_at == passed[-1] else ("missed", "Keepsake was not running at the time.")
        if person.paused_until is not None and due_at < person.paused_until:  # The pause may have just ended.
            state, reason = "skipped", ALL_PAUSED
        of = {"routine_id": routine.id, "person_id": routine.person_id}
        yield {**of, "due_at": due_at, "run_at": run_at, "state": state, "reason": reason}


def _after_step_back(db: Session, now: datetime) -> None:
    """After the clock was set back, remove unsaid occurrences of the repeated time; they come then, and none twice."""
    ahead = list(db.scalars(select(Occurrence.routine_id).where(Occurrence.due_at > now).distinct()))
    # What was put off was said before, and comes again at the instant that the person named.
    unsaid = (Occurrence.due_at > now, Occurrence.state.in_(("due", "held", "missed")), Occurrence.snoozed_to.is_(None))
    db.execute(delete(Occurrence).where(*unsaid))
    for routine in db.scalars(select(Routine).where(Routine.id.in_(ahead), Routine.state.in_(("active", "ended")))):
        if rows.schedule_next(db, routine, now) is not None:
            move(db, Routine, "active", Routine.id == routine.id)
    waiting = update(Occurrence).where(Occurrence.OPEN, Occurrence.run_at > now, Occurrence.snoozed_to.is_(None))
    db.execute(waiting.values(run_at=now))
    marks.put(db, MARK, now)


@dataclass(frozen=True)
class DueRoutine:
    """One occurrence of a routine, as a lane carries it out."""

    occurrence_id: int
    number: int
    words: str
    wanted_at: datetime  # The instant at which it was due, or to which it was snoozed.
    is_late: bool

    @classmethod
    def of(cls, occurrence: Occurrence, routine: Routine, now: datetime) -> "DueRoutine":
        wanted_at = occurrence.wanted_at
        return cls(occurrence.id, routine.number, routine.words, wanted_at, now - wanted_at >= SAYS_SO_AFTER)

    def late_note(self, zone: str, now: datetime) -> str:
        """The note at the end of a late text; empty for a text in time."""
        return f" (Late: this was due {due_when(self.wanted_at, zone, now)}.)" if self.is_late else ""


def routine_of_turn(db: Session, turn_id: int, now: datetime) -> DueRoutine | None:
    """The routine that this turn carries out; None for a turn that answers texts."""
    occurrence = db.scalars(select(Occurrence).where(Occurrence.turn_id == turn_id)).first()
    if occurrence is None:
        return None
    return DueRoutine.of(occurrence, db.get_one(Routine, occurrence.routine_id), now)


def numbers_of(db: Session, turn_ids: Collection[int]) -> dict[int | None, str]:
    """Numbers of the routines that spoke in each of these turns, such as `2, 5`."""
    spoke = select(Occurrence.turn_id, Routine.number).join(Routine, Routine.id == Occurrence.routine_id)
    found: dict[int | None, list[str]] = {}
    for turn_id, number in db.execute(spoke.where(Occurrence.turn_id.in_(turn_ids)).order_by(Routine.number)):
        found.setdefault(turn_id, []).append(str(number))
    return {turn_id: ", ".join(numbers) for turn_id, numbers in found.items()}


def note_said(db: Session, due: DueRoutine, now: datetime) -> None:
    """Note that its text was queued, in the same transaction."""
    occurrence = db.get_one(Occurrence, due.occurrence_id)
    occurrence.said_at, occurrence.late_seconds = now, max(0, int((now - due.wanted_at).total_seconds()))


def passed_before(db: Session, occurrence: Occurrence) -> int:
    """Number of occurrences in a row just before this one of which the person heard nothing."""
    theirs = (Occurrence.routine_id == occurrence.routine_id, Occurrence.due_at < occurrence.due_at)
    states = select(Occurrence.state, Occurrence.turn_id).where(*theirs).order_by(Occurrence.due_at.desc())
    unheard = takewhile(lambda one: one.state == "missed" and one.turn_id is None, db.execute(states.limit(AT_ONCE)))
    return len(list(unheard))


def settle_sent(services: Services) -> None:
    """Settle occurrences whose turn has ended, by what became of their texts: sent, refused or lost."""
    now = services.clock.now()
    if not (services.finds(select(Occurrence.id).where(Occurrence.RUNNING)) and services.finds(_ENDED)):
        return
    with services.transaction() as db:
        ended = db.scalars(_ENDED.limit(AT_ONCE)).all()
        for occurrence in ended:
            _settle(db, occurrence, now)
        rows.end_finished(db, [one.routine_id for one in ended])


def follow_delivery(db: Session, turn_id: int | None, why_lost: str | None) -> None:
    """Note the carrier's report that a routine's text has arrived, or that it was lost and why."""
    theirs = Occurrence.turn_id == turn_id
    if why_lost is None:
        tells_of_missed = exists().where(Turn.id == turn_id, Turn.outcome == "missed")
        move(db, Occurrence, "delivered", theirs, Occurrence.state != "missed", ~tells_of_missed)
    else:
        move(db, Occurrence, "missed", theirs, reason=why_lost)
    # The report may come before `settle_sent` runs, which then finds nothing on its way and ends no routine.
    rows.end_finished(db, db.scalars(select(Occurrence.routine_id).where(theirs)).all())


def make_due_again(db: Session, turn_id: int | None, reason: str, now: datetime) -> None:
    """Make the turn's occurrences due again, as their text did not reach the person but may still be sent."""
    unheard = (Occurrence.turn_id == turn_id, Occurrence.state.in_(("running", "sent", "late")))
    routines = list(db.scalars(select(Occurrence.routine_id).where(*unheard)))
    move(db, Occurrence, "due", *unheard, run_at=now, turn_id=None, said_at=None, reason=reason)
    move(db, Routine, "active", Routine.id.in_(routines), Routine.state == "ended")


def _settle(db: Session, occurrence: Occurrence, now: datetime) -> None:
    this = Occurrence.id == occurrence.id
    texts = db.scalars(select(Message).where(Message.turn_id == occurrence.turn_id, Message.direction == "out")).all()
    if any(text.state == "sent" for text in texts):
        if db.get_one(Turn, occurrence.turn_id).outcome == "missed":
            move(db, Occurrence, "missed", this, reason="It was too late to be of use; the person was told.")
            return
        is_late = occurrence.late_seconds >= SAYS_SO_AFTER.total_seconds()
        why = f"It came {occurrence.late_seconds // 60} minutes late." if is_late else None
        move(db, Occurrence, "late" if is_late else "sent", this, reason=why)
        return
    refused = next((text.note for text in texts if text.note), "Its text was not sent.")
    person, routine = db.get_one(Person, occurrence.person_id), db.get_one(Routine, occurrence.routine_id)
    if person.access != "allowed" or person.opted_out_at or person.unreachable:
        move(db, Occurrence, "skipped", this, reason=refused)
    elif rows.comes_once(routine) and texts and not any(text.leased_until for text in texts):
        # No carrier has ever had it, so a single reminder is tried again instead of getting lost.
        move(db, Occurrence, "due", this, run_at=now, turn_id=None, reason=refused)
    else:
        move(db, Occurrence, "missed", this, reason=refused)


@dataclass(frozen=True)
class Past:
    """One occurrence with the state of its text."""

    occurrence: Occurrence
    routine: Routine
    person: Person
    sent_at: datetime | None  # The time at which the carrier accepted the first part of its text.
    delivery: str | None  # The carrier's last word on the last part: `delivered`, `undelivered` …

    @property
    def late_seconds(self) -> float | None:
        """Seconds from the wanted instant until the carrier accepted it; None if it was not sent."""
        return None if self.sent_at is None else max(0.0, seconds_between(self.occurrence.wanted_at, self.sent_at))


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
    """A page of occurrences, newest first, filtered by person, routine, state and ids below `before`."""
    of = {Occurrence.person_id: person_id, Occurrence.routine_id: routine_id, Occurrence.state: state}
    wanted = select(Occurrence, Routine, Person).join(Routine, Routine.id == Occurrence.routine_id)
    wanted = wanted.join(Person, Person.id == Occurrence.person_id).order_by(Occurrence.id.desc())
    wanted = wanted.where(*(column == value for column, value in of.items() if value is not None))
    if before is not None:
        wanted = wanted.where(Occurrence.id < before)
    found = db.execute(wanted.limit(limit + 1)).all()
    shown = found[:limit]
    texts = _texts(db, {one.turn_id for one, _, _ in shown} - {None})
    page = [Past(one, routine, person, *texts.get(one.turn_id, (None, None))) for one, routine, person in shown]
    return HistoryPage(page, shown[-1][0].id if len(found) > limit else None)


def _texts(db: Session, turn_ids: Collection[int | None]) -> dict[int | None, tuple[datetime | None, str | None]]:
    """By turn: the time at which its first text was sent, and the carrier's last report on its last text."""
    wanted = select(Message.turn_id, Message.sent_at, Message.delivery)
    wanted = wanted.where(Message.turn_id.in_(turn_ids), Message.direction == "out").order_by(Message.id)
    texts: dict[int | None, tuple[datetime | None, str | None]] = {}
    for turn_id, sent_at, delivery in db.execute(wanted) if turn_ids else ():
        first, _ = texts.get(turn_id, (None, None))
        texts[turn_id] = (first or sent_at, delivery)
    return texts
