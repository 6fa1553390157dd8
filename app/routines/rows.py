"""Rows of routines: finds, describes and changes them with a record, and stops occurrences that are on their way."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, bindparam, exists, select
from sqlalchemy.orm import Session

from app.clock import MOMENT, end_of_day
from app.errors import NotFound
from app.memory.changes import LARGEST_NUMBER, Origin, record
from app.models import ChangeItem, Message, Occurrence, Person, Routine, Turn, move
from app.routines.described import describe
from app.routines.schedule import Schedule, due_after, due_between

MOST_OF_ONE = 100  # Times of one routine: four days of an hourly one.
CANCELLED = "The routine was cancelled."
OPEN_STATES = ("due", "held", "running")  # States of an occurrence that has said nothing yet.

_PROPOSED = (  # Built once: every turn runs it.
    select(Routine)
    .where(Routine.person_id == bindparam("person"), Routine.state == "proposed")
    .order_by(Routine.number)
)
STATES = {"active": "", "paused": ", paused", "proposed": ", waiting for your yes"}


def standing(db: Session, person_id: int) -> list[Routine]:
    """The person's routines that may come again, by number."""
    theirs = select(Routine).where(Routine.person_id == person_id, Routine.state.in_(Routine.STANDING))
    return list(db.scalars(theirs.order_by(Routine.number)))


def proposed(db: Session, person_id: int) -> list[Routine]:
    """Routines that wait for the person's yes, by number."""
    return list(db.scalars(_PROPOSED, {"person": person_id}))


def all_of(db: Session, person_id: int) -> list[Routine]:
    return list(db.scalars(select(Routine).where(Routine.person_id == person_id).order_by(Routine.number)))


def by_number(db: Session, person_id: int, number: int) -> Routine | None:
    if not 0 < number <= LARGEST_NUMBER:
        return None
    found = select(Routine).where(Routine.person_id == person_id, Routine.number == number)
    return db.scalars(found).one_or_none()


def known(db: Session, person_id: int, number: int, *, is_over: Collection[str]) -> Routine:
    """The routine of that number, if its state is not one of `is_over`.

    Raises:
        NotFound: there is no such routine.
    """
    routine = by_number(db, person_id, number)
    if routine is None or routine.state in is_over:
        raise NotFound(f"There is no routine or reminder {number}. List them to see the numbers.")
    return routine


def schedule_of(routine: Routine) -> Schedule:
    return Schedule.from_dict(routine.schedule)


def zone_of(db: Session, routine: Routine) -> str:
    """The zone of its times: its own, or its person's."""
    return routine.zone or db.get_one(Person, routine.person_id).timezone


def comes_once(routine: Routine) -> bool:
    return bool(routine.schedule["repeat"] == "once")


def described(db: Session, routine: Routine, now: datetime | None = None) -> str:
    """The schedule in words: `daily at 08:00`."""
    return describe(schedule_of(routine), zone_of(db, routine), now)


def spoken(db: Session, routine: Routine, now: datetime | None = None) -> str:
    """The routine in a few words: `take the bread out, daily at 08:00`."""
    return f"{routine.words}, {described(db, routine, now)}"


def coming_on_days(
    db: Session, person: Person, first: date, last: date, now: datetime
) -> list[tuple[datetime, Routine]]:
    """Instants from now on at which active routines come on those days of the person's own, in order."""
    begins = end_of_day(first - timedelta(days=1), person.timezone) - MOMENT
    until = end_of_day(last, person.timezone) - MOMENT
    found: list[tuple[datetime, Routine]] = []
    for routine in standing(db, person.id):
        if routine.state == "active":
            times = due_between(schedule_of(routine), zone_of(db, routine), max(now, begins), until)
            found += [(at, routine) for at in islice(times, MOST_OF_ONE)]
            found += [(at, routine) for at in put_off(db, routine) if begins < at <= until]
    return sorted(found, key=lambda one: (one[0], one[1].number))


def occurrences(db: Session, routine_id: int, limit: int) -> Sequence[Occurrence]:
    """The routine's last occurrences, the newest first."""
    newest = select(Occurrence).where(Occurrence.routine_id == routine_id).order_by(Occurrence.due_at.desc())
    return db.scalars(newest.limit(limit)).all()


def open_occurrences(db: Session, routine_id: int) -> Sequence[Occurrence]:
    """The routine's occurrences that are pending or on their way, the oldest first."""
    on_way = (Occurrence.routine_id == routine_id, Occurrence.state.in_(OPEN_STATES))
    return db.scalars(select(Occurrence).where(*on_way).order_by(Occurrence.due_at)).all()


def put_off(db: Session, routine: Routine) -> list[datetime]:
    """The instants to which its person has put it off, or until which quiet hours hold it."""
    there = [one for one in open_occurrences(db, routine.id) if one.state != "running"]
    return [one.run_at for one in there if one.snoozed_to or one.state == "held"]


def schedule_next(db: Session, routine: Routine, now: datetime) -> datetime | None:
    """Set the next instant at which it comes after `now`, and return it; None if it comes no more."""
    routine.next_due_at = due_after(schedule_of(routine), zone_of(db, routine), now)
    return routine.next_due_at


def follow_person(db: Session, person_id: int, now: datetime, *, with_held: bool = True) -> None:
    """Reschedule what travels with the person and recheck what is held, as their zone or quiet hours have changed."""
    for routine in standing(db, person_id):
        before = routine.next_due_at
        # One that is due is about to begin. Where an hour has passed by the new clock, it comes when it was to come.
        if routine.zone is None and before and (before <= now or schedule_next(db, routine, now) is None):
            routine.next_due_at = before
            if comes_once(routine):
                routine.schedule = Schedule("once", instant=before).as_dict()
    if with_held and db.get_one(Person, person_id).paused_at is None:  # Else, or if the routine is stopped, it waits.
        active = select(Routine.id).where(Routine.person_id == person_id, Routine.state == "active")
        move(db, Occurrence, "due", Occurrence.routine_id.in_(active), Occurrence.state == "held", run_at=now)


