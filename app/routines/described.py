"""Schedules in plain English for confirmations and lists, and sentences on late or missed reminders. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import pairwise

from app.clock import WEEKDAYS, local, same_local_day, spoken_day
from app.routines.public_holidays import spoken_place
from app.routines.schedule import SHORTEST_MONTH_DAYS, Schedule

HOUR_MINUTES = 60
DAY_MINUTES = 24 * HOUR_MINUTES
MAX_DAYS_NAMED = 3  # Of the exceptions: a confirmation is one text.
FEWEST_IN_STEP = 3  # Two times are always evenly spaced.
MISSED_KEPT = 20  # Records of instants that passed while nothing ran: enough to notice, and no flood after weeks.
MISSED_NAMED = 5  # More would take several texts; the list shows all.
WORDS_MAX_CHARS = 120  # Of each one named: enough to recognise it.

_WORKDAYS = WEEKDAYS[:5]
_UNITS = {"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year"}
_ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth"}


def describe(schedule: Schedule, zone: str, now: datetime | None = None) -> str:
    """`every second Tuesday at 18:30 from 24 November 2026`; `zone` is used for a single exact instant.

    If `now` is given, exceptions before that day are not mentioned.
    """
    if schedule.instant is not None:
        there = local(schedule.instant, zone)
        return f"on {_spoken(there.date())} at {there:%H:%M}"
    if schedule.repeat == "once" and schedule.starts is not None:
        return f"on {_spoken(schedule.starts)}{_times(schedule.times)}"
    return f"{_days(schedule)}{_times(schedule.times)}{_limits(schedule, local(now, zone).date() if now else date.min)}"


def spoken_instant(instant: datetime, zone: str, now: datetime | None = None) -> str:
    """`Tuesday 24 November 2026, 18:30 (America/Los_Angeles)`; if `now` is given and near, `tomorrow, Tuesday …`."""
    there = local(instant, zone)
    today = local(now, zone).date() if now is not None else None
    return f"{spoken_day(there.date(), today)} {there:%Y, %H:%M} ({zone})"


def spoken_end(instant: datetime, zone: str, now: datetime | None = None) -> str:
    """The same for the end of something; a midnight is given as the day alone: `Monday 23 November 2026`."""
    return spoken_instant(instant, zone, now).removesuffix(f", 00:00 ({zone})")


def minutes_of(at: time) -> int:
    """Minutes since midnight."""
    return at.hour * HOUR_MINUTES + at.minute


def _days(schedule: Schedule) -> str:
    is_daily = schedule.repeat == "daily" or schedule.weekdays == WEEKDAYS
    if schedule.repeat in {"daily", "weekly"} and schedule.every == 1 and is_daily:
        return "daily"
    if schedule.repeat == "daily":
        return _every(schedule, "day")
    if schedule.repeat != "weekly":
        return _of_month(schedule)
    if schedule.every == 1 or len(schedule.weekdays) == 1:
        return _every(schedule, _weekdays(schedule, "and"))
    return f"{_every(schedule, 'week')} on {_joined([name.title() for name in schedule.weekdays])}"


def _weekdays(schedule: Schedule, conjunction: str) -> str:
    names = [name.title() for name in schedule.weekdays]
    return "weekday" if schedule.weekdays == _WORKDAYS else _joined(names, conjunction)


def _of_month(schedule: Schedule) -> str:
    if schedule.nth:
        of_month = f"{_joined(schedule.nth)} {_weekdays(schedule, 'or')}"
    else:
        of_month = _joined([_ordinal(day) for day in schedule.days_of_month])
    is_long = any(day > SHORTEST_MONTH_DAYS for day in schedule.days_of_month)
    if schedule.repeat == "monthly":
        each = "each month" if schedule.every == 1 else _every(schedule, "month")
        return f"on the {of_month} of {each}{' (the last day of shorter months)' if is_long else ''}"
    month = schedule.month.title()
    if schedule.nth:
        return f"{_every(schedule, 'year')} on the {of_month} of {month}"
    short = " (28 February in common years)" if is_long and month == "February" else ""
    return f"{_every(schedule, 'year')} on {_joined([str(day) for day in schedule.days_of_month])} {month}{short}"


def _every(schedule: Schedule, unit: str) -> str:
    if schedule.every == 1:
        return f"every {unit}"
    if schedule.every in _ORDINALS:
        return f"every {_ORDINALS[schedule.every]} {unit}"
    plain = _UNITS[schedule.repeat]
    return f"every {schedule.every} {plain}s" + (f" on {unit}" if unit != plain else "")


def _ordinal(day: int) -> str:
    is_teen = day // 10 == 1
    return f"{day}{'th' if is_teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"


def _times(times: Sequence[time]) -> str:
    steps = {minutes_of(later) - minutes_of(earlier) for earlier, later in pairwise(times)}
    if len(times) >= FEWEST_IN_STEP and len(steps) == 1 and not (step := steps.pop()) % HOUR_MINUTES:
        hours = "hour" if step == HOUR_MINUTES else f"{step // HOUR_MINUTES} hours"
        return f", every {hours} from {times[0]:%H:%M} to {times[-1]:%H:%M}"
    return f" at {_joined([f'{at:%H:%M}' for at in times])}"


def _limits(schedule: Schedule, today: date) -> str:
    text = f" from {_spoken(schedule.starts)}" if schedule.starts else ""
    if schedule.not_on_holidays:
        text += f", not on public holidays ({spoken_place(schedule.not_on_holidays)})"
    if left_out := [day for day in schedule.except_dates if day >= today]:
        named = [f"on {_spoken(day)}" for day in left_out[:MAX_DAYS_NAMED]]
        more = len(left_out) - len(named)
        text += f", except {_joined(named + ([f'{more} more days'] if more else []))}"
    return text + (f", until {_spoken(schedule.until)}" if schedule.until else "")


def _spoken(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _joined(words: Sequence[str], conjunction: str = "and") -> str:
    *others, last = words
    return f"{', '.join(others)} {conjunction} {last}" if others else last


@dataclass(frozen=True)
class Missed:
    """A routine whose text did not go out in time."""

    words: str
    due_at: datetime
    times_before: int  # The number of occurrences in a row that were missed before this one.


def missed_line(missed: Sequence[Missed], zone: str, now: datetime) -> str:
    """One text about everything that was missed."""
    more = len(missed) - MISSED_NAMED
    rest = f", and {more} more: /routines shows all" if more > 0 else ""
    these = "this" if len(missed) == 1 else "these"
    return f"Sorry, I was out of reach and missed {these}: {_named(missed, zone, now)}{rest}."


def welcome(passed: Sequence[Missed], waiting: Sequence[tuple[int, str]], zone: str, now: datetime) -> str:
    """The text after START: reminders that passed since the person's STOP, and routines that wait for their yes.

    `waiting` holds the number and words of each routine that waits.
    """
    said = ["Welcome back."]
    if passed:
        more = len(passed) - MISSED_NAMED
        rest = f", and {more} more" if more > 0 else ""
        said.append(f"This passed while you wanted no texts: {_named(passed, zone, now)}{rest}.")
    if waiting:
        more = len(waiting) - MISSED_NAMED
        rest = f"; and {more} more: /routines shows all" if more > 0 else ""
        these = "; ".join(f"{number}. {_short(words)}" for number, words in waiting[:MISSED_NAMED])
        said.append(f"I text nothing of this again before you say so: {these}{rest}. Text /resume and the number.")
    return " ".join(said)


def due_when(instant: datetime, zone: str, now: datetime) -> str:
    """`at 18:30`, or for another day `on Tuesday 24 November at 18:30`."""
    there = local(instant, zone)
    day = "" if same_local_day(instant, now, zone) else f"on {spoken_day(there.date())} "
    return f"{day}at {there:%H:%M}"


def _named(missed: Sequence[Missed], zone: str, now: datetime) -> str:
    before = {0: "", 1: ", and once before", MISSED_KEPT: f", and at least {MISSED_KEPT} times before"}
    return "; ".join(
        f"{_short(one.words)} (due {due_when(one.due_at, zone, now)}"
        f"{before.get(one.times_before, f', and {one.times_before} times before')})"
        for one in missed[:MISSED_NAMED]
    )


def _short(words: str) -> str:
    return words if len(words) <= WORDS_MAX_CHARS else f"{words[: WORDS_MAX_CHARS - 3].rstrip()}..."
