"""Routines, rows in and out: found, told when they come next, and stopped with all that is on its way."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, bindparam, exists, select
from sqlalchemy.orm import Session

from app.models import Message, Occurrence, Person, Routine, Turn
from app.models.routine import STANDING
from app.models.states import move
from app.routines.due import due_after, due_between
from app.routines.schedule import Schedule

LARGEST_NUMBER = 2**63 - 1  # SQLite takes no larger integer; the model may well make one up.
UNSAID = ("due", "held", "running")
"""States of an occurrence that has said nothing yet."""

_PROPOSED = (  # Made once: every turn asks.
    select(Routine)
    .where(Routine.person_id == bindparam("person"), Routine.state == "proposed")
    .order_by(Routine.number)
)


def standing(db: Session, person_id: int) -> list[Routine]:
    """Those of the person that may come again, by number."""
    theirs = select(Routine).where(Routine.person_id == person_id, Routine.state.in_(STANDING))
    return list(db.scalars(theirs.order_by(Routine.number)))


def proposed(db: Session, person_id: int) -> list[Routine]:
    """Those that wait for the person's yes."""
    return list(db.scalars(_PROPOSED, {"person": person_id}))


def all_of(db: Session, person_id: int) -> list[Routine]:
    return list(db.scalars(select(Routine).where(Routine.person_id == person_id).order_by(Routine.number)))


def by_number(db: Session, person_id: int, number: int) -> Routine | None:
    if not 0 < number <= LARGEST_NUMBER:
        return None
    found = select(Routine).where(Routine.person_id == person_id, Routine.number == number)
    return db.scalars(found).one_or_none()


def schedule_of(routine: Routine) -> Schedule:
    return Schedule.from_dict(routine.schedule)


def zone_of(db: Session, routine: Routine) -> str:
    """In which its times are meant: its own, or its person's."""
    return routine.zone or db.get_one(Person, routine.person_id).timezone


def comes_once(routine: Routine) -> bool:
    return bool(routine.schedule["repeat"] == "once")


def work_out_next(db: Session, routine: Routine, now: datetime) -> datetime | None:
    """Set when it comes next, after `now`; None when it comes no more."""
    routine.next_due_at = due_after(schedule_of(routine), zone_of(db, routine), now)
    return routine.next_due_at


def follow_person(db: Session, person_id: int, now: datetime) -> None:
    """The person's zone is another now: what travels with them comes by the clocks where they are."""
    for routine in standing(db, person_id):
        if routine.zone is None and routine.next_due_at is not None:
            work_out_next(db, routine, now)


def as_it_is(db: Session, routine: Routine) -> Routine:
    """The routine with what its steps have made of it, to be used after the transaction."""
    db.flush()
    db.refresh(routine)
    return routine


def occurrences(db: Session, routine_id: int, limit: int) -> Sequence[Occurrence]:
    """Its last occurrences, the newest first."""
    newest = select(Occurrence).where(Occurrence.routine_id == routine_id).order_by(Occurrence.due_at.desc())
    return db.scalars(newest.limit(limit)).all()


def unsaid(db: Session, routine_id: int) -> Sequence[Occurrence]:
    """Its occurrences that are to come, or on their way."""
    on_way = (Occurrence.routine_id == routine_id, Occurrence.state.in_(UNSAID))
    return db.scalars(select(Occurrence).where(*on_way).order_by(Occurrence.due_at)).all()


def has_come_since(db: Session, occurrence: Occurrence) -> bool:
    """Whether its routine was due once more after it."""
    later = (Occurrence.routine_id == occurrence.routine_id, Occurrence.due_at > occurrence.due_at)
    return db.scalar(select(exists().where(*later))) or False


def drop_unsaid(db: Session, to: str, reason: str, now: datetime, *which: ColumnElement[bool]) -> int:
    """Have occurrences that have said nothing yet say nothing: what waits, runs or is queued. How many there were."""
    turns = select(Occurrence.turn_id).where(*which, Occurrence.state == "running", Occurrence.turn_id.is_not(None))
    running = list(db.scalars(turns))
    dropped = move(db, Occurrence, to, *which, Occurrence.state.in_(UNSAID), reason=reason)
    if running:
        # Whoever carries one out finds itself overtaken, and has nothing to send.
        move(db, Turn, "done", Turn.id.in_(running), outcome=to, ended_at=now)
        move(db, Message, "refused", Message.turn_id.in_(running), Message.state == "queued", note=reason)
    return dropped


def have_wait_for_yes(db: Session, person_id: int, reason: str, now: datetime) -> None:
    """None of the person's routines comes again before they say so."""
    drop_unsaid(db, "skipped", reason, now, Occurrence.person_id == person_id)
    move(db, Routine, "proposed", Routine.person_id == person_id, Routine.state == "active")


def end_passed(db: Session, person_id: int, since: datetime, now: datetime) -> list[tuple[Routine, datetime]]:
    """End what waits for a yes and was to come once between the two instants; each with the last one of its own.

    What somebody else's words had proposed was never to come, and is not among them.
    """
    found = []
    for routine in proposed(db, person_id):
        schedule, zone = schedule_of(routine), zone_of(db, routine)
        if comes_once(routine) and routine.source != "inferred" and due_after(schedule, zone, now) is None:
            found += [(routine, at) for at in list(due_between(schedule, zone, since, now))[-1:]]
    move(db, Routine, "ended", Routine.id.in_([routine.id for routine, _ in found]))
    return found


def end_what_is_over(db: Session, routine_ids: Sequence[int]) -> None:
    """Those of them end of which nothing is to come and nothing is on its way."""
    to_come = exists().where(Occurrence.routine_id == Routine.id, Occurrence.state.in_(UNSAID))
    over = (Routine.id.in_(routine_ids), Routine.state == "active", Routine.next_due_at.is_(None), ~to_come)
    move(db, Routine, "ended", *over)
