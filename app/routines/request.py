"""Turns a request into a schedule.

Dates, weekdays and spans are computed here, from the instant at which the text arrived and the zone of its writer,
never by a model.
"""

import calendar
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from itertools import islice, pairwise
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from app.clock import MONTHS, WEEKDAYS, local, zone_named
from app.errors import Refused
from app.routines import values
from app.routines.described import DAY_MINUTES, HOUR_MINUTES, describe, minutes_of, spoken_instant
from app.routines.schedule import (
    MAX_EXCEPT_DATES,
    NTH,
    Schedule,
    days_from,
    due_after,
    due_days,
    given_fields,
    rule_days,
)

LEAST_MINUTES_APART = 60
MAX_SPAN_MINUTES = 366 * DAY_MINUTES
MAX_DAYS_AHEAD = 366
MAX_COUNT = 366
MAX_EVERY = {"once": 1, "hourly": 12, "daily": 365, "weekly": 52, "monthly": 24, "yearly": 10}
MAX_TIMES = 24  # Per day.
LEAP_YEAR = 2000  # Its February has 29 days.
DAYS_LOOKED_AT = 40  # Enough to find two consecutive days, also at the turn of a month.

_LASTING = frozenset(
    {"repeat", "every", "date", "in_days", "weekdays", "until", "count", "except_dates", "not_on_holidays"}
)
_FIELDS = {
    "once": frozenset({"repeat", "times", "date", "in_days", "in_minutes", "weekdays"}),
    "hourly": _LASTING | {"from_time", "to_time"},
    "daily": _LASTING | {"times"},
    "weekly": _LASTING | {"times"},
    "monthly": _LASTING | {"times", "nth", "days_of_month"},
    "yearly": _LASTING | {"times", "nth", "days_of_month", "month"},
}
"""The fields that are allowed with each `repeat`."""


@dataclass(frozen=True)
class ScheduleRequest:
    """When it comes: only what they said. Code works out the dates."""

    # It is flat and without nulls: empty or 0 means not given, because some models fill in every field. The model gets
    # all of it as a schema, including the docstring.
    __pydantic_config__ = ConfigDict(extra="forbid")

    repeat: Literal["once", "hourly", "daily", "weekly", "monthly", "yearly"]
    times: Annotated[list[str], Field(description="HH:MM, 24-hour, local.")] = field(default_factory=list)
    date: Annotated[str, Field(description="YYYY-MM-DD: the day of what comes once, or the first day.")] = ""
    in_days: Annotated[int, Field(description="Instead of date: 1 for tomorrow.")] = 0
    in_minutes: Annotated[int, Field(description="Once, alone: 120 for 'in 2 hours'.")] = 0
    every: Annotated[int, Field(description="2 for every second day, week and so on.")] = 1
    weekdays: Annotated[list[str], Field(description="English names. With once: the next such day.")] = field(
        default_factory=list
    )
    nth: Annotated[list[str], Field(description="first to fourth, last: which of these weekdays in the month.")] = (
        field(default_factory=list)
    )
    days_of_month: Annotated[list[int], Field(description="31 is also the last day.")] = field(default_factory=list)
    month: Annotated[str, Field(description="With yearly: its English name.")] = ""
    from_time: Annotated[str, Field(description="With hourly: HH:MM, the first.")] = ""
    to_time: Annotated[str, Field(description="With hourly: HH:MM, the last.")] = ""
    until: Annotated[str, Field(description="YYYY-MM-DD: the last day.")] = ""
    count: Annotated[int, Field(description="On how many days in all.")] = 0
    except_dates: Annotated[list[str], Field(description="YYYY-MM-DD each.")] = field(default_factory=list)
    not_on_holidays: Annotated[str, Field(description="Whose public holidays are left out: DE, US-CA.")] = ""


