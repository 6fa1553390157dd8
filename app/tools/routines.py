"""Tools that set, list and change reminders and routines. Their docstrings are written for Claude."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from itertools import islice
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import Field
from sqlalchemy.orm import Session

from app import people
from app.clock import local
from app.errors import Refused
from app.models import Change, Person, Routine
from app.routines import answering, rows, setting, values
from app.routines.described import describe, spoken_end, spoken_instant
from app.routines.quiet_hours import QuietHours
from app.routines.request import ScheduleRequest, from_request
from app.routines.schedule import Schedule, due_days, instant_of
from app.routines.setting import NewRoutine
from app.services.tool import ENDED, NOTHING, CallMade, Proof, tool
from app.tools.context import ToolContext

NEXT_SHOWN = 2
MAX_DAYS = 31  # The same as for the calendar.
EVERY_ONE = 0  # This id stands for all routines.
MOST_MINUTES = setting.PAUSED_MOST // timedelta(minutes=1)

COMES = Proof(frozenset({"saved", "scheduled"}))
CHANGED = Proof(frozenset({"saved", "scheduled", "cancelled"}))
LISTED = Proof(states=frozenset({"saved", "scheduled", "cancelled"}))


def answer_of_set(db: Session, change: Change) -> dict[str, Any]:
    routine = db.get_one(Routine, change.items[-1].routine_id)
    return {"routine": shown(db, routine, change.at)}


def _proof_of_set(call: CallMade) -> Proof:
    if call.answered["routine"]["state"] != "active":
        return NOTHING
    return CHANGED if call.input.get("replaces") else COMES


@tool(writes=True, needs_memory=False, proves=_proof_of_set, answered_before=answer_of_set)
def set_routine(
    ctx: ToolContext,
    does: Annotated[
        Literal["remind", "run"],
        Field(description="remind: words are texted as they are. run: you do what they say at that time."),
    ],
    words: Annotated[
        str,
        Field(
            description="In their language. remind: what to remind them of. run: the instruction to yourself.",
            examples=["Take the bread out", "Tell me the weather and my day"],
        ),
    ],
    schedule: ScheduleRequest,
    stays_in: Annotated[str, Field(description="IANA zone, only if it shall stay there when they travel.")] = "",
    replaces: Annotated[int, Field(description="Id of the one that comes at these times instead.")] = 0,
) -> dict[str, Any]:
    """Schedule a reminder or a routine, once or again and again, when they ask to be reminded, woken or told something.

    Give the schedule as they said it: "tomorrow at 9" is once, in_days 1, times 09:00. If the day or the half of the
    day is not clear, ask first. Repeat the day, date, time and zone that come back, for what repeats the next two.
    Where state is proposed ask them; after their yes call change_routine with accept.
    """
    zone = stays_in or people.timezone_of(ctx.services, ctx.person_id)
    # Spans are counted from the arrival of the person's text.
    when = from_request(schedule, _received_at(ctx), zone)
    # Night hours among its times were meant, unless the request is "every hour", which names none.
    named = schedule.repeat != "hourly" or bool(schedule.from_time or schedule.to_time)
    if replaces:
        ctx.check_wanted()
        ctx.check_rewording(replaces, words)
        origin = ctx.correction(words)
        changed: dict[str, Any] = {"does": does, "words": words, "schedule": when, "zone": stays_in or None}
        changed["night_was_named"] = named
        return _answer(ctx, setting.revise_routine(ctx.services, ctx.person_id, replaces, origin, **changed))
    new = NewRoutine(does, words, when, zone=stays_in or None, night_was_named=named, is_told=ctx.asks_for(words))
    carrier = ctx.texts[-1].carrier if ctx.texts else "phone"
    routine = setting.set_routine(ctx.services, ctx.person_id, new, ctx.origin_of(words), carrier)
    return _answer(ctx, routine)


def answer_of_change(db: Session, change: Change) -> dict[str, Any]:
    if change.verb != "forget":
        return {}  # Repeating the call has the same effect.
    return {"cancelled": [_named(db.get_one(Routine, item.routine_id)) for item in change.items], "unknown": []}


def _proof_of_change(call: CallMade) -> Proof:
    if call.input.get("action") == "list":
        return LISTED
    if "cancelled" in call.answered:
        return ENDED if call.answered["cancelled"] else NOTHING
    return CHANGED if call.answered.get("routine", {}).get("state") != "proposed" else NOTHING


@tool(
    writes=True,
    reading_actions=("list",),
    needs_memory=False,
    proves=_proof_of_change,
    answered_before=answer_of_change,
)
def change_routine(
    ctx: ToolContext,
    action: Annotated[
        Literal["list", "change", "pause", "resume", "accept", "skip", "snooze", "done", "cancel"],
        Field(
            description="accept: they said yes to a proposed one. skip: not on day; without it what has just come. "
            "snooze: its last text once more, later. done: they did it. cancel: it comes no more."
        ),
    ],
    routine_ids: Annotated[
        list[int] | None,
        Field(description="From list or from the note before its text. One; several with cancel; 0 to pause all."),
    ] = None,
    *,
    words: Annotated[str | None, Field(description="With change.")] = None,
    times: Annotated[list[str] | None, Field(description="With change: HH:MM, on the same days.")] = None,
    not_on_holidays: Annotated[str | None, Field(description="With change: a country; empty for none.")] = None,
    stays_in: Annotated[str | None, Field(description="With change: a zone; empty to travel with them.")] = None,
    day: Annotated[
        str | None,
        Field(description="YYYY-MM-DD. With list: what comes then; skip: the day; pause: when it comes again."),
    ] = None,
    until: Annotated[str | None, Field(description="With list and day: the last day.")] = None,
    minutes: Annotated[int | None, Field(description="With snooze, or to pause all so long.")] = None,
) -> dict[str, Any]:
    """List reminders and routines with ids and when they come, or change, pause, skip, snooze, finish or cancel them.

    spoke_last marks what "done", "later" and "not today" most likely mean. For other days call set_routine with
    replaces. Tell them what changed, when it comes, and what will not come.
    """
    if action == "list":
        return _list(ctx, day, until)
    if not routine_ids:
        raise Refused("routine_ids is missing: which one. List the routines to see the ids.")
    if action == "cancel":
        ctx.check_wanted()
        found = setting.cancel(ctx.services, ctx.person_id, routine_ids, ctx.correction(""))
        return {"cancelled": [_named(one) for one in found.removed], "unknown": found.unknown}
    if len(routine_ids) > 1:
        raise Refused(f"{len(routine_ids)} routines at once: {action} takes one. Call it for each.")
    ctx.check_wanted(lightly=not day and action in {"accept", "skip", "snooze", "done"})
    if routine_ids[0] == EVERY_ONE:
        return _change_all(ctx, action, day, minutes)
    if action == "change":
        return _answer(ctx, _change(ctx, routine_ids[0], words, times, not_on_holidays, stays_in))
    return _revise(ctx, action, routine_ids[0], day, minutes)


def _list(ctx: ToolContext, day: str | None, until: str | None) -> dict[str, Any]:
    first = values.day("day", day) if day else None
    last_day = values.day("until", until) if until else first
    if first and last_day and not timedelta() <= last_day - first < timedelta(days=MAX_DAYS):
        raise Refused(f"From {first} to {last_day} is no span of 1 to {MAX_DAYS} days. Ask for fewer days.")
    now = ctx.services.clock.now()
    with ctx.services.reading() as db:
        person = people.by_id(db, ctx.person_id)
        last = answering.last_texted(db, ctx.person_id, now)
        found = rows.standing(db, ctx.person_id)
        if last is not None and last.state == "ended":
            found.append(last)
        coming = [
            {**_named(one), "at": f"{local(at, person.timezone):%Y-%m-%d %H:%M}"}
            for at, one in (rows.coming_on_days(db, person, first, last_day or first, now) if first else ())
        ]
        return {
            **_pause_fields(person, now),
            "quiet_hours": str(QuietHours.parse(person.quiet_hours)),
            "routines": [
                {**shown(db, one, now), "last": _last(db, one, now), "spoke_last": one is last} for one in found
            ],
            **({"coming": coming} if first else {}),
        }


def _revise(ctx: ToolContext, action: str, routine_id: int, day: str | None, minutes: int | None) -> dict[str, Any]:
    services, person_id, origin = ctx.services, ctx.person_id, ctx.correction("")
    match action:
        case "pause" if day:

            def from_day_on(known: Routine, zone: str) -> Schedule:
                today = local(services.clock.now(), zone).date()
                return rows.schedule_of(known).paused_until(values.day("day", day), today=today)

            routine = setting.revise_routine(services, person_id, routine_id, origin, schedule=from_day_on)
        case "pause":
            routine = setting.pause(services, person_id, routine_id, origin)
        case "resume" | "accept":
            ctx.check_agreed(routine_id)
            routine = setting.resume(services, person_id, routine_id, origin)
        case "skip":
            asked = values.day("day", day) if day else None
            routine, left_out = answering.skip(services, person_id, routine_id, origin, asked)
            return {**_answer(ctx, routine), **({"left_out": left_out} if left_out else {"had_come": True})}
        case "snooze":
            if minutes is None:
                raise Refused("minutes is missing: for how long to snooze. Ask, if they did not say.")
            routine, to = answering.snooze(services, person_id, routine_id, _received_at(ctx), minutes)
            zone = people.timezone_of(services, person_id)
            return {**_answer(ctx, routine), "snoozed_to": spoken_instant(to, zone, services.clock.now())}
        case _:
            routine = answering.done(services, person_id, routine_id)
    return _answer(ctx, routine)


def _change_all(ctx: ToolContext, action: str, day: str | None, minutes: int | None) -> dict[str, Any]:
    """Pause all routines, until `day` begins where the person is or for some minutes; or resume them.

    Routines that wait for the person's yes keep waiting.
    """
    services, person_id, origin = ctx.services, ctx.person_id, ctx.correction("")
    if action == "resume":
        again = setting.resume_all(services, person_id, origin, says_yes=False)
        return {"paused": False, "routines": [_named(one) for one in again]}
    if action != "pause":
        raise Refused(f"routine_id 0 means all, which can be paused and resumed, and not {action}. Give one's id.")
    if day and minutes:
        raise Refused("day and minutes both say until when. Give one of them.")
    until, now = None, services.clock.now()
    if day:
        zone = ZoneInfo(people.timezone_of(services, person_id))
        until = instant_of(datetime.combine(values.day("day", day), time()), zone)
    elif minutes:
        until = _received_at(ctx) + timedelta(minutes=values.number("minutes", minutes, 1, MOST_MINUTES))
    held = setting.pause_all(services, person_id, origin, until)
    until = until or now
    gone = [(one, at) for one in held if rows.comes_once(one) and (at := one.next_due_at) and at < until]
    with services.reading() as db:
        gone += [(one, put.run_at) for one in held for put in rows.open_occurrences(db, one.id) if put.run_at < until]
        lost = [_named(one) | {"when": spoken_instant(at, rows.zone_of(db, one), now)} for one, at in gone]
        paused = _pause_fields(people.by_id(db, person_id), now)
    return {**paused, "routines": [_named(one) for one in held], "will_not_come": lost}


def _named(routine: Routine) -> dict[str, Any]:
    return {"id": routine.number, "words": routine.words}


def _pause_fields(person: Person, now: datetime) -> dict[str, Any]:
    """Fields of an answer on the pause of all routines: `paused`, and `paused_until` if it has an end."""
    until = person.paused_until
    ends = {"paused_until": spoken_end(until, person.timezone, now)} if until else {}
    return {"paused": person.paused_at is not None, **ends}


def shown(db: Session, routine: Routine, now: datetime) -> dict[str, Any]:
    """A routine in the form that the model sees."""
    zone, schedule = rows.zone_of(db, routine), rows.schedule_of(routine)
    comes = routine.state in {"active", "proposed"}
    coming = [at for _, at in islice(due_days(schedule, zone, now), NEXT_SHOWN)] if comes else []
    put_off = rows.put_off(db, routine) if comes else []
    return {
        **_named(routine),
        "does": routine.does,
        "state": routine.state,
        "when": describe(schedule, zone, now),
        "zone": f"{zone} (stays there)" if routine.zone else f"{zone} (travels with them)",
        "next": [spoken_instant(at, zone, now) for at in sorted([*put_off, *coming])[:NEXT_SHOWN]],
        **({"note": note} if (note := _note(db, routine, schedule, coming)) else {}),
    }


def _note(db: Session, routine: Routine, schedule: Schedule, coming: Sequence[datetime]) -> str | None:
    """A caveat that the person should know before they rely on it; None if there is none."""
    person = people.by_id(db, routine.person_id)
    quiet = QuietHours.parse(person.quiet_hours)
    if person.paused_at is not None and person.paused_until is None:
        return "All is paused: nothing comes by itself until /resume is texted."
    if person.paused_at is not None and person.paused_until and coming and coming[0] < person.paused_until:
        return f"All is paused until {spoken_end(person.paused_until, person.timezone)}: nothing comes before that."
    at_night = [at for at in coming if quiet.covers(at, person.timezone)]
    if at_night and not routine.at_night:
        return f"Some times lie in the quiet hours ({quiet}): then it waits for their end, or is left out."
    if at_night and routine.zone:
        there = f"{local(at_night[0], person.timezone):%H:%M} in {person.timezone}"
        return f"That is {there}, within the quiet hours ({quiet}). It comes all the same, as that hour was named."
    if schedule.repeat != "once" and len(schedule.times) > setting.MOST_A_DAY:
        return f"At most {setting.MOST_A_DAY} texts of routines go out in a day: the later ones are left out."
    return None


def _change(
    ctx: ToolContext,
    number: int,
    words: str | None,
    times: list[str] | None,
    not_on_holidays: str | None,
    stays_in: str | None,
) -> Routine:
    changed: dict[str, Any] = {}
    if words:
        ctx.check_rewording(number, words)
        changed["words"] = words
    if stays_in is not None:
        changed["zone"] = stays_in or None
    if times or not_on_holidays is not None:
        changed["schedule"] = lambda known, zone: setting.rescheduled(known, zone, times, not_on_holidays)
    if not changed:
        raise Refused(
            "Nothing to change was given. Give words, times, not_on_holidays or stays_in; for other days call "
            "set_routine with replaces."
        )
    return setting.revise_routine(ctx.services, ctx.person_id, number, ctx.correction(words or ""), **changed)


def _received_at(ctx: ToolContext) -> datetime:
    return ctx.texts[-1].created_at if ctx.texts else ctx.services.clock.now()


def _answer(ctx: ToolContext, routine: Routine) -> dict[str, Any]:
    with ctx.services.reading() as db:
        return {"routine": shown(db, routine, ctx.services.clock.now())}


def _last(db: Session, routine: Routine, now: datetime) -> str | None:
    last = next(iter(rows.occurrences(db, routine.id, 1)), None)
    if last is None:
        return None
    why = f": {last.reason}" if last.reason else ""
    return f"{last.state}, due {spoken_instant(last.due_at, rows.zone_of(db, routine), now)}{why}"
