"""Sets, changes, pauses, resumes and cancels routines, each with a record."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from sqlalchemy import exists, select, update
from sqlalchemy.orm import Session

from app.clock import local, zone_named
from app.errors import Conflict, Refused
from app.memory.changes import Origin, Removed, record
from app.memory.changes import set_fields as set_fields_of
from app.models import Occurrence, Person, Routine
from app.routines import rows, suggestions
from app.routines.described import spoken_instant
from app.routines.quiet_hours import QuietHours
from app.routines.request import check_apart, checked_times
from app.routines.schedule import Schedule, due_days
from app.services import Services
from app.text.secrets import is_secret

MOST_STANDING = 50  # Per person.
MOST_A_DAY = 5  # Product P5: the limit for texts that nobody asked for at that moment.
WORDS_MAX_CHARS = 500  # Three segments; a longer instruction is a document.
USEFUL_ONCE_MINUTES = 120  # A single reminder is worth hearing two hours late.
USEFUL_MINUTES = 60  # A morning briefing is of no use at noon.
PAUSED_MOST = timedelta(days=366)  # After a longer pause nobody remembers that a routine will come again.

OVER = frozenset({"cancelled", "ended"})  # States from which only an undo brings a routine back.
PAUSED_NEVER = f"All is paused until what is to come, and for {PAUSED_MOST.days} days at most. Give another day."
ALL_PAUSED = "All routines of the person were paused."
_NO_PAUSE = {"paused_at": None, "paused_until": None}


@dataclass(frozen=True)
class NewRoutine:
    """A routine or reminder, as it was asked for."""

    does: str  # `remind` or `run`.
    words: str
    schedule: Schedule
    zone: str | None = None  # The IANA zone in which it stays; None if it travels with its person.
    night_was_named: bool = True  # True if its hours were named one by one, so that those in quiet hours were meant.
    is_told: bool = True  # True if the person's own words ask for it; otherwise it waits for their yes.


def set_routine(services: Services, person_id: int, new: NewRoutine, origin: Origin, carrier: str) -> Routine:
    """The new routine, active or proposed.

    Raises:
        Refused: a value is wrong, it would never come, or the person has too many.
        Conflict: there is one like it already.
    """
    words, zone = checked_words(new.words), None if new.zone is None else zone_named(new.zone).key
    now = services.clock.now()
    with services.transaction(person_id) as db:
        person = db.get_one(Person, person_id)
        standing = rows.standing(db, person_id)
        if len(standing) >= MOST_STANDING:
            raise Refused(
                f"There are {len(standing)} routines and reminders, and {MOST_STANDING} are the most. Ask which may "
                "go, and cancel those first."
            )
        kept = new.schedule.as_dict()
        for one in standing:
            if (one.does, one.words.casefold(), one.schedule, one.zone) == (new.does, words.casefold(), kept, zone):
                raise Conflict(f"There is one like it already, number {one.number}: {rows.spoken(db, one)}.")
        person.last_routine_number += 1
        routine = Routine(
            person_id=person_id,
            number=person.last_routine_number,
            does=new.does,
            words=words,
            schedule=kept,
            zone=zone,
            state="active" if new.is_told else "proposed",
            useful_minutes=USEFUL_ONCE_MINUTES if new.schedule.repeat == "once" else USEFUL_MINUTES,
            at_night=new.night_was_named and is_in_quiet_hours(new.schedule, zone, person, now),
            carrier=carrier,
            turn_id=origin.turn_id,
            created_at=now,
            **origin.columns,
        )
        db.add(routine)
        db.flush()
        _check_it_comes(db, routine, now)
        record(db, person_id, "remember", origin, now, [rows.changed(routine, "state", None, routine.state)])
        return rows.reload(db, routine)


def revise_routine(
    services: Services, person_id: int, number: int, origin: Origin, *, night_was_named: bool = True, **values: Any
) -> Routine:
    """The routine with the given fields changed: `does`, `words`, `schedule`, `zone`.

    `schedule` is a schedule, or a function that makes one from the routine and its zone.

    Raises:
        NotFound: the person has no such routine.
        Refused: a value is wrong, or it would never come.
    """
    now = services.clock.now()
    with services.transaction(person_id) as db:
        routine, person = rows.known(db, person_id, number, is_over=OVER), db.get_one(Person, person_id)
        if "words" in values:
            values["words"] = checked_words(values["words"])
        if values.get("zone") is not None:
            values["zone"] = zone_named(values["zone"]).key
        before, schedule = rows.schedule_of(routine), values.get("schedule")
        if callable(schedule):
            schedule = schedule(routine, values.get("zone", routine.zone) or person.timezone)
        schedule, zone = schedule or before, values.get("zone", routine.zone)
        if "schedule" in values:
            values["schedule"] = schedule.as_dict()
        elif not routine.at_night and is_in_quiet_hours(before, routine.zone, person, now):
            night_was_named = False  # Nobody named its hours in the night, and another zone names none.
        if (schedule.times, schedule.instant, zone) != (before.times, before.instant, routine.zone):
            values["at_night"] = night_was_named and is_in_quiet_hours(schedule, zone, person, now)
        items = rows.revise(db, routine, values, origin, now)
        if {item.field for item in items} & {"schedule", "zone"}:
            rows.drop_open(db, "cancelled", "It was changed before it came.", now, Occurrence.routine_id == routine.id)
            _check_it_comes(db, routine, now)
        return rows.reload(db, routine)


def rescheduled(
    routine: Routine, zone: str, times: Sequence[str] | None, not_on_holidays: str | None = None
) -> Schedule:
    """The routine's schedule with other times of day, or without the public holidays of another place."""
    schedule = rows.schedule_of(routine)
    if times:
        starts = local(schedule.instant, zone).date() if schedule.instant is not None else schedule.starts
        schedule = replace(schedule, times=checked_times(times), starts=starts, instant=None)
        check_apart(schedule, schedule.starts or routine.created_at.date())
    return schedule if not_on_holidays is None else replace(schedule, not_on_holidays=not_on_holidays)


