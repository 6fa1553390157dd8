"""A schedule on its person's own clock, stored as JSON, and the days and instants at which it comes.

It holds no zone: callers pass one, so a schedule can stay in a zone or travel with its person. `request` checks what
people ask for. Each instant is strictly later than the one before.

The recurrence rules are dateutil's. They count from their first day, so each rule is started near the requested day:
the thousandth day costs as little as the first.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import dropwhile, takewhile
from typing import Any, Literal
from zoneinfo import ZoneInfo

from dateutil.relativedelta import relativedelta
from dateutil.rrule import DAILY, MO, MONTHLY, WEEKLY, YEARLY, rrule, rruleset
from pydantic import TypeAdapter

from app.clock import MONTHS, WEEKDAYS, local, zone_named
from app.errors import Refused
from app.routines.public_holidays import checked_place, is_holiday
from app.routines.values import LAST_DAY

NTH = tuple("first second third fourth last".split())
MAX_EXCEPT_DATES = 100  # Past ones are dropped when another is added.
SHORTEST_MONTH_DAYS = 28

_FREQUENCIES: dict[str, Literal[0, 1, 2, 3]] = {"daily": DAILY, "weekly": WEEKLY, "monthly": MONTHLY, "yearly": YEARLY}
_PLACES = (1, 2, 3, 4, -1)  # The positions of NTH among the month's matching days.


@dataclass(frozen=True)
class Schedule:
    """Local days and times. Lists are sorted and lose their duplicates.

    Raises:
        Refused: it would never come, it has too many exceptions, or no holidays are known for the place.
    """

    repeat: str  # `once`, `daily`, `weekly`, `monthly` or `yearly`.
    times: tuple[time, ...] = ()  # On each of its days, to the minute.
    every: int = 1
    """2 for every second day, week (Monday to Sunday), month or year, counted from the one that contains `starts`."""
    weekdays: tuple[str, ...] = ()  # Elements of WEEKDAYS.
    nth: tuple[str, ...] = ()  # Elements of NTH: positions among the month's days that match `weekdays`.
    days_of_month: tuple[int, ...] = ()  # 1 to 31; in a shorter month it is the last day.
    month: str = ""  # One of MONTHS; only for yearly.
    starts: date | None = None  # For `once` its day; otherwise the first day on which it may come.
    until: date | None = None  # The last day on which it may come.
    except_dates: tuple[date, ...] = ()
    not_on_holidays: str = ""
    """A country or part of one, such as `DE` or `US-CA`; it does not come on the public holidays there."""
    instant: datetime | None = None
    """The exact instant in UTC, for `once` after a span of minutes; it replaces `starts` and `times`."""

    def __post_init__(self) -> None:
        ordered: dict[str, list[Any]] = {
            "times": sorted(set(self.times)),
            "weekdays": [name for name in WEEKDAYS if name in self.weekdays],
            "nth": [name for name in NTH if name in self.nth],
            "days_of_month": sorted(set(self.days_of_month)),
            "except_dates": sorted(set(self.except_dates)),
        }
        for name, ones in ordered.items():
            object.__setattr__(self, name, tuple(ones))
        if self.not_on_holidays:
            object.__setattr__(self, "not_on_holidays", checked_place(self.not_on_holidays))
        if self.starts and self.until and self.until < self.starts:
            raise Refused(
                f"until: {self.until} is before the first day, {self.starts}, so it would never come. Send a later "
                "day, or leave until out."
            )
        if len(self.except_dates) > MAX_EXCEPT_DATES:
            raise Refused(
                f"except_dates: {len(self.except_dates)} days are too many, at most {MAX_EXCEPT_DATES} can be left "
                "out. Send until instead, or another schedule."
            )

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> "Schedule":
        """The schedule that `as_dict` stored."""
        return _KEPT.validate_python(kept)

    def as_dict(self) -> dict[str, Any]:
        """The fields that differ from their defaults, ready for JSON."""
        return {name: _plain(value) for name, value in given_fields(self).items()}

    def without(self, day: date, *, today: date) -> "Schedule":
        """A copy with `day` as an exception; exceptions before `today` are dropped."""
        return self._with_exceptions([day], today)

    def paused_until(self, day: date, *, today: date) -> "Schedule":
        """A copy that does not come before `day`.

        Raises:
            Refused: it comes once, `day` is not in the future, or an `every` above 1 would need too many exceptions.
        """
        if self.repeat == "once" or day <= today:
            raise Refused(f"Until {day}: only what repeats can be paused so, and until a day that is to come.")
        if self.every == 1:
            return replace(self, starts=max(day, self.starts or day))
        return self._with_exceptions([today + timedelta(days=ahead) for ahead in range((day - today).days)], today)

    def _with_exceptions(self, days: Sequence[date], today: date) -> "Schedule":
        return replace(self, except_dates=(*(one for one in self.except_dates if one >= today), *days))


def given_fields(one: Any) -> dict[str, Any]:
    """The fields of a dataclass that are neither empty nor at their default."""
    return {
        field.name: value
        for field in fields(one)
        if (value := getattr(one, field.name)) != field.default and value not in (None, "", (), [], 0)
    }


def _plain(value: Any) -> Any:
    match value:
        case time():
            return value.isoformat(timespec="minutes")
        case date():  # A datetime is a date too.
            return value.isoformat()
        case tuple():
            return [_plain(one) for one in value]
        case _:
            return value


_KEPT = TypeAdapter(Schedule)


def due_after(schedule: Schedule, zone: str, after: datetime) -> datetime | None:
    """The next due instant, in UTC, strictly after `after`; None if it comes no more.

    Raises:
        Refused: there is no such zone.
    """
    return next((instant for _, instant in due_days(schedule, zone, after)), None)


def due_between(schedule: Schedule, zone: str, after: datetime, until: datetime) -> Iterator[datetime]:
    """All due instants strictly after `after` and up to `until`.

    Raises:
        Refused: there is no such zone.
    """
    return takewhile(lambda one: one <= until, (instant for _, instant in due_days(schedule, zone, after)))


def due_days(schedule: Schedule, zone: str, after: datetime) -> Iterator[tuple[date, datetime]]:
    """Every due instant after `after`, with the local day it belongs to."""
    where = zone_named(zone)
    if schedule.instant is not None:
        if schedule.instant > after:
            yield local(schedule.instant, zone).date(), schedule.instant
        return
    last = after
    for day in days_from(schedule, local(after, zone).date()):
        for at in schedule.times:
            instant = instant_of(datetime.combine(day, at), where)
            if instant > last and (schedule.repeat == "once" or _day_exists(day, where)):
                last = instant
                yield day, instant


def days_from(schedule: Schedule, first: date) -> Iterator[date]:
    """The local days on which it comes, from `first` on, in order; none after 2100."""
    place = schedule.not_on_holidays
    for day in rule_days(schedule, first):
        if day not in schedule.except_dates and not (place and is_holiday(day, place)):
            yield day


def rule_days(schedule: Schedule, first: date) -> Iterator[date]:
    """The same, including holidays and exceptions."""
    begin = max(first, schedule.starts or first)
    if schedule.repeat == "once":
        return iter([begin] if begin == schedule.starts else [])
    rules = rruleset()
    for which in _rrule_arguments(schedule):
        rule = rrule(
            _FREQUENCIES[schedule.repeat],
            dtstart=datetime.combine(_period_start(schedule, begin), time.min),
            interval=schedule.every,
            wkst=MO,
            until=datetime.combine(min(schedule.until or LAST_DAY, LAST_DAY), time.min),
            **which,
        )
        rules.rrule(rule)
    return dropwhile(lambda day: day < begin, (moment.date() for moment in rules))


def _rrule_arguments(schedule: Schedule) -> Iterator[dict[str, Any]]:
    """The schedule's rules, as keyword arguments of rrule.

    A day that a month does not have falls on its last day: the rule takes the first match of that day and the last.
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


