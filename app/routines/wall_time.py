"""From what the clocks on the wall show to the instant at which they do.

Worked out each time from the rules of the zone, so that a change of them takes effect.
"""

from bisect import bisect_left
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo


def instant_of(wall: datetime, zone: ZoneInfo) -> datetime:
    """The first instant, in UTC, at which the clocks of `zone` show `wall` or later; `wall` is naive.

    So a time that comes twice is its first, and one that is leapt over is the end of the leap.
    """
    found = wall.replace(tzinfo=zone).astimezone(UTC)
    if _shown(found, zone) == wall:
        return found
    before = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)  # As far before the leap as `found` is behind it.
    leap = range(int((found - before) / timedelta(seconds=1)))
    seconds = bisect_left(leap, wall, key=lambda second: _shown(before + timedelta(seconds=second), zone))
    return before + timedelta(seconds=seconds)


def day_exists(day: date, zone: ZoneInfo) -> bool:
    """False for a day that a place left out when it moved across the date line."""
    midnight = datetime.combine(day, time.min)
    return instant_of(midnight, zone) < instant_of(midnight + timedelta(days=1), zone)


def _shown(instant: datetime, zone: ZoneInfo) -> datetime:
    return instant.astimezone(zone).replace(tzinfo=None, fold=0)
