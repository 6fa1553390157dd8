"""A person's wish before anything is worked out: the shape that a tool takes from the model."""

from collections.abc import Sequence
from dataclasses import dataclass

_LASTING = frozenset(
    {"repeat", "every", "date", "in_days", "weekdays", "until", "count", "except_dates", "not_on_holidays"}
)
FIELDS = {
    "once": frozenset({"repeat", "times", "date", "in_days", "in_minutes", "weekdays"}),
    "hourly": _LASTING | {"from_time", "to_time"},
    "daily": _LASTING | {"times"},
    "weekly": _LASTING | {"times"},
    "monthly": _LASTING | {"times", "nth", "days_of_month"},
    "yearly": _LASTING | {"times", "nth", "days_of_month", "month"},
}
"""Which fields go with which `repeat`."""


@dataclass(frozen=True)
class ScheduleRequest:
    """Flat and without nulls: what is empty or 0 was not given, since some models fill in every field."""

    repeat: str
    """once, hourly, daily, weekly, monthly or yearly."""
    times: Sequence[str] = ()
    """HH:MM on the 24-hour clock."""
    date: str = ""
    """YYYY-MM-DD: the day of what comes once, the first day of what repeats."""
    in_days: int = 0
    """The same, counted from today: 1 is tomorrow."""
    in_minutes: int = 0
    """Once, so long after the text came in; goes alone."""
    every: int = 1
    """2 for every second hour, day, week, month or year."""
    weekdays: Sequence[str] = ()
    """By name. For once: the next such day."""
    nth: Sequence[str] = ()
    """first, second, third, fourth or last: which of the month's days that are among `weekdays`."""
    days_of_month: Sequence[int] = ()
    """1 to 31; 31 is also the last day of every month."""
    month: str = ""
    """By name, for what comes yearly."""
    from_time: str = ""
    """For hourly: the first time of the day."""
    to_time: str = ""
    """For hourly: no time after it; on the next morning, when it is earlier than `from_time`."""
    until: str = ""
    """YYYY-MM-DD: the last day."""
    count: int = 0
    """On how many days it comes in all: 5 for "the next five days", 4 for "four Mondays"."""
    except_dates: Sequence[str] = ()
    """YYYY-MM-DD each."""
    not_on_holidays: str = ""
    """The country whose public holidays it leaves out, `DE`, or a part of one, `US-CA`."""