def reload(db: Session, routine: Routine) -> Routine:
    """The routine reloaded with all changes, for use after the transaction."""
    db.flush()
    db.refresh(routine)
    return routine


def drop_open(db: Session, to: str, reason: str, now: datetime, *which: ColumnElement[bool]) -> None:
    """Move occurrences that have said nothing yet to the state `to`, ending their turns and dropping queued texts."""
    turns = select(Occurrence.turn_id).where(*which, Occurrence.state == "running", Occurrence.turn_id.is_not(None))
    running = list(db.scalars(turns))
    move(db, Occurrence, to, *which, Occurrence.state.in_(OPEN_STATES), reason=reason)
    tells_of_others = select(Occurrence.turn_id).where(Occurrence.RUNNING, Occurrence.turn_id.in_(running))
    if running := [turn for turn in running if turn not in db.scalars(tells_of_others).all()]:
        # A process that is carrying one out finds itself overtaken, and sends nothing.
        move(db, Turn, "done", Turn.id.in_(running), outcome=to, ended_at=now)
        move(db, Message, "refused", Message.turn_id.in_(running), Message.state == "queued", note=reason)


def make_wait_for_yes(db: Session, person_id: int, reason: str, now: datetime) -> None:
    """Make all of the person's active routines wait for their yes; what was put off may still come after it."""
    drop_open(db, "skipped", reason, now, Occurrence.person_id == person_id, Occurrence.run_at <= now)
    move(db, Routine, "proposed", Routine.person_id == person_id, Routine.state == "active")


def end_passed(db: Session, person_id: int, since: datetime, now: datetime) -> list[tuple[Routine, datetime]]:
    """End single reminders that wait for a yes and were due between the two instants; each with its last due instant.

    Those proposed because of somebody else's words were never going to come, and are left as they are.
    """
    found = []
    for routine in proposed(db, person_id):
        schedule, zone = schedule_of(routine), zone_of(db, routine)
        if comes_once(routine) and routine.source != "inferred" and due_after(schedule, zone, now) is None:
            put_off = (one.run_at for one in occurrences(db, routine.id, 1) if one.run_at > since)
            found += [(routine, at) for at in [*due_between(schedule, zone, since, now), *put_off][-1:] if at <= now]
    move(db, Routine, "ended", Routine.id.in_([routine.id for routine, _ in found]))
    return found


def end_finished(db: Session, routine_ids: Sequence[int]) -> None:
    """End those of the routines that have no next instant and nothing on its way."""
    to_come = exists().where(Occurrence.routine_id == Routine.id, Occurrence.state.in_(OPEN_STATES))
    over = (Routine.id.in_(routine_ids), Routine.state == "active", Routine.next_due_at.is_(None), ~to_come)
    move(db, Routine, "ended", *over)


def set_fields(db: Session, routine: Routine, values: Mapping[str, Any]) -> list[ChangeItem]:
    """Set fields of a routine; returns the changes with the former values, for the record."""
    items = []
    for field, value in values.items():
        before = getattr(routine, field)
        if before != value:
            items.append(changed(routine, field, before, value))
            _set(db, routine, field, value)
    return items


def revise(db: Session, routine: Routine, values: Mapping[str, Any], origin: Origin, now: datetime) -> list[ChangeItem]:
    """Set fields of a routine, and record those that change."""
    items = set_fields(db, routine, values)
    record(db, routine.person_id, "revise", origin, now, items)
    return items


def changed(routine: Routine, field: str, before: Any, after: Any) -> ChangeItem:
    """One change for the record; for a new routine only the state is recorded, with None before."""
    return ChangeItem(routine_id=routine.id, field=field, before=json.dumps(before), after=json.dumps(after))


def undo_item(db: Session, item: ChangeItem, now: datetime) -> None:
    """Undo one item, and schedule the routine by its restored values."""
    routine = db.get_one(Routine, item.routine_id)
    before, was_to_come = json.loads(item.before or "null"), routine.state == "active" and routine.next_due_at
    _set(db, routine, str(item.field), "cancelled" if before is None and item.field == "state" else before)
    db.flush()
    theirs = Occurrence.routine_id == routine.id
    move(db, Occurrence, "due", theirs, Occurrence.reason == CANCELLED, Occurrence.run_at > now, reason=None)
    if routine.state == "active":
        # One that is due is about to begin, unless it was due by what is taken back.
        schedule_next(db, routine, min(now, was_to_come - MOMENT) if was_to_come else now)
        end_finished(db, [routine.id])
    else:
        drop_open(db, "cancelled", "What it was set by was taken back.", now, theirs, Occurrence.run_at <= now)


def undone_sentence(db: Session, item: ChangeItem) -> str:
    """A sentence on the routine after the item was taken back."""
    routine = db.get_one(Routine, item.routine_id)
    before = json.loads(item.before or "null")
    if item.field == "state" and before is None:
        return f"no longer scheduled: {routine.words}"
    if routine.state == "ended":
        return f"its time has passed, so it comes no more: {spoken(db, routine)}"
    scheduled = f"scheduled{STATES.get(before, '')}: " if item.field == "state" else ""
    return f"it is again {scheduled}{spoken(db, routine)}"


def _set(db: Session, routine: Routine, field: str, value: Any) -> None:
    if field == "state":
        move(db, Routine, value, Routine.id == routine.id)
    else:
        setattr(routine, field, value)
