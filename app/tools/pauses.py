"""Pauses, as the tool of routines makes them: of one until a day, of all until then or until they are told."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from app import people
from app.clock import local
from app.errors import Refused
from app.memory import Origin
from app.models import Change, Person, Routine
from app.routines import rows, setting, values
from app.routines.described import spoken_end, spoken_instant
from app.routines.due import instant_of
from app.tools.context import ToolContext

MOST_MINUTES = setting.PAUSED_MOST // timedelta(minutes=1)


def of_all(ctx: ToolContext, action: str, day: str | None, minutes: int | None, since: datetime) -> dict[str, Any]:
    """Pause all, until `day` begins where the person is or for so many minutes after `since`; or have all come again.

    What waits for their yes still does then.

    Raises:
        Refused: it is not for all, both ends are given, or the instant is none to pause until.
    """
    if action == "resume":
        again = setting.resume_all(ctx.services, ctx.person_id, ctx.correction(""), says_yes=False)
        return {"paused": False, "routines": [named(one) for one in again]}
    if action != "pause":
        raise Refused(f"routine_id 0 means all, which can be paused and resumed, and not {action}. Give one's id.")
    if day and minutes:
        raise Refused("day and minutes both say until when. Give one of them.")
    until = _begin_of(ctx, values.day("day", day)) if day else None
    if minutes:
        until = since + timedelta(minutes=values.number(1, MOST_MINUTES)("minutes", minutes))
    held = setting.pause_all(ctx.services, ctx.person_id, ctx.correction(""), until)
    with ctx.services.reading() as db:
        return _paused(db, ctx.person_id, held, ctx.services.clock.now())


def answer_again(db: Session, change: Change) -> dict[str, Any]:
    """What was answered when all was paused, or came again."""
    active = [one for one in rows.standing(db, change.person_id) if one.state == "active"]
    if people.by_id(db, change.person_id).paused_at is None:
        return {"paused": False, "routines": [named(one) for one in active]}
    return _paused(db, change.person_id, active, change.at)


def one_until(ctx: ToolContext, number: int, day: str, origin: Origin) -> Routine:
    """The routine, which comes again on that day.

    Raises:
        NotFound: there is none of that number.
        Refused: it comes once, or not until such a day.
    """
    changed: dict[str, Any] = {}
    with ctx.services.reading() as db:
        routine = rows.by_number(db, ctx.person_id, number)
        if routine is not None:
            today = local(ctx.services.clock.now(), rows.zone_of(db, routine)).date()
            changed["schedule"] = rows.schedule_of(routine).paused_until(values.day("day", day), today=today)
    return setting.revise_routine(ctx.services, ctx.person_id, number, origin, **changed)


def note(person: Person, coming: Sequence[datetime]) -> str | None:
    """What the person should know of the pause before they rely on what comes then."""
    if person.paused_at is None:
        return None
    if person.paused_until is None:
        return "All is paused: nothing comes by itself until /resume is texted."
    if not coming or coming[0] >= person.paused_until:
        return None
    return f"All is paused until {spoken_end(person.paused_until, person.timezone)}: nothing comes before that."


def pause_of(person: Person, now: datetime) -> dict[str, Any]:
    """Whether all is paused, and until when if that is said."""
    until = person.paused_until
    ends = {"paused_until": spoken_end(until, person.timezone, now)} if until else {}
    return {"paused": person.paused_at is not None, **ends}


def _begin_of(ctx: ToolContext, day: date) -> datetime:
    with ctx.services.reading() as db:
        zone = people.by_id(db, ctx.person_id).timezone
    if not timedelta() < day - local(ctx.services.clock.now(), zone).date() <= setting.PAUSED_MOST:
        raise Refused(setting.PAUSED_NEVER)
    return instant_of(datetime.combine(day, time()), ZoneInfo(zone))


def _paused(db: Session, person_id: int, held: Sequence[Routine], now: datetime) -> dict[str, Any]:
    person = people.by_id(db, person_id)
    until = person.paused_until or now
    once = [(one, one.next_due_at) for one in held if rows.comes_once(one) and one.next_due_at]
    gone = [(one, at) for one, at in once if at < until] + [(one, at) for one in held for at in _put_off(db, one, now)]
    lost = [named(one) | {"when": spoken_instant(at, rows.zone_of(db, one), now)} for one, at in gone]
    return {**pause_of(person, now), "routines": [named(one) for one in held], "will_not_come": lost}


def _put_off(db: Session, routine: Routine, now: datetime) -> list[datetime]:
    """For when it was put off, or kept back in the night, of which the pause left it out."""
    last = rows.occurrences(db, routine.id, 1)
    return [one.run_at for one in last if one.reason == setting.ALL_PAUSED and one.run_at > now]


def named(routine: Routine) -> dict[str, Any]:
    return {"id": routine.number, "words": routine.words}
