"""A schedule on its person's own clock: a value that is checked when it is made, and kept as JSON.

No zone is in it: it is asked in one, so it can stay where it was made or travel with its person.
"""

import calendar
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from app.clock import MONTHS, WEEKDAYS
from app.errors import Refused
from app.routines import values
from app.routines.public_holidays import checked_place

REPEATS = tuple("once daily weekly monthly yearly".split())
NTH = tuple("first second third fourth last".split())

MAX_EVERY = {"once": 1, "daily": 365, "weekly": 52, "monthly": 24, "yearly": 10}
MAX_TIMES = 288  # A day: every five minutes, for an operator.
MAX_EXCEPT_DATES = 100  # Of which those that are past are dropped when another is added.
LEAP_YEAR = 2000  # Its February has all the days that one can have.
SHORTEST_MONTH_DAYS = 28

_LASTING = frozenset({"repeat", "times", "every", "starts", "until", "except_dates", "not_on_holidays"})
_FIELDS = {
    "once": frozenset({"repeat", "times", "starts", "instant"}),
    "daily": _LASTING,
    "weekly": _LASTING | {"weekdays"},
    "monthly": _LASTING | {"weekdays", "nth", "days_of_month"},
    "yearly": _LASTING | {"weekdays", "nth", "days_of_month", "month"},
}
"""Which fields go with which `repeat`."""


@dataclass(frozen=True)
class Schedule:
    """Local days and times. Lists are put in order, and what is in them twice is in them once.

    Raises:
        Refused: a value is out of bounds, or does not go with the others.
    """

    repeat: str  # One of REPEATS.
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
        object.__setattr__(self, "repeat", values.one_of(REPEATS)("repeat", self.repeat))
        refuse_what_does_not_go(self, _FIELDS, self.repeat)
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
        self._check_days()
        self._check_range()

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> "Schedule":
        """What `as_dict` made.

        Raises:
            Refused: a key is unknown, or a value is wrong.
        """
        if unknown := [key for key in given if key not in _READERS]:
            raise Refused(f"{values.shown(unknown[0])} is no field of a schedule. There are: {', '.join(_READERS)}.")
        if "repeat" not in given:
            raise Refused(f"repeat is missing. Send one of: {', '.join(REPEATS)}.")
        return cls(**{key: _READERS[key](key, value) for key, value in given.items()})

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

    def _check_days(self) -> None:
        if self.instant is not None and (self.times or self.starts):
            raise Refused(f"instant: {self.instant} goes alone. Leave it out, or else times and starts.")
        if self.instant is None and not self.times:
            raise Refused("times: none is given. Send each as HH:MM, such as 07:00; if nobody said when, ask.")
        if self.instant is None and self.repeat == "once" and self.starts is None:
            raise Refused("starts is missing: what comes once needs its day. Send it as YYYY-MM-DD.")
        if self.repeat == "weekly" and not self.weekdays:
            raise Refused(f"weekdays: none is given. Send some of: {', '.join(WEEKDAYS)}.")
        if self.repeat == "yearly" and not self.month:
            raise Refused(f"month is missing. Send one of: {', '.join(MONTHS)}.")
        by_weekday = bool(self.weekdays or self.nth)
        is_half = bool(self.weekdays) != bool(self.nth)
        if self.repeat in {"monthly", "yearly"} and (is_half or by_weekday == bool(self.days_of_month)):
            raise Refused(
                "Which days of the month is not clear. Send either days_of_month, such as [31], or both nth and "
                "weekdays, such as ['last'] and ['friday']."
            )
        days = calendar.monthrange(LEAP_YEAR, MONTHS.index(self.month) + 1)[1] if self.month else 31
        if too_late := [day for day in self.days_of_month if day > days]:
            raise Refused(f"days_of_month: {self.month.title()} has no day {too_late[0]}. Send 1 to {days}.")

    def _check_range(self) -> None:
        values.number(1, MAX_EVERY[self.repeat])("every", self.every)
        if self.every > 1 and self.starts is None:
            raise Refused(f"starts is missing: every {self.every} has to be counted from a day. Send it as YYYY-MM-DD.")
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


def given_fields(one: Any) -> dict[str, Any]:
    """The fields of a dataclass that are not as they are by default."""
    return {
        field.name: value
        for field in fields(one)
        if (value := getattr(one, field.name)) != field.default and value not in (None, "", (), [], 0)
    }


def refuse_what_does_not_go(one: Any, fields_of: Mapping[str, frozenset[str]], repeat: str) -> None:
    for name in given_fields(one):
        if name not in fields_of[repeat]:
            others = ", ".join(repeat for repeat, names in fields_of.items() if name in names)
            raise Refused(
                f"{name} does not go with repeat '{repeat}', only with {others}. Leave it out or change repeat."
            )


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


_READERS: dict[str, values.Reader] = {
    "repeat": values.one_of(REPEATS),
    "times": values.each(values.local_time, MAX_TIMES),
    "every": values.number(1, max(MAX_EVERY.values())),
    "weekdays": values.each(values.one_of(WEEKDAYS), len(WEEKDAYS)),
    "nth": values.each(values.one_of(NTH), len(NTH)),
    "days_of_month": values.each(values.number(1, 31), 31),
    "month": values.one_of(MONTHS),
    "starts": values.day,
    "until": values.day,
    "except_dates": values.each(values.day, MAX_EXCEPT_DATES),
    "not_on_holidays": values.text,
    "instant": values.instant,
}
