"""A schedule on its person's own clock, kept as JSON, and the days and instants at which it comes.

No zone is in it: it is asked in one, so it can stay where it was made or travel with its person. `request` checks what
people ask for. Instants are always strictly later than the one before.

The recurrence rules are dateutil's. They count from their first day on, so each is begun near the day that is asked
for: the thousandth day costs what the first does.
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
MAX_EXCEPT_DATES = 100  # Of which those that are past are dropped when another is added.
SHORTEST_MONTH_DAYS = 28

_FREQUENCIES: dict[str, Literal[0, 1, 2, 3]] = {"daily": DAILY, "weekly": WEEKLY, "monthly": MONTHLY, "yearly": YEARLY}
_PLACES = (1, 2, 3, 4, -1)  # Of NTH, among the month's days that are asked for.


@dataclass(frozen=True)
class Schedule:
    """Local days and times. Lists are put in order, and what is in them twice is in them once.

    Raises:
        Refused: it would never come, more days are left out than can be, or no holidays are known for the place.
    """

    repeat: str  # `once`, `daily`, `weekly`, `monthly` or `yearly`.
    times: tuple[time, ...] = ()  # Of each day on which it comes; on the minute.
    every: int = 1
    """2 for every second day, week (Monday to Sunday), month or year, counted from that in which `starts` lies."""
    weekdays: tuple[str, ...] = ()  # Of WEEKDAYS.
    nth: tuple[str, ...] = ()  # Of NTH: which of the month's days that are among `weekdays`.
    days_of_month: tuple[int, ...] = ()  # 1 to 31; one that a month does not have is its last day.
    month: str = ""  # Of MONTHS; for yearly alone.
    starts: date | None = None  # The day of what comes once; else the first day on which it may come.
    until: date | None = None  # The last day on which it may come.
    except_dates: tuple[date, ...] = ()
    not_on_holidays: str = ""
    """A country or a part of one, such as `DE` or `US-CA`, on whose public holidays it does not come."""
    instant: datetime | None = None
    """In UTC and exact: what comes once after a span has this instead of `starts` and `times`."""

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
        """What `as_dict` made."""
        return _KEPT.validate_python(kept)

    def as_dict(self) -> dict[str, Any]:
        """For JSON; without what is as it is by default."""
        return {name: _plain(value) for name, value in given_fields(self).items()}

    def without(self, day: date, *, today: date) -> "Schedule":
        """The same, but not on `day`; days before `today` need not be left out any longer."""
        return self._left_out([day], today)

    def paused_until(self, day: date, *, today: date) -> "Schedule":
        """The same, but not before `day`.

        Raises:
            Refused: it comes once, `day` is not to come, or is too far for what is counted from its first day.
        """
        if self.repeat == "once" or day <= today:
            raise Refused(f"Until {day}: only what repeats can be paused so, and until a day that is to come.")
        if self.every == 1:
            return replace(self, starts=max(day, self.starts or day))
        return self._left_out([today + timedelta(days=ahead) for ahead in range((day - today).days)], today)

    def _left_out(self, days: Sequence[date], today: date) -> "Schedule":
        return replace(self, except_dates=(*(one for one in self.except_dates if one >= today), *days))


def given_fields(one: Any) -> dict[str, Any]:
    """The fields of a dataclass that are not as they are by default."""
    return {
        field.name: value
        for field in fields(one)
        if (value := getattr(one, field.name)) != field.default and value not in (None, "", (), [], 0)
    }


def _plain(value: Any) -> Any:
    match value:
        case time():
            return value.isoformat(timespec="minutes")
        case date():  # An instant too.
            return value.isoformat()
        case tuple():
            return [_plain(one) for one in value]
        case _:
            return value


_KEPT = TypeAdapter(Schedule)


def due_after(schedule: Schedule, zone: str, after: datetime) -> datetime | None:
    """The next due instant, in UTC, strictly after `after`; None when it comes no more.

    Raises:
        Refused: there is no such zone.
    """
    return next((instant for _, instant in due_days(schedule, zone, after)), None)


def due_between(schedule: Schedule, zone: str, after: datetime, until: datetime) -> Iterator[datetime]:
    """All due instants that are strictly after `after` and not after `until`.

    Raises:
        Refused: there is no such zone.
    """
    return takewhile(lambda one: one <= until, (instant for _, instant in due_days(schedule, zone, after)))


def due_days(schedule: Schedule, zone: str, after: datetime) -> Iterator[tuple[date, datetime]]:
    """Every due instant after `after`, each with the local day that it belongs to."""
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
    """The days of the wall calendar on which it comes, from `first` on, in order; none after 2100."""
    place = schedule.not_on_holidays
    for day in rule_days(schedule, first):
        if day not in schedule.except_dates and not (place and is_holiday(day, place)):
            yield day


def rule_days(schedule: Schedule, first: date) -> Iterator[date]:
    """The same with the days that are left out, holidays and exceptions."""
    begin = max(first, schedule.starts or first)
    if schedule.repeat == "once":
        return iter([begin] if begin == schedule.starts else [])
    rules = rruleset()
    for which in _which_days(schedule):
        rule = rrule(
            _FREQUENCIES[schedule.repeat],
            dtstart=datetime.combine(_counted_from(schedule, begin), time.min),
            interval=schedule.every,
            wkst=MO,
            until=datetime.combine(min(schedule.until or LAST_DAY, LAST_DAY), time.min),
            **which,
        )
        rules.rrule(rule)
    return dropwhile(lambda day: day < begin, (moment.date() for moment in rules))


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

    So a time that comes twice is its first, and one that is leapt over is the end of the leap. Worked out each time
    from the rules of the zone, so that a change of them takes effect.
    """
    found = wall.replace(tzinfo=zone).astimezone(UTC)
    if _shown(found, zone) == wall:
        return found
    before = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)  # As far before the leap as `found` is behind it.
    leap = range(int((found - before) / timedelta(seconds=1)))
    seconds = bisect_left(leap, wall, key=lambda second: _shown(before + timedelta(seconds=second), zone))
    return before + timedelta(seconds=seconds)


def _day_exists(day: date, zone: ZoneInfo) -> bool:
    """False for a day that a place left out when it moved across the date line."""
    midnight = datetime.combine(day, time.min)
    return instant_of(midnight, zone) < instant_of(midnight + timedelta(days=1), zone)


def _shown(instant: datetime, zone: ZoneInfo) -> datetime:
    return instant.astimezone(zone).replace(tzinfo=None, fold=0)
