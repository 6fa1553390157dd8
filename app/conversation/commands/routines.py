"""Commands that list, pause, skip and cancel routines without the model."""

from datetime import datetime

from sqlalchemy.orm import Session

from app import people
from app.conversation.commands.command import NUMBER, NUMBERS, Command, command, ended_sentence
from app.models import Person, Routine
from app.routines import answering, rows, setting
from app.routines.described import spoken_end, spoken_instant
from app.routines.quiet_hours import NEVER, QuietHours
from app.routines.schedule import due_after

_STATES = {"active": "", "paused": " (paused)", "proposed": " (waits for your yes: /resume {number})"}


@command(r"/routines?( list)?", help="/routines - what I text by myself (skip 2, forget 2); /pause, /resume")
def _list_all(asked: Command) -> str:
    now = asked.services.clock.now()
    with asked.services.reading() as db:
        person = people.by_id(db, asked.person_id)
        lines = [_line(db, routine, now) for routine in rows.standing(db, asked.person_id)]
    if not lines:
        paused = f" All is paused {_until(person, now)}." if person.paused_at else ""
        return f"Nothing is scheduled.{paused} Tell me what to remind you of, and when."
    quiet = QuietHours.parse(person.quiet_hours)
    at_night = "" if str(quiet) == NEVER else f", quiet from {quiet.begin:%H:%M} to {quiet.end:%H:%M}"
    heading = f"All paused {_until(person, now)}:" if person.paused_at else f"Scheduled{at_night}:"
    return "\n".join([heading, *lines, "/pause, /routines skip or /routines forget, and the number."])


def _until(person: Person, now: datetime) -> str:
    until = f"until {spoken_end(person.paused_until, person.timezone, now)}, or " if person.paused_until else ""
    return f"{until}until you text /resume"


@command(r"/pause(?: all)?")
def _pause_all(asked: Command) -> str:
    setting.pause_all(asked.services, asked.person_id, asked.origin)
    return "Paused: I text nothing by myself until you text /resume."


@command(r"/resume(?: all)?")
def _resume_all(asked: Command) -> str:
    resumed = setting.resume_all(asked.services, asked.person_id, asked.origin)
    if not resumed:
        return "Resumed. Nothing is scheduled."
    now = asked.services.clock.now()
    with asked.services.reading() as db:
        lines = [_line(db, one, now) for one in rows.standing(db, asked.person_id) if one.state == "active"]
    return "\n".join(["Resumed:", *lines])


@command(rf"/pause {NUMBER}")
def _pause(asked: Command) -> str:
    routine = setting.pause(asked.services, asked.person_id, asked.numbers[0], asked.origin)
    return f"Paused: {routine.words}. /resume {routine.number} brings it back."


@command(rf"/resume {NUMBER}")
def _resume(asked: Command) -> str:
    routine = setting.resume(asked.services, asked.person_id, asked.numbers[0], asked.origin)
    now = asked.services.clock.now()
    with asked.services.reading() as db:
        is_paused = people.by_id(db, asked.person_id).paused_at is not None
        line = _line(db, routine, now)
    return f"Resumed: {line}{' All is paused still; /resume alone ends that.' if is_paused else ''}"


@command(rf"/routines? skip {NUMBER}")
def _skip(asked: Command) -> str:
    routine, day = answering.skip(asked.services, asked.person_id, asked.numbers[0], asked.origin)
    with asked.services.reading() as db:
        coming = _next(db, routine, asked.services.clock.now())
    if day is None:
        return f"Not today: {routine.words}. Nothing that is to come is left out.{coming}"
    return f"Left out on {day}: {routine.words}.{coming} /undo takes that back."


@command(rf"/routines? (?:forget|cancel|drop) {NUMBERS}")
def _forget(asked: Command) -> str:
    found = setting.cancel(asked.services, asked.person_id, asked.numbers, asked.origin)
    named = "; ".join(one.words for one in found.removed)
    return ended_sentence(f"No more: {named}. /undo brings it back." if named else "", asked, found.unknown)


def _line(db: Session, routine: Routine, now: datetime) -> str:
    state = _STATES[routine.state].format(number=routine.number)
    return f"{routine.number}. {rows.spoken(db, routine, now)}{state}.{_next(db, routine, now)}"


def _next(db: Session, routine: Routine, now: datetime) -> str:
    """A sentence on when it comes next, if the schedule alone does not tell; else empty."""
    zone = rows.zone_of(db, routine)
    put_off = rows.put_off(db, routine)
    at = min(filter(None, [*put_off, due_after(rows.schedule_of(routine), zone, now)]), default=None)
    if at is None or routine.state != "active" or (rows.comes_once(routine) and not put_off):
        return ""
    return f" Next: {spoken_instant(at, zone, now)}."
