"""Time zones as people name them, `Eastern time`, `Europe/Paris`, `UTC+2`, and the zones of places, `Paris, Texas`.

An ambiguous place name is in none of the lists, so that a wrong guess wakes nobody. The names are data: zones.toml.
"""

import re
from functools import cache
from zoneinfo import available_timezones

from app.text.word_files import read_words

_READ = read_words(__file__, "zones.toml")
_SPOKEN, _BY_PLACE, _BY_REGION = (
    {name: zone for zone, names in _READ[table].items() for name in " ".join(names.split()).split(", ")}
    for table in ("spoken", "places", "regions")
)
_WIDE, _NOT_PLACES, _STATES = (
    frozenset(" ".join(_READ["names"][name].split()).split(", ")) for name in ("wide", "not_places", "states")
)
_OFFSET = re.compile(r"(?:utc|gmt) ?([+-]) ?(\d{1,2})(?::?00)?", re.IGNORECASE)
_MOST_HOURS = {"+": 14, "-": 12}
_NOT_CITIES = frozenset("summer standard daylight local same my the your work free full part".split())
_AROUND = re.compile(
    r"^(?:the |in |on )*|(?: (?:standard|daylight|summer))?(?: (?:time|timezone|zone))*[ .!]*$", re.IGNORECASE
)
_AT_HOME = re.compile(r"Lives (?:in|near|outside) (?P<place>[\w .,'’-]+)")


def zone_named(words: str) -> str | None:
    """The IANA name of the zone that the words name, or None."""
    name = _AROUND.sub("", words.strip().strip("\"'"))
    if offset := _OFFSET.fullmatch(name):
        sign, hours = offset[1], int(offset[2])
        if hours > _MOST_HOURS[sign]:
            return None
        # POSIX signs are reversed: Etc/GMT-2 is two hours ahead of UTC.
        return "UTC" if hours == 0 else f"Etc/GMT{'-' if sign == '+' else '+'}{hours}"
    key = name.lower()
    if key in _SPOKEN or key in _NOT_CITIES:
        return _SPOKEN.get(key)
    as_zone = key.replace(" ", "_")
    return zone_of_place(key) or _cities().get(as_zone) or _zones().get(as_zone)


def zone_of_place(words: str) -> str | None:
    """The IANA name of the zone of the place; None if it is not certain."""
    place = re.sub(r"\s+", " ", words.lower().replace("’", "'")).strip(" .")
    town, comma, region = place.rpartition(", ")
    if not comma:
        return _known().get(place) or _of_state_named_last(place)
    if state := _BY_REGION.get(region) or _of_state(region):  # Paris, Texas.
        return state
    return (zone_of_place(town) or _known().get(region)) if region in _WIDE or region in _known() else None


def zone_of_home(fact: str) -> str | None:
    """The IANA zone of the home in a fact such as "Lives in Lima"; None for other facts."""
    home = _AT_HOME.fullmatch(fact)
    return zone_of_place(home["place"]) if home else None


@cache
def _zones() -> dict[str, str]:
    """Geographical zones by their name in lower case."""
    zones = sorted(available_timezones())
    return {zone.lower(): zone for zone in zones if "/" in zone and not zone.startswith(("Etc/", "posix", "right"))}


@cache
def _cities() -> dict[str, str]:
    """The same zones by the city in their name, in lower case, `_` for a space."""
    return {zone.rpartition("/")[2].lower(): zone for zone in reversed(_zones().values())}


@cache
def _known() -> dict[str, str]:
    named = {city.replace("_", " "): zone for city, zone in _cities().items() if city not in _NOT_PLACES}
    return named | _BY_PLACE


def _of_state_named_last(place: str) -> str | None:
    """The zone of `Austin Texas`; a state of two words is tried first, as in `Charleston West Virginia`."""
    words = place.split()
    ends = (" ".join(words[-many:]) for many in (2, 1) if len(words) > many)
    return next((zone for end in ends if (zone := _of_state(end))), None)


def _of_state(name: str) -> str | None:
    return _BY_PLACE[name] if name in _STATES else None
