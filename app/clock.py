"""Time from one place, so that tests can hold it still."""

import time
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlalchemy import ColumnElement, SQLColumnExpression, or_

from app.errors import Refused

_NO_PLACE = frozenset({"localtime", "posixrules", "Factory"})  # Names a machine gives to a zone of its own choice.

WEEKDAYS = tuple("monday tuesday wednesday thursday friday saturday sunday".split())
MONTHS = tuple("january february march april may june july august september october november december".split())
MOMENT = timedelta(microseconds=1)  # The least difference between two instants.


class SystemClock:
    """The machine's clock. `FrozenClock` in the tests has the same methods."""

    def now(self) -> datetime:
        """The current instant, aware, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that never step back, for deadlines and leases."""
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Return after `seconds`."""
        time.sleep(seconds)


def zone_named(timezone: str) -> ZoneInfo:
    """The IANA zone of that name.

    Raises:
        Refused: there is none.
    """
    try:
        return ZoneInfo("" if timezone in _NO_PLACE else timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Refused(
            f"'{timezone[:60]}' is not an IANA time zone. Give one such as America/New_York or Europe/Lisbon."
        ) from None


def local(instant: datetime, timezone: str) -> datetime:
    """`instant` as clocks on the wall show it in the IANA zone `timezone`."""
    return instant.astimezone(ZoneInfo(timezone))


def same_local_day(first: datetime, second: datetime, timezone: str) -> bool:
    return local(first, timezone).date() == local(second, timezone).date()


def spoken_date(instant: datetime, timezone: str) -> str:
    """A date as people write it: `21 Nov 2026`."""
    day = local(instant, timezone)
    return f"{day.day} {day:%b %Y}"


def spoken_day(day: date, today: date | None = None) -> str:
    """A day as people say it: `Tuesday 24 November`, and if it is today or the day after, `tomorrow, Tuesday …`."""
    near = {0: "today, ", 1: "tomorrow, "}.get((day - today).days, "") if today is not None else ""
    return f"{near}{day:%A} {day.day} {day:%B}"


def seconds_between(earlier: datetime, later: datetime) -> float:
    return (later - earlier) / timedelta(seconds=1)


def days_between(earlier: datetime, later: datetime) -> float:
    return (later - earlier) / timedelta(days=1)


def end_of_day(day: date, timezone: str) -> datetime:
    """The instant at which the day is over in the IANA zone `timezone`."""
    after = day + timedelta(days=1)
    return datetime(after.year, after.month, after.day, tzinfo=ZoneInfo(timezone)).astimezone(UTC)


def last_day_before(instant: datetime, timezone: str) -> date:
    """The last day in the zone that has begun before `instant`: the day that `end_of_day` was given."""
    return local(instant - MOMENT, timezone).date()


# A clock that is set back leaves instants far ahead, and nobody should wait until it has caught up: an instant further
# ahead than anything sets it counts as past.


def has_come(instant: datetime, now: datetime, longest: timedelta) -> bool:
    """True if the wait for `instant`, which was set at most `longest` ahead, is over."""
    return not now < instant <= now + longest


def have_come(
    instant: SQLColumnExpression[datetime] | SQLColumnExpression[datetime | None], now: datetime, longest: timedelta
) -> ColumnElement[bool]:
    """SQL condition for `has_come`."""
    return or_(instant <= now, instant > now + longest)


def was_long_ago(
    noted: SQLColumnExpression[datetime] | SQLColumnExpression[datetime | None], now: datetime, at_least: timedelta
) -> ColumnElement[bool]:
    """SQL condition: noted at least this long ago, or this far ahead, by a clock that has since been set back."""
    return or_(noted <= now - at_least, noted > now + at_least)
