"""A person's answers to a routine's text: done, not tomorrow, once more in an hour."""

from dataclasses import replace
from datetime import date, datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.clock import local, spoken_day
from app.errors import NotFound, Refused
from app.memory.changes import Origin
from app.models import Occurrence, Person, Routine, move
from app.routines import rows, values
from app.routines.schedule import days_from, due_days, rule_days
from app.routines.setting import are_all_paused
from app.services import Services

SNOOZE_MOST_MINUTES = 7 * 24 * 60  # A longer wait is another reminder.
JUST = timedelta(hours=3)  # After midnight a text from before it still counts as just come for this long.
ANSWERED_WITHIN = timedelta(days=1)  # Later, "snooze" would bring back something that is long done.


def snooze(services: Services, person_id: int, number: int, since: datetime, minutes: int) -> tuple[Routine, datetime]:
    """Repeat the routine's last text `minutes` after `since`. Returns the routine and that instant.

    Raises:
        NotFound: the person has no such routine, or it has not come yet.
        Refused: the span is out of bounds, or nothing comes then, as it is paused.
    """
    to = since + timedelta(minutes=values.number("minutes", minutes, 1, SNOOZE_MOST_MINUTES))
    with services.transaction(person_id) as db:
        routine, person = rows.known(db, person_id, number, is_over={"cancelled"}), db.get_one(Person, person_id)
        if are_all_paused(person, to) or routine.state not in {"active", "ended"}:
            raise Refused(f"{routine.words}: it is paused, or waits for a yes. /resume comes first.")
        last = _last_occurrence(db, routine)
        if last is None:
            raise NotFound(f"Nothing of routine {number} has come yet, so there is nothing to put off.")
        again = {"snoozed_to": to, "run_at": to, "turn_id": None, "reason": "The person wants it once more."}
        move(db, Occurrence, "due", Occurrence.id == last.id, attempts=0, **again)
        if routine.state == "ended":
            move(db, Routine, "active", Routine.id == routine.id)
        return rows.reload(db, routine), to


def skip(
    services: Services, person_id: int, number: int, origin: Origin, day: date | None = None
) -> tuple[Routine, str | None]:
    """The routine and the skipped day in words; None instead of a day if the text that had just come was meant.

    Without a day, the text of today or just now is meant, and no coming one is left out. If none has come, the next
    day is skipped, and asking twice skips only one. If the day has several times, those still ahead are named too.

    Raises:
        NotFound: the person has no such routine.
        Refused: it comes once and has not come, comes no more or not on that day, or that day has passed.
    """
    now = services.clock.now()
    with services.transaction(person_id) as db:
        routine = rows.known(db, person_id, number, is_over={"cancelled"})
        zone, schedule = rows.zone_of(db, routine), rows.schedule_of(routine)
        here = local(now, zone).replace(tzinfo=None)
        ahead = None if routine.next_due_at is None else local(routine.next_due_at, zone).date()
        of_today = day is None or (day == here.date() and ahead != day)
        if of_today and _has_come(db, routine, now):
            rows.drop_open(db, "skipped", _skip_reason(origin), now, Occurrence.routine_id == routine.id)
            last = _last_occurrence(db, routine)
            if last is not None and last.said_at is not None and last.reason is None:
                last.reason = _skip_reason(origin)
            rows.end_finished(db, [routine.id])
            return rows.reload(db, routine), None
        coming = next((on for on, _ in due_days(replace(schedule, except_dates=()), zone, now)), None)
        left_out = next((on for on in (here.date(), coming) if on in schedule.except_dates), None)
        day = _skip_day(db, routine, day or left_out or ahead, origin, now)
        times = [f"{at:%H:%M}" for at in schedule.times if datetime.combine(day, at) > here]
        together = f" ({', '.join(times[:-1])} and {times[-1]})" if times[1:] else ""
        return rows.reload(db, routine), f"{spoken_day(day)}{together}"


def done(services: Services, person_id: int, number: int) -> Routine:
    """Mark the routine done: occurrences that were put off are dropped, and the next one comes as usual.

    Raises:
        NotFound: the person has no such routine.
    """
    now = services.clock.now()
    with services.transaction(person_id) as db:
        routine = rows.known(db, person_id, number, is_over={"cancelled"})
        rows.drop_open(db, "skipped", "The person said that it is done.", now, Occurrence.routine_id == routine.id)
        rows.end_finished(db, [routine.id])
        return rows.reload(db, routine)


def last_texted(db: Session, person_id: int, now: datetime) -> Routine | None:
    """The person's routine whose text came last, while "done" may still answer it; None if there was none."""
    theirs = (Occurrence.person_id == person_id, Occurrence.said_at >= now - ANSWERED_WITHIN)
    last = db.scalars(select(Occurrence).where(*theirs).order_by(Occurrence.said_at.desc()).limit(1)).one_or_none()
    return None if last is None else db.get_one(Routine, last.routine_id)


def _has_come(db: Session, routine: Routine, now: datetime) -> bool:
    """True if an occurrence came today or just now and is nearer than the next one, or if one is still on its way."""
    if any(one.said_at or not rows.comes_once(routine) for one in rows.open_occurrences(db, routine.id)):
        return True
    came = (Occurrence.routine_id == routine.id, Occurrence.said_at.is_not(None), Occurrence.state != "missed")
    said_at = db.scalar(select(func.max(Occurrence.said_at)).where(*came))
    if said_at is None:
        return False
    zone, since = rows.zone_of(db, routine), now - said_at
    today = local(now, zone).date()
    if local(said_at, zone).date() != today and since > JUST:
        return False
    coming_at = routine.next_due_at
    return coming_at is None or local(coming_at, zone).date() != today or since <= coming_at - now


def _skip_day(db: Session, routine: Routine, day: date | None, origin: Origin, now: datetime) -> date:
    if rows.comes_once(routine):
        raise Refused(f"{routine.words}: that comes once. Text /routines forget {routine.number} to drop it.")
    if day is None:
        raise Refused(f"{routine.words}: that comes no more, so no day of it can be left out.")
    zone, schedule = rows.zone_of(db, routine), rows.schedule_of(routine)
    today = local(now, zone).date()
    waits = [one.id for one in rows.open_occurrences(db, routine.id) if local(one.due_at, zone).date() == day]
    if not waits and (day < today or next(rule_days(schedule, day), None) != day):
        why = "has passed" if day < today else "is no day on which it comes"
        coming = next(days_from(schedule, today), None)
        named = f" Name one on which it comes, such as {coming:%A} {coming}." if coming else " It comes no more."
        raise Refused(f"{routine.words}: {day:%A} {day} {why}, so nothing was left out.{named}")
    if day not in schedule.except_dates:
        rows.revise(db, routine, {"schedule": schedule.without(day, today=today).as_dict()}, origin, now)
    if routine.next_due_at is not None and local(routine.next_due_at, zone).date() == day:
        rows.schedule_next(db, routine, now)
    rows.drop_open(db, "skipped", _skip_reason(origin), now, Occurrence.id.in_(waits))
    rows.end_finished(db, [routine.id])
    return day


def _skip_reason(origin: Origin) -> str:
    return "An operator skipped it." if origin.actor == "operator" else "The person skipped it."


def _last_occurrence(db: Session, routine: Routine) -> Occurrence | None:
    """The routine's last occurrence that was neither skipped nor cancelled."""
    theirs = (Occurrence.routine_id == routine.id, Occurrence.state.not_in(("skipped", "cancelled")))
    return db.scalars(select(Occurrence).where(*theirs).order_by(Occurrence.due_at.desc()).limit(1)).one_or_none()
