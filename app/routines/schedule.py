"""A schedule on its person's own clock: the days and times at which something comes, kept as JSON.

No zone is in it: it is asked in one, so it can stay where it was made or travel with its person. `request` checks what
people ask for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from pydantic import TypeAdapter

from app.clock import WEEKDAYS
from app.errors import Refused
from app.routines.public_holidays import checked_place

NTH = tuple("first second third fourth last".split())
MAX_EXCEPT_DATES = 100  # Of which those that are past are dropped when another is added.
SHORTEST_MONTH_DAYS = 28


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
