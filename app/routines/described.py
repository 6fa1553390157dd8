"""A schedule in plain English, for confirmations and lists."""

from collections.abc import Sequence
from datetime import date, datetime, time
from itertools import pairwise

from app.clock import WEEKDAYS, local
from app.routines.public_holidays import spoken_place
from app.routines.schedule import SHORTEST_MONTH_DAYS, Schedule
from app.routines.spacing import HOUR_MINUTES, minutes_of

MAX_DAYS_NAMED = 3  # Of those that are left out: a confirmation is a text message.
FEWEST_IN_STEP = 3  # Two times are always equally far apart.

_WORKDAYS = WEEKDAYS[:5]
_UNITS = {"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year"}
_ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth"}


def describe(schedule: Schedule, zone: str, now: datetime | None = None) -> str:
    """`every second Tuesday at 18:30 from 24 November 2026`; `zone` is needed for what comes once after a span.

    Where `now` is given, days before it that were left out are not told any more.
    """
    if schedule.instant is not None:
        there = local(schedule.instant, zone)
        return f"on {_spoken(there.date())} at {there:%H:%M}"
    if schedule.repeat == "once" and schedule.starts is not None:
        return f"on {_spoken(schedule.starts)}{_times(schedule.times)}"
    return f"{_days(schedule)}{_times(schedule.times)}{_limits(schedule, local(now, zone).date() if now else date.min)}"


def spoken_instant(instant: datetime, zone: str, now: datetime | None = None) -> str:
    """`Tuesday 24 November 2026, 18:30 (America/Los_Angeles)`; where `now` is given and near, `tomorrow, Tuesday …`."""
    there = local(instant, zone)
    ahead = (there.date() - local(now, zone).date()).days if now is not None else None
    near = "today, " if ahead == 0 else "tomorrow, " if ahead == 1 else ""
    return f"{near}{there:%A} {_spoken(there.date())}, {there:%H:%M} ({zone})"


def spoken_end(instant: datetime, zone: str, now: datetime | None = None) -> str:
    """The same of an instant up to which something lasts: of a midnight the day alone, `Monday 23 November 2026`."""
    return spoken_instant(instant, zone, now).removesuffix(f", 00:00 ({zone})")


def _days(schedule: Schedule) -> str:
    match schedule.repeat:
        case "daily":
            return "daily" if schedule.every == 1 else _every(schedule, "day")
        case "weekly":
            return _weekdays(schedule)
        case "monthly":
            each = "each month" if schedule.every == 1 else _every(schedule, "month")
            return f"on the {_of_month(schedule)} of {each}{_if_short(schedule, 'the last day of shorter months')}"
        case _:
            month = schedule.month.title()
            if schedule.nth:
                return f"{_every(schedule, 'year')} on the {_of_month(schedule)} of {month}"
            days = _joined([str(day) for day in schedule.days_of_month])
            short = _if_short(schedule, "28 February in common years") if schedule.month == "february" else ""
            return f"{_every(schedule, 'year')} on {days} {month}{short}"


def _weekdays(schedule: Schedule) -> str:
    names = [name.title() for name in schedule.weekdays]
    if schedule.every == 1 and len(names) == len(WEEKDAYS):
        return "daily"
    if schedule.every == 1 or len(names) == 1:
        return _every(schedule, "weekday" if schedule.weekdays == _WORKDAYS else _joined(names))
    return f"{_every(schedule, 'week')} on {_joined(names)}"


def _of_month(schedule: Schedule) -> str:
    if not schedule.nth:
        return _joined([_ordinal(day) for day in schedule.days_of_month])
    names = [name.title() for name in schedule.weekdays]
    return f"{_joined(schedule.nth)} {'weekday' if schedule.weekdays == _WORKDAYS else _joined(names, 'or')}"


def _if_short(schedule: Schedule, then: str) -> str:
    return f" ({then})" if any(day > SHORTEST_MONTH_DAYS for day in schedule.days_of_month) else ""


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
        text += f", not on public holidays in {spoken_place(schedule.not_on_holidays)}"
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
