"""Time zones as people name them: `Eastern time`, `Europe/Paris`, `UTC+2`, `Tokyo time`."""

import re

from app.text.zone_places import iana_cities, iana_zones, zone_of_place

# What people call each zone, besides its IANA name and the places in it.
_NAMES: dict[str, str] = {
    "America/New_York": "eastern, est, edt, et, washington",
    "America/Chicago": "central, cst, cdt, ct",
    "America/Denver": "mountain, mst, mdt, mt",
    "America/Los_Angeles": "pacific, pst, pdt, pt",
    "Pacific/Honolulu": "hst",
    "America/Halifax": "atlantic",
    "Europe/London": "british, gmt, bst",
    "Europe/Paris": "cet, cest, central european",
    "Europe/Athens": "eet, eest, eastern european",
    "Europe/Lisbon": "wet, west",
    "Asia/Kolkata": "ist, indian",
    "Asia/Tokyo": "jst",
    "Asia/Seoul": "kst",
    "Australia/Sydney": "aest, aedt",
    "Australia/Perth": "awst",
    "Pacific/Auckland": "nzst, nzdt",
    "UTC": "utc, z",
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
    if known := _COMMON.get(key):
        return known
    if key in _NOT_CITIES:
        return None
    as_zone = key.replace(" ", "_")
    return zone_of_place(key) or iana_cities().get(as_zone) or iana_zones().get(as_zone)


def _fixed(sign: str, hours: int) -> str | None:
    if hours > (14 if sign == "+" else 12):
        return None
    # POSIX counts the other way round: Etc/GMT-2 is two hours ahead of UTC.
    return "UTC" if hours == 0 else f"Etc/GMT{'-' if sign == '+' else '+'}{hours}"
