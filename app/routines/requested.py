"""From what was asked for to a schedule.

Dates, weekdays and spans are worked out here, from the instant at which the text came in and the zone of whoever wrote
it, and never by a model.
"""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Any

from app.clock import MONTHS, WEEKDAYS, local, zone_named
from app.errors import Refused
from app.routines import values
from app.routines.days import days_from, rule_days
from app.routines.described import describe, spoken_instant
from app.routines.due import due_after, due_days
from app.routines.request import FIELDS, ScheduleRequest
from app.routines.schedule import MAX_EVERY, MAX_EXCEPT_DATES, Schedule, given_fields, refuse_what_does_not_go
from app.routines.spacing import DAY_MINUTES, HOUR_MINUTES, check_apart, minutes_of

LEAST_MINUTES_APART = 60
MAX_SPAN_MINUTES = 366 * DAY_MINUTES
MAX_DAYS_AHEAD = 366
MAX_COUNT = 366
MAX_HOURS_APART = 12  # More is once a day.

_KEPT_AS_GIVEN = frozenset({"repeat", "times", "weekdays", "nth", "days_of_month", "month"})
_WHICH_DAYS = frozenset({"weekdays", "nth", "days_of_month", "month"})


def from_request(
    given: ScheduleRequest, received_at: datetime, zone: str, *, least_minutes_apart: int = LEAST_MINUTES_APART
) -> Schedule:
    """The schedule that was asked for in a text that came in at `received_at`, by someone in `zone`.

    Raises:
        Refused: something is wrong, missing or contradictory, the time has passed, it would never come, two times are
            nearer than `least_minutes_apart`, which an operator may lower, or there is no such zone.
    """
    zone_named(zone)
    repeat = values.one_of(tuple(FIELDS))("repeat", given.repeat)
    every = values.number(1, max(MAX_EVERY.values()))("every", given.every or 1)
    given = replace(given, repeat=repeat, every=every)
    refuse_what_does_not_go(given, FIELDS, repeat)
    if given.in_minutes:
        return _after_span(given, received_at)
    schedule = _once(given, received_at, zone) if repeat == "once" else _lasting(given, received_at, zone)
    check_apart(schedule, least_minutes_apart, local(received_at, zone).date())
    return schedule


def _after_span(given: ScheduleRequest, received_at: datetime) -> Schedule:
    if others := given_fields(given).keys() - {"repeat", "in_minutes"}:
        raise Refused(f"in_minutes goes alone, and {min(others)} is given too. Leave one of them out.")
    minutes = values.number(1, MAX_SPAN_MINUTES)("in_minutes", given.in_minutes)
    return Schedule("once", instant=received_at.astimezone(UTC) + timedelta(minutes=minutes))


def _once(given: ScheduleRequest, received_at: datetime, zone: str) -> Schedule:
    times = Schedule.from_dict({"repeat": "daily", "times": given.times}).times
    names = values.each(values.one_of(WEEKDAYS), len(WEEKDAYS))("weekdays", given.weekdays)
    day = _day_asked_for(given, received_at, zone)
    if len(names) > 1:
        raise Refused(
            f"weekdays: once is on one day, and {', '.join(names)} are {len(names)}. Send one, or repeat weekly."
        )
    if day and names and WEEKDAYS[day.weekday()] not in names:
        raise Refused(f"date: {day} is a {day:%A}, and no {names[0].title()}. Ask which is meant, and send that alone.")
    if day is None:  # The next on which none of the times has passed.
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
    rule = Schedule.from_dict(_rule(given, first or today))
    every = 1 if given.repeat == "hourly" else given.every
    # Every second Tuesday is counted from a Tuesday: the first after the day that was given, or the next.
    anchor = next(rule_days(rule, first), first) if first else _first_due_day(rule, received_at, zone)
    counted = replace(rule, every=every, starts=anchor)
    begins = _first_due_day(counted, received_at, zone)
    schedule = replace(
        counted,
        starts=begins if every > 1 or (first and first > today) else None,
        until=values.day("until", given.until) if given.until else None,
        except_dates=values.each(values.day, MAX_EXCEPT_DATES)("except_dates", given.except_dates),
        not_on_holidays=given.not_on_holidays,
    )
    begins = _first_due_day(schedule, received_at, zone)
    return replace(schedule, until=_last_of(given, schedule, begins)) if given.count else schedule


def _rule(given: ScheduleRequest, day: date) -> dict[str, Any]:
    """The days and times alone, as Schedule reads them. What was not said of the days is taken from `day`."""
    rule = {name: value for name, value in given_fields(given).items() if name in _KEPT_AS_GIVEN}
    match given.repeat:
        case "hourly":
            rule |= {"repeat": "weekly" if given.weekdays else "daily", "times": _hours(given)}
        case "daily" if given.weekdays:
            if given.every > 1:
                raise Refused(
                    "every and weekdays do not go together when repeat is 'daily'. Send one of them, or weekly."
                )
            rule["repeat"] = "weekly"
        case "weekly" if not given.weekdays:
            rule["weekdays"] = [WEEKDAYS[day.weekday()]]
        case "monthly" if not rule.keys() & _WHICH_DAYS:
            rule["days_of_month"] = [day.day]
        case "yearly" if not rule.keys() & _WHICH_DAYS:
            rule |= {"month": MONTHS[day.month - 1], "days_of_month": [day.day]}
    return rule


def _hours(given: ScheduleRequest) -> list[str]:
    hours = values.number(1, MAX_HOURS_APART)("every", given.every)
    begin = minutes_of(values.local_time("from_time", given.from_time or "00:00"))
    end = minutes_of(values.local_time("to_time", given.to_time or "23:59"))
    minutes = [
        (begin + ahead) % DAY_MINUTES for ahead in range(0, (end - begin) % DAY_MINUTES + 1, hours * HOUR_MINUTES)
    ]
    return [f"{one // HOUR_MINUTES:02}:{one % HOUR_MINUTES:02}" for one in minutes]


def _day_asked_for(given: ScheduleRequest, received_at: datetime, zone: str) -> date | None:
    if given.date and given.in_days:
        raise Refused("date and in_days both say which day. Send one of them.")
    if given.date:
        day: date = values.day("date", given.date)
        return day
    if given.in_days:
        days = values.number(1, MAX_DAYS_AHEAD)("in_days", given.in_days)
        return local(received_at, zone).date() + timedelta(days=days)
    return None


def _first_due_day(schedule: Schedule, received_at: datetime, zone: str) -> date:
    for day, _ in due_days(schedule, zone, received_at):
        return day
    raise Refused(
        f"That never comes: {describe(schedule, zone)}, and it is now {spoken_instant(received_at, zone)}. Send a "
        "later until, or other days, or fewer that are left out."
    )


def _last_of(given: ScheduleRequest, schedule: Schedule, first: date) -> date:
    if schedule.until:
        raise Refused("until and count both say when it ends. Send one of them.")
    count = values.number(1, MAX_COUNT)("count", given.count)
    return list(islice(days_from(schedule, first), count))[-1]
