"""Time from one place, so that tests can hold it still."""

import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo


class SystemClock:
    """The machine's clock. `FrozenClock` in the tests has the same methods."""

    def now(self) -> datetime:
        """The instant, aware, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that never step back, for deadlines and leases."""
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Return after `seconds`."""
        time.sleep(seconds)


def local(instant: datetime, timezone: str) -> datetime:
    """`instant` as the clocks on the wall show it in the IANA zone `timezone`."""
    return instant.astimezone(ZoneInfo(timezone))


def same_local_day(first: datetime, second: datetime, timezone: str) -> bool:
    return local(first, timezone).date() == local(second, timezone).date()


def spoken_date(instant: datetime, timezone: str) -> str:
    """A date as people write it: `21 Nov 2026`."""
    day = local(instant, timezone)
    return f"{day.day} {day:%b %Y}"


def seconds_between(earlier: datetime, later: datetime) -> float:
    return (later - earlier) / timedelta(seconds=1)
