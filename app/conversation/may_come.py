"""The permission of what is due to come now, asked when it would be sent, of all that could be against it."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.clock import local
from app.conversation import claim, waiting
from app.delivery import pacing
from app.models import Message, Occurrence, Person, Routine
from app.routines import rows, suggestions
from app.routines.due import instant_of
from app.routines.quiet_hours import QuietHours

MOST_A_DAY = 5  # Product P5: texts that nobody asked for at that moment.
NOW_LASTS = timedelta(minutes=30)  # What was to come at once and could not is no surprise for later.
LANE_PAUSE = timedelta(seconds=5)  # As long as most turns take.
OUTAGE_PAUSE = timedelta(minutes=1)
THEIR_PAUSE = timedelta(minutes=15)  # Whoever texts is looked at at once.
WHAT_TO_STOP = "They were asked what is to stop, and have not said."
UNTIL_THEY_TEXT = (WHAT_TO_STOP, pacing.WINDOW_CLOSED)
"""Reasons to wait that end with a text of the person's."""

What = Literal["go", "wait", "held", "too_late", "missed", "skipped", "cancelled"]


@dataclass(frozen=True)
class Verdict:
    what: What
    reason: str | None = None
    until: datetime | None = None
    """For `wait` and `held`: when to ask again."""


GO = Verdict("go")


def ask(
    db: Session,
    occurrence: Occurrence,
    routine: Routine,
    person: Person,
    carrier: str,
    now: datetime,
    *,
    is_begun: bool = False,
) -> Verdict:
    """What is to become of the occurrence now. One that is begun has its turn, and need not wait for another to end."""
    return (
        _of_the_routine(routine)
        or of_the_person(person, carrier, now)
        or _of_their_text(db, occurrence, routine, person, carrier, now)
        or of_the_hour(occurrence, routine, person, now)
        or _of_the_day(db, occurrence, routine, person, now)
        or (_of_the_model(db, occurrence, routine, now) if routine.does == "run" and not is_begun else None)
        or GO
    )


def last_useful(occurrence: Occurrence, routine: Routine) -> datetime:
    """The instant after which the occurrence is of no use."""
    if occurrence.by_operator and occurrence.snoozed_to is None:
        return occurrence.due_at + NOW_LASTS
    return (occurrence.snoozed_to or occurrence.due_at) + timedelta(minutes=routine.useful_minutes)


def quiet_until(person: Person, now: datetime) -> datetime | None:
    """When the person's quiet hours end, if they are now."""
    quiet = QuietHours.said(person.quiet_hours)
    return quiet.over_at(now, person.timezone) if quiet.hold_at(now, person.timezone) else None


def _of_the_routine(routine: Routine) -> Verdict | None:
    if routine.state == "active":
        return None
    return Verdict("cancelled", f"The routine is {routine.state}.")


def of_the_person(person: Person, carrier: str, at: datetime) -> Verdict | None:
    """Whether nothing may go to the person at that instant that they did not ask for then."""
    reason = None
    if person.access != "allowed":
        reason = "The number is blocked." if person.access == "blocked" else "The number was not let in."
    elif person.opted_out_at is not None:
        reason = "The person opted out."
    elif person.paused_at is not None and (person.paused_until is None or at < person.paused_until):
        reason = "All routines of the person are paused."
    elif person.unreachable is not None and carrier not in Message.HERE:
        reason = person.unreachable
    return Verdict("skipped", reason) if reason else None


def until_they_text(db: Session, person: Person, carrier: str, now: datetime) -> Verdict | None:
    """Whether nothing may come unasked before they text: to say what is to stop, or since their channel takes none."""
    if person.stop_text_id is not None:
        return Verdict("wait", WHAT_TO_STOP, now + THEIR_PAUSE)
    if not pacing.is_window_open_for(db, person, carrier, now):
        return Verdict("wait", pacing.WINDOW_CLOSED, now + THEIR_PAUSE)
    return None


def _of_their_text(
    db: Session, occurrence: Occurrence, routine: Routine, person: Person, carrier: str, now: datetime
) -> Verdict | None:
    wait = until_they_text(db, person, carrier, now)
    if wait is None or rows.comes_once(routine):  # What comes once is told late rather than never.
        return wait
    if wait.reason == pacing.WINDOW_CLOSED:  # They know of nothing: the last one waits, and tells of those before it.
        is_over = rows.has_come_since(db, occurrence)
    else:
        is_over = now + THEIR_PAUSE > last_useful(occurrence, routine)
    return Verdict("missed", wait.reason) if is_over else wait


def of_the_hour(occurrence: Occurrence, routine: Routine, person: Person, now: datetime) -> Verdict | None:
    """Whether the hour is against it: it is too late, or quiet where the person is."""
    useful_until = last_useful(occurrence, routine)
    is_too_late = now > useful_until
    if is_too_late and occurrence.by_operator and occurrence.snoozed_to is None:
        return Verdict("missed", "It could not come at once, as an operator wanted it.")  # Nobody waited for it.
    morning = quiet_until(person, now)
    at_night = occurrence.at_night if occurrence.by_operator else routine.at_night
    if morning is not None and (is_too_late or not (at_night or occurrence.snoozed_to)):
        if morning > useful_until and not is_too_late and not rows.comes_once(routine):
            return Verdict("skipped", "It came in quiet hours, and would be of no use after them.")
        return Verdict("held", "It waits for the end of quiet hours.", morning)
    return Verdict("too_late", "It was too late to be of use.") if is_too_late else None


def _of_the_day(db: Session, occurrence: Occurrence, routine: Routine, person: Person, now: datetime) -> Verdict | None:
    """What the person set for one instant, or snoozed, is never one too many."""
    if rows.comes_once(routine) or occurrence.snoozed_to is not None:
        return None
    if unasked_today(db, person, now) < MOST_A_DAY:
        return None
    there = local(now, person.timezone)
    return Verdict("skipped", f"{MOST_A_DAY} texts of routines had gone out on that {there:%A} already.")


def unasked_today(db: Session, person: Person, now: datetime) -> int:
    """How many texts of routines, and suggestions, were made for the person on their own day."""
    there = local(now, person.timezone)
    since = instant_of(datetime.combine(there.date(), time()), ZoneInfo(person.timezone))
    said = select(Routine.schedule).join(Occurrence, Occurrence.routine_id == Routine.id)
    said = said.where(Occurrence.person_id == person.id, Occurrence.said_at >= since)
    of_routines: int = sum(schedule["repeat"] != "once" for schedule in db.scalars(said))
    return of_routines + suggestions.said_since(db, person.id, since)


def _of_the_model(db: Session, occurrence: Occurrence, routine: Routine, now: datetime) -> Verdict | None:
    if waiting.is_model_down(db):
        wait = Verdict("wait", "The model was down.", now + OUTAGE_PAUSE)
    elif claim.is_at_work(db, occurrence.person_id):
        wait = Verdict("wait", "The person was being answered.", now + LANE_PAUSE)
    else:
        return None
    # Nobody is told that something could not be made: that would be an error text at a time of its own choice.
    return wait if wait.until and wait.until <= last_useful(occurrence, routine) else Verdict("missed", wait.reason)