def from_request(given: ScheduleRequest, received_at: datetime, zone: str) -> Schedule:
    """The schedule that someone in `zone` asked for in a text that arrived at `received_at`.

    Raises:
        Refused: something is wrong, missing or contradictory, the time has passed, it would never come, two times are
            nearer than `LEAST_MINUTES_APART`, or there is no such zone.
    """
    zone_named(zone)
    repeat = given.repeat
    _refuse_misplaced_fields(given)
    given = replace(given, every=values.number("every", given.every or 1, 1, MAX_EVERY[repeat]))
    if given.in_minutes:
        if others := given_fields(given).keys() - {"repeat", "in_minutes"}:
            raise Refused(f"in_minutes goes alone, and {min(others)} is given too. Leave one of them out.")
        minutes = values.number("in_minutes", given.in_minutes, 1, MAX_SPAN_MINUTES)
        return Schedule("once", instant=received_at.astimezone(UTC) + timedelta(minutes=minutes))
    schedule = _once(given, received_at, zone) if repeat == "once" else _lasting(given, received_at, zone)
    check_apart(schedule, local(received_at, zone).date())
    return schedule


def checked_times(times: Sequence[str]) -> tuple[time, ...]:
    """The times of day, sorted and without duplicates.

    Raises:
        Refused: there are none, or one is not a time.
    """
    if not times:
        raise Refused("times: none is given. Send each as HH:MM, such as 07:00; if nobody said when, ask.")
    return tuple(sorted(set(values.each("times", times, MAX_TIMES, values.local_time))))


def check_apart(schedule: Schedule, today: date) -> None:
    """Raise `Refused` if two times are nearer than `LEAST_MINUTES_APART`, also over midnight on consecutive days."""
    gaps = [(minutes_of(later) - minutes_of(earlier), earlier, later) for earlier, later in pairwise(schedule.times)]
    days = pairwise(islice(rule_days(schedule, today), DAYS_LOOKED_AT))
    if len(schedule.times) > 1 and any((later - earlier).days == 1 for earlier, later in days):
        last, first = schedule.times[-1], schedule.times[0]
        gaps.append((minutes_of(first) + DAY_MINUTES - minutes_of(last), last, first))
    for gap, earlier, later in gaps:
        if gap < LEAST_MINUTES_APART:
            minutes = "1 minute" if gap == 1 else f"{gap} minutes"
            raise Refused(
                f"times: {earlier:%H:%M} and {later:%H:%M} are {minutes} apart, at least {LEAST_MINUTES_APART} "
                "are needed. Send fewer times, or others."
            )


def _refuse_misplaced_fields(given: ScheduleRequest) -> None:
    for name in given_fields(given):
        if name not in _FIELDS[given.repeat]:
            others = ", ".join(repeat for repeat, names in _FIELDS.items() if name in names)
            raise Refused(
                f"{name} does not go with repeat '{given.repeat}', only with {others}. Leave it out or change repeat."
            )


def _once(given: ScheduleRequest, received_at: datetime, zone: str) -> Schedule:
    times, names = checked_times(given.times), _weekdays(given)
    day = _day_asked_for(given, received_at, zone)
    if len(names) > 1:
        raise Refused(
            f"weekdays: once is on one day, and {', '.join(names)} are {len(names)}. Send one, or repeat weekly."
        )
    if day and names and WEEKDAYS[day.weekday()] not in names:
        raise Refused(f"date: {day} is a {day:%A}, and no {names[0].title()}. Ask which is meant, and send that alone.")
    if day is None:  # The next day on which none of the times has passed.
        rule = Schedule("weekly" if names else "daily", times=times[:1], weekdays=names)
        day = _first_due_day(rule, received_at, zone)
    if due_after(Schedule("once", times=times[:1], starts=day), zone, received_at) is None:
        raise Refused(
            f"date: {day} at {times[0]:%H:%M} has passed, it is now {spoken_instant(received_at, zone)}. Send a later "
            "day or time, or no date for the next day on which the time is still to come."
        )
    return Schedule("once", times=times, starts=day)


