"""Suggestions, rows in and out: what may be suggested to whom, what was, and what became of it."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import bindparam, exists, func, select
from sqlalchemy.orm import Session

from app.features.habits.habits import Habit, Known, holds
from app.memory import rules
from app.memory.rules import spoken
from app.models import Message, Person, Routine, Suggestion
from app.models.states import move
from app.models.suggestion import OPEN, WAITING
from app.routines import rows
from app.routines.suggestions import drop, of, schedule_of
from app.services import Services

ONE_IN = timedelta(days=7)
"""At most one suggestion; so long, too, its answer is waited for."""
SILENT_FOR = timedelta(weeks=8)
"""What got no answer is not suggested again before: a habit that lasts as long is worth a second question."""
STALE = timedelta(days=3)
"""A suggestion that could not be said for so long is dropped: what still repeats is found anew."""
AT_ONCE = 500

NOT_ARRIVED = "Its text did not reach the person."
_OPEN_OF = select(Suggestion).where(OPEN, Suggestion.person_id == bindparam("person"))  # Made once: every turn asks.
_ARRIVED = exists().where(Message.turn_id == Suggestion.turn_id, Message.state != "refused").correlate(Suggestion)


def open_of(db: Session, person_id: int) -> Suggestion | None:
    """The one that waits to be said, or for its answer."""
    return db.scalars(_OPEN_OF, {"person": person_id}).one_or_none()


def answered_by(db: Session, person_id: int, message_ids: Collection[int]) -> Suggestion | None:
    """The one to which one of these texts said yes or no."""
    theirs = (Suggestion.person_id == person_id, Suggestion.answer_message_id.in_(message_ids))
    return db.scalars(select(Suggestion).where(*theirs).limit(1)).one_or_none()


def due_of(db: Session, person_id: int, now: datetime) -> Suggestion | None:
    """The one that is to be looked at now whether it may be said."""
    due = select(Suggestion).where(WAITING, Suggestion.person_id == person_id, Suggestion.run_at <= now)
    return db.scalars(due).one_or_none()


def people_to_wake(db: Session, now: datetime) -> Sequence[int]:
    """People with a suggestion that is to be looked at now, the longest wait first."""
    due = select(Suggestion.person_id).where(WAITING, Suggestion.run_at <= now).order_by(Suggestion.run_at)
    return db.scalars(due.limit(AT_ONCE)).all()


def are_wanted(db: Session, person: Person, now: datetime) -> bool:
    """Whether something may be suggested to the person at all, and it is time for it."""
    if person.access != "allowed" or person.opted_out_at is not None or person.paused_at is not None:
        return False
    if open_of(db, person.id) is not None:
        return False
    last = select(func.max(Suggestion.said_at)).where(Suggestion.person_id == person.id, Suggestion.state != "dropped")
    said_at = db.scalar(last)
    return said_at is None or not now - ONE_IN < said_at <= now


def known(db: Session, person_id: int, now: datetime) -> list[Known]:
    """What is not to be suggested to the person: what they have or had, and what they were asked about."""
    found = held(db, person_id)
    for one in of(db, person_id):
        is_over = one.state == "dropped" or (one.state == "silent" and not _is_within(one.said_at, SILENT_FOR, now))
        if not is_over:
            found.append(_known(one, lately=_is_within(one.said_at or one.created_at, SILENT_FOR, now)))
    return found


def held(db: Session, person_id: int) -> list[Known]:
    """The routines that the person has or had, and the rules that they have."""
    routines = [one for one in rows.all_of(db, person_id) if not rows.comes_once(one)]
    found = [Known("routine", one.words, schedule=rows.schedule_of(one)) for one in routines]
    return found + [Known("rule", spoken(one)) for one in rules.live(db, person_id)]


def add(db: Session, person_id: int, habit: Habit, now: datetime) -> Suggestion:
    suggestion = Suggestion(
        person_id=person_id,
        kind=habit.kind,
        words=habit.words,
        message_id=habit.message_id,
        times=habit.times,
        schedule=None if habit.schedule is None else habit.schedule.as_dict(),
        procedure=habit.procedure or None,
        manner=habit.key or None,
        state="waiting",
        run_at=now,
        created_at=now,
    )
    db.add(suggestion)
    db.flush()
    return suggestion


def settle(services: Services) -> None:
    """What got no answer in time was met with silence."""
    now = services.clock.now()
    over = (OPEN, Suggestion.state == "said", Suggestion.said_at <= now - ONE_IN)
    with services.reading() as db:  # Mostly there is none, and a look costs no writer's turn.
        if db.scalar(select(Suggestion.id).where(*over).limit(1)) is None:
            return
    with services.transaction() as db:
        drop(db, NOT_ARRIVED, *over, ~_ARRIVED)
        move(db, Suggestion, "silent", *over)


def settle_of(services: Services, person_id: int) -> None:
    """The person's own, where it did not reach them, or they had it set up in other words than a plain yes."""
    with services.reading() as db:
        said = open_of(db, person_id)
        if said is None or said.state != "said":
            return
        arrived = db.scalar(select(_ARRIVED).where(Suggestion.id == said.id))
        made = _made_otherwise(db, said)
    if arrived and made is None:
        return
    with services.transaction() as db:
        if not arrived:
            drop(db, NOT_ARRIVED, Suggestion.id == said.id)
        else:
            values = {"answered_at": services.clock.now(), "made_number": made}
            move(db, Suggestion, "accepted", Suggestion.id == said.id, **values)


def _known(one: Suggestion, *, lately: bool) -> Known:
    if one.schedule is None:
        return Known("rule", one.procedure or "", one.manner or "")
    return Known("routine", one.words, schedule=schedule_of(one), was_asked=lately)


def _made_otherwise(db: Session, said: Suggestion) -> int | None:
    """The number of the routine or rule that the person had made of it in other words than a plain yes."""
    habit = as_habit(said)
    if said.kind == "routine":
        theirs = (Routine.person_id == said.person_id, Routine.created_at >= said.said_at)
        for one in db.scalars(select(Routine).where(*theirs, Routine.state == "active")):
            if not rows.comes_once(one) and holds(Known("routine", one.words, schedule=rows.schedule_of(one)), habit):
                return one.number
        return None
    for rule in rules.live(db, said.person_id):
        is_new = said.said_at is not None and rule.recorded_at >= said.said_at and rule.state == "active"
        if is_new and holds(Known("rule", spoken(rule)), habit):
            return rule.number
    return None


def as_habit(one: Suggestion) -> Habit:
    """What repeats, as it was found."""
    schedule = schedule_of(one) if one.schedule is not None else None
    kind: Literal["routine", "rule"] = "routine" if one.kind == "routine" else "rule"
    return Habit(kind, one.words, one.message_id, one.times, schedule, one.procedure or "", one.manner or "")


def _is_within(at: datetime | None, span: timedelta, now: datetime) -> bool:
    return at is not None and now - span < at