def _period_start(schedule: Schedule, day: date) -> date:
    """The start of the last counted period (every second week, third month …) that begins on or before `day`."""
    if schedule.starts is None or schedule.every == 1:
        return day
    begin = schedule.starts
    if schedule.repeat in {"daily", "weekly"}:
        days = schedule.every * (7 if schedule.repeat == "weekly" else 1)
        return begin + timedelta(days=(day - begin).days // days * days)
    is_monthly = schedule.repeat == "monthly"
    months = schedule.every * (1 if is_monthly else 12)
    begin = begin.replace(day=1, month=begin.month if is_monthly else 1)
    passed = (day.year - begin.year) * 12 + day.month - begin.month
    return begin + relativedelta(months=passed // months * months)


def instant_of(wall: datetime, zone: ZoneInfo) -> datetime:
    """The first instant, in UTC, at which the clocks of `zone` show `wall` or later; `wall` is naive.

    So a time that occurs twice means the first, and a time in a clock change's gap means the end of the gap. It is
    computed each time from the zone's rules, so that changes of those take effect.
    """
    found = wall.replace(tzinfo=zone).astimezone(UTC)
    if _wall_time(found, zone) == wall:
        return found
    before = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)  # As far before the gap as `found` is after it.
    leap = range(int((found - before) / timedelta(seconds=1)))
    seconds = bisect_left(leap, wall, key=lambda second: _wall_time(before + timedelta(seconds=second), zone))
    return before + timedelta(seconds=seconds)


def _day_exists(day: date, zone: ZoneInfo) -> bool:
    """False for a day that a place skipped when it moved across the date line."""
    midnight = datetime.combine(day, time.min)
    return instant_of(midnight, zone) < instant_of(midnight + timedelta(days=1), zone)


def _wall_time(instant: datetime, zone: ZoneInfo) -> datetime:
    return instant.astimezone(zone).replace(tzinfo=None, fold=0)