def _lasting(given: ScheduleRequest, received_at: datetime, zone: str) -> Schedule:
    today, first = local(received_at, zone).date(), _day_asked_for(given, received_at, zone)
    rule = _rule(given, first or today)
    every = 1 if given.repeat == "hourly" else given.every
    # Every second Tuesday is counted from a Tuesday: the first from the given day on, or the next.
    anchor = next(rule_days(rule, first), first) if first else _first_due_day(rule, received_at, zone)
    counted = replace(rule, every=every, starts=anchor)
    begins = _first_due_day(counted, received_at, zone)
    schedule = replace(
        counted,
        starts=begins if every > 1 or (first and first > today) else None,
        until=values.day("until", given.until) if given.until else None,
        except_dates=values.each("except_dates", given.except_dates, MAX_EXCEPT_DATES, values.day),
        not_on_holidays=given.not_on_holidays,
    )
    begins = _first_due_day(schedule, received_at, zone)
    if not given.count:
        return schedule
    if schedule.until:
        raise Refused("until and count both say when it ends. Send one of them.")
    count = values.number("count", given.count, 1, MAX_COUNT)
    return replace(schedule, until=list(islice(days_from(schedule, begins), count))[-1])


def _rule(given: ScheduleRequest, day: date) -> Schedule:
    """The days and times of the request alone; unspecified days are taken from `day`."""
    repeat: str = given.repeat
    times = _hours(given) if repeat == "hourly" else checked_times(given.times)
    weekdays = _weekdays(given)
    nth = values.each("nth", given.nth, len(NTH), partial(values.one_of, names=NTH))
    days = values.each("days_of_month", given.days_of_month, 31, partial(values.number, least=1, most=31))
    month = values.one_of("month", given.month, MONTHS) if given.month else ""
    match repeat:
        case "hourly" | "daily":
            if weekdays and repeat == "daily" and given.every > 1:
                raise Refused(
                    "every and weekdays do not go together when repeat is 'daily'. Send one of them, or weekly."
                )
            repeat = "weekly" if weekdays else "daily"
        case "weekly":
            weekdays = weekdays or (WEEKDAYS[day.weekday()],)
        case _:
            if not (weekdays or nth or days or month):
                days, month = (day.day,), MONTHS[day.month - 1] if repeat == "yearly" else ""
            _check_days_of_month(repeat, bool(weekdays), bool(nth), days, month)
    return Schedule(repeat, times, weekdays=weekdays, nth=nth, days_of_month=days, month=month)


def _check_days_of_month(repeat: str, by_weekday: bool, by_nth: bool, days: Sequence[int], month: str) -> None:
    if repeat == "yearly" and not month:
        raise Refused(f"month is missing. Send one of: {', '.join(MONTHS)}.")
    if by_weekday != by_nth or by_weekday == bool(days):
        raise Refused(
            "Which days of the month is not clear. Send either days_of_month, such as [31], or both nth and "
            "weekdays, such as ['last'] and ['friday']."
        )
    last = calendar.monthrange(LEAP_YEAR, MONTHS.index(month) + 1)[1] if month else 31
    if too_late := [day for day in days if day > last]:
        raise Refused(f"days_of_month: {month.title()} has no day {too_late[0]}. Send 1 to {last}.")


def _weekdays(given: ScheduleRequest) -> tuple[str, ...]:
    return values.each("weekdays", given.weekdays, len(WEEKDAYS), partial(values.one_of, names=WEEKDAYS))


def _hours(given: ScheduleRequest) -> tuple[time, ...]:
    begin = minutes_of(values.local_time("from_time", given.from_time or "00:00"))
    end = minutes_of(values.local_time("to_time", given.to_time or "23:59"))
    minutes = range(begin, begin + (end - begin) % DAY_MINUTES + 1, given.every * HOUR_MINUTES)
    return tuple(time(*divmod(one % DAY_MINUTES, HOUR_MINUTES)) for one in minutes)


def _day_asked_for(given: ScheduleRequest, received_at: datetime, zone: str) -> date | None:
    if given.date and given.in_days:
        raise Refused("date and in_days both say which day. Send one of them.")
    if given.in_days:
        days = values.number("in_days", given.in_days, 1, MAX_DAYS_AHEAD)
        return local(received_at, zone).date() + timedelta(days=days)
    return values.day("date", given.date) if given.date else None


def _first_due_day(schedule: Schedule, received_at: datetime, zone: str) -> date:
    for day, _ in due_days(schedule, zone, received_at):
        return day
    raise Refused(
        f"That never comes: {describe(schedule, zone)}, and it is now {spoken_instant(received_at, zone)}. Send a "
        "later until, or other days, or fewer that are left out."
    )
