"""Time zones as people name them: `Eastern time`, `Europe/Paris`, `UTC+2`, `Tokyo time`."""

import re
from functools import cache
from zoneinfo import available_timezones

# What people call each zone, besides its IANA name and its city.
_NAMES: dict[str, str] = {
    "America/New_York": "eastern, est, edt, et, boston, washington, miami, florida",
    "America/Chicago": "central, cst, cdt, ct, texas",
    "America/Denver": "mountain, mst, mdt, mt",
    "America/Phoenix": "arizona",
    "America/Los_Angeles": "pacific, pst, pdt, pt, san francisco, seattle, california",
    "America/Anchorage": "alaska",
    "Pacific/Honolulu": "hawaii, hst",
    "America/Halifax": "atlantic",
    "Europe/London": "uk, british, gmt, bst",
    "Europe/Paris": "cet, cest, central european, france",
    "Europe/Athens": "eet, eest, eastern european",
    "Europe/Lisbon": "wet, west",
    "Asia/Kolkata": "ist, india, indian, mumbai, delhi",
    "Asia/Tokyo": "jst, japan",
    "Asia/Seoul": "kst",
    "Asia/Shanghai": "china, beijing",
    "Australia/Sydney": "aest, aedt",
    "Australia/Perth": "awst",
    "Pacific/Auckland": "nzst, nzdt",
    "UTC": "utc, z",
    "Europe/Madrid": "barcelona, spain",
    "Europe/Berlin": "munich, germany",
    "Europe/Rome": "italy",
}
_COMMON = {name: zone for zone, names in _NAMES.items() for name in names.split(", ")}
_OFFSET = re.compile(r"(?:utc|gmt) ?([+-]) ?(\d{1,2})(?::?00)?", re.IGNORECASE)
_NOT_CITIES = frozenset(
    {"summer", "standard", "daylight", "local", "same", "my", "the", "your", "work", "free", "full", "part"}
)
_AROUND = re.compile(
    r"^(?:the |in |on )*|(?: (?:standard|daylight|summer))?(?: (?:time|timezone|zone))*[ .!]*$", re.IGNORECASE
)


def zone_named(words: str) -> str | None:
    """The IANA name of the zone that the words mean, or None."""
    name = _AROUND.sub("", words.strip().strip("\"'"))
    offset = _OFFSET.fullmatch(name)
    if offset:
        return _fixed(offset[1], int(offset[2]))
    key = name.lower()
    return _COMMON.get(key) or (None if key in _NOT_CITIES else _known().get(key.replace(" ", "_")))


def _fixed(sign: str, hours: int) -> str | None:
    if hours > (14 if sign == "+" else 12):
        return None
    # POSIX counts the other way round: Etc/GMT-2 is two hours ahead of UTC.
    return "UTC" if hours == 0 else f"Etc/GMT{'-' if sign == '+' else '+'}{hours}"


@cache
def _known() -> dict[str, str]:
    """Zones by their whole name and by their city, in lower case."""
    zones = sorted(
        zone for zone in available_timezones() if "/" in zone and not zone.startswith(("Etc/", "posix", "right"))
    )
    cities = {zone.rsplit("/", 1)[1].lower(): zone for zone in reversed(zones)}
    return cities | {zone.lower(): zone for zone in zones}