def pause(services: Services, person_id: int, number: int, origin: Origin) -> Routine:
    """Stop the routine until it is resumed, and return it.

    Raises:
        NotFound: the person has no such routine.
    """
    now = services.clock.now()
    with services.transaction(person_id) as db:
        routine = rows.known(db, person_id, number, is_over=OVER)
        of_now = (Occurrence.routine_id == routine.id, Occurrence.run_at <= now)  # What was put off comes if resumed.
        rows.drop_open(db, "cancelled", "The routine was paused.", now, *of_now)
        rows.revise(db, routine, {"state": "paused"}, origin, now)
        return rows.reload(db, routine)


def resume(services: Services, person_id: int, number: int, origin: Origin) -> Routine:
    """Activate the routine that was paused or waited for the person's yes, and return it.

    Raises:
        NotFound: the person has no such routine.
        Refused: it would never come.
    """
    now = services.clock.now()
    with services.transaction(person_id) as db:
        routine = rows.known(db, person_id, number, is_over=OVER)
        if routine.state != "active":
            rows.revise(db, routine, {"state": "active"}, origin, now)
            _check_it_comes(db, routine, now)
        return rows.reload(db, routine)


def pause_all(
    services: Services, person_id: int, origin: Origin | None = None, until: datetime | None = None
) -> list[Routine]:
    """Stop all routines until then, or until the person or an operator resumes them. Returns the active ones.

    With an origin it is recorded as one change, which can be undone.

    Raises:
        Refused: `until` is in the past or too far ahead.
    """
    now = services.clock.now()
    if until is not None and not now < until <= now + PAUSED_MOST:
        raise Refused(PAUSED_NEVER)
    with services.transaction(person_id) as db:
        person = db.get_one(Person, person_id)
        held = [one for one in rows.standing(db, person_id) if one.state == "active"]
        items = set_fields_of(person, {"paused_at": person.paused_at or now, "paused_until": until})
        if origin is not None:
            record(db, person_id, "revise", origin, now, items)
        # What was put off waits: the pause may end before it, or be taken back.
        rows.drop_open(db, "skipped", ALL_PAUSED, now, Occurrence.person_id == person_id, Occurrence.run_at <= now)
        suggestions.withdraw(db, person_id, ALL_PAUSED)
        rows.end_finished(db, [one.id for one in rows.standing(db, person_id) if one.next_due_at is None])
        return [rows.reload(db, routine) for routine in held]


def are_all_paused(person: Person, at: datetime) -> bool:
    """True if all routines of the person are paused at that instant."""
    return person.paused_at is not None and (person.paused_until is None or at < person.paused_until)


