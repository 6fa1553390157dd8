"""The days on which a schedule comes, as dates of the wall calendar: no zone and no time of day matters here.

The recurrence rules are dateutil's. They count from their first day on, so each is begun near the day that is asked
for: the thousandth day costs what the first does.
"""

from collections.abc import Iterator
from datetime import date, datetime, time
from heapq import merge
from typing import Any, Literal

from dateutil.relativedelta import relativedelta
from dateutil.rrule import DAILY, MO, MONTHLY, WEEKLY, YEARLY, rrule

from app.clock import MONTHS, WEEKDAYS
from app.routines.public_holidays import is_holiday
from app.routines.schedule import NTH, SHORTEST_MONTH_DAYS, Schedule
from app.routines.values import LAST_DAY

_FREQUENCIES: dict[str, Literal[0, 1, 2, 3]] = {"daily": DAILY, "weekly": WEEKLY, "monthly": MONTHLY, "yearly": YEARLY}
_PERIODS = {
    "daily": relativedelta(days=1),
    "weekly": relativedelta(weeks=1),
    "monthly": relativedelta(months=1),
    "yearly": relativedelta(years=1),
}
_PLACES = (1, 2, 3, 4, -1)  # Of NTH, among the month's days that are asked for.


def days_from(schedule: Schedule, first: date) -> Iterator[date]:
    """The days on which it comes, from `first` on, in order; none after 2100."""
    place = schedule.not_on_holidays
    for day in rule_days(schedule, first):
        if day not in schedule.except_dates and not (place and is_holiday(day, place)):
            yield day


def rule_days(schedule: Schedule, first: date) -> Iterator[date]:
    """The same with the days that are left out, holidays and exceptions."""
    begin = max(first, schedule.starts or first)
    last = min(schedule.until or LAST_DAY, LAST_DAY)
    if schedule.repeat == "once":
        if begin == schedule.starts:
            yield begin
        return
    rules = (
        rrule(
            _FREQUENCIES[schedule.repeat],
            dtstart=datetime.combine(_counted_from(schedule, begin), time.min),
            interval=schedule.every,
            wkst=MO,
            until=datetime.combine(last, time.min),
            **which,
        )
        for which in _which_days(schedule)
    )
    before: date | None = None
    for day in (moment.date() for moment in merge(*rules)):
        if day >= begin and day != before:
            yield day
        before = day


def _which_days(schedule: Schedule) -> Iterator[dict[str, Any]]:
    """The rules that make it up, as rrule takes them.

    A month that is too short for a day has it on its last: the first that there is of that day and the last one.
    """
    within = {"bymonth": MONTHS.index(schedule.month) + 1} if schedule.month else {}
    weekdays = [WEEKDAYS.index(name) for name in schedule.weekdays]
    if schedule.nth:
        yield {**within, "byweekday": weekdays, "bysetpos": [_PLACES[NTH.index(name)] for name in schedule.nth]}
    elif weekdays:
        yield {"byweekday": weekdays}
    elif not schedule.days_of_month:
        yield {}
    if everywhere := [day for day in schedule.days_of_month if day <= SHORTEST_MONTH_DAYS]:
        yield {**within, "bymonthday": everywhere}
    for day in schedule.days_of_month[len(everywhere) :]:
        yield {**within, "bymonthday": [day, -1], "bysetpos": 1}


def _counted_from(schedule: Schedule, day: date) -> date:
    """The first day of the last period on or before `day` that counts, of every second week or third month."""
    if schedule.starts is None or schedule.every == 1:
        return day
    begin = schedule.starts
    match schedule.repeat:
        case "daily":
            passed = (day - begin).days
        case "weekly":
            passed = (day - begin).days // 7
        case "monthly":
            begin = begin.replace(day=1)
            passed = (day.year - begin.year) * 12 + day.month - begin.month
        case _:
            begin = begin.replace(month=1, day=1)
            passed = day.year - begin.year
    return begin + _PERIODS[schedule.repeat] * (passed // schedule.every * schedule.every)