def end_passed_pauses(services: Services) -> None:
    """End the pauses of all routines whose end has come."""
    now = services.clock.now()
    passed = Person.paused_until <= now
    if not services.finds(select(Person.id).where(passed)):
        return
    with services.transaction() as db:
        in_it = exists().where(passed, Person.id == Occurrence.person_id, Occurrence.run_at < Person.paused_until)
        put_off = db.scalars(select(Occurrence.routine_id).where(Occurrence.OPEN, in_it)).all()
        rows.drop_open(db, "skipped", ALL_PAUSED, now, in_it)
        rows.end_finished(db, put_off)
        db.execute(update(Person).where(passed).values(_NO_PAUSE))


def end_pause_of_all(services: Services, person_id: int) -> None:
    """End `pause_all`; routines that were paused one by one, or wait for a yes, stay as they are."""
    with services.transaction(person_id) as db:
        set_fields_of(db.get_one(Person, person_id), _NO_PAUSE)


def resume_all(services: Services, person_id: int, origin: Origin, *, says_yes: bool = True) -> list[Routine]:
    """Resume all paused routines as one change; with `says_yes` also those that wait for the person's yes.

    Returns the routines that are then active.
    """
    now = services.clock.now()
    with services.transaction(person_id) as db:
        items = set_fields_of(db.get_one(Person, person_id), _NO_PAUSE)
        for routine in rows.standing(db, person_id):
            if routine.state == "paused" or (says_yes and routine.state == "proposed"):
                comes = rows.schedule_next(db, routine, now) or rows.open_occurrences(db, routine.id)
                items += rows.set_fields(db, routine, {"state": "active" if comes else "ended"})
        record(db, person_id, "revise", origin, now, items)
        return [rows.reload(db, routine) for routine in rows.standing(db, person_id) if routine.state == "active"]


def cancel(services: Services, person_id: int, numbers: Collection[int], origin: Origin) -> Removed[Routine]:
    """Cancel the routines of these numbers, and drop their texts that are on their way."""
    now = services.clock.now()
    result = Removed[Routine]([], [])
    with services.transaction(person_id) as db:
        items = []
        for number in dict.fromkeys(numbers):
            routine = rows.by_number(db, person_id, number)
            if routine is None or routine.state in OVER:
                result.unknown.append(number)
                continue
            rows.drop_open(db, "cancelled", rows.CANCELLED, now, Occurrence.routine_id == routine.id)
            items += rows.set_fields(db, routine, {"state": "cancelled"})
            result.removed.append(routine)
        record(db, person_id, "forget", origin, now, items)
        for routine in result.removed:
            rows.reload(db, routine)
    return result


def is_in_quiet_hours(schedule: Schedule, zone: str | None, person: Person, now: datetime) -> bool:
    """True if one of its times lies in the person's quiet hours, by the clock where they are."""
    quiet = QuietHours.parse(person.quiet_hours)
    if zone is None and schedule.instant is None:
        return any(quiet.contains(at) for at in schedule.times)
    # Each time is checked once, as it is confirmed; nobody has named the hours that later clock changes cause.
    coming = islice(due_days(schedule, zone or person.timezone, now), max(1, len(schedule.times)))
    return any(quiet.covers(at, person.timezone) for _, at in coming)


def come_in_quiet_hours(db: Session, person: Person, now: datetime) -> list[Routine]:
    """The active routines that repeat at an hour in the person's quiet hours, not named as one: they do not come then.

    A single reminder does not count: it waits until the quiet hours are over.
    """
    active = (one for one in rows.standing(db, person.id) if one.state == "active" and not one.at_night)
    repeated = (one for one in active if not rows.comes_once(one))
    return [one for one in repeated if is_in_quiet_hours(rows.schedule_of(one), one.zone, person, now)]


def _check_it_comes(db: Session, routine: Routine, now: datetime) -> None:
    if rows.schedule_next(db, routine, now) is None and not rows.open_occurrences(db, routine.id):
        raise Refused(
            f"That never comes: {rows.described(db, routine)}, and it is now "
            f"{spoken_instant(now, rows.zone_of(db, routine))}. Ask for a later time."
        )


def checked_words(words: str) -> str:
    """The words, stripped for storing.

    Raises:
        Refused: they are empty, too long, or contain a secret.
    """
    words = words.strip()
    if not words:
        raise Refused("words: there are none. Send what is to be said or done then.")
    if len(words) > WORDS_MAX_CHARS:
        raise Refused(f"words: 1 to {WORDS_MAX_CHARS} characters are possible, these are {len(words)}. Say it shorter.")
    if is_secret(words):
        raise Refused(
            "words: that looks like a password, a code, a card number or a key; those are never kept in a routine. "
            "Say what it is about without it."
        )
    return words
