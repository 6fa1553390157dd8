"""Public holidays by country or part of one: `DE`, `DE-BY`, `US-CA`. They come from a package, without the network."""

import re
from datetime import date
from functools import lru_cache
from types import ModuleType

from app.errors import Refused
from app.routines.values import shown

MAX_PARTS_NAMED = 20  # Parts of a country listed in the error about an unknown one.

_LITTLE_WORDS = re.compile(r"\b(?:And|Of|The|Da)\b")
_NEXT_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@lru_cache(maxsize=256)
def checked_place(place: str) -> str:
    """The place in its stored form, `GB-SCT` for `uk-sct`.

    Raises:
        Refused: no holidays are known for it.
    """
    return "-".join(filter(None, _country_and_part(place)))


@lru_cache(maxsize=256)
def spoken_place(place: str) -> str:
    """Its name in English: `United States, CA`."""
    country, part = _country_and_part(place)
    name = next(names[0] for names in _package().registry.COUNTRIES.values() if names[1] == country)
    name = _LITTLE_WORDS.sub(lambda word: word[0].lower(), _NEXT_WORD.sub(" ", name))
    return f"{name}, {part}" if part else name


def is_holiday(day: date, place: str) -> bool:
    return day in _holidays_of(place, day.year)


@lru_cache(maxsize=1024)  # A year of one place takes less than a millisecond to compute, and has some twenty days.
def _holidays_of(place: str, year: int) -> frozenset[date]:
    country, part = _country_and_part(place)
    # One year at a time, without expansion: the package's self-extending dictionary is not thread-safe.
    return frozenset(_package().country_holidays(country, subdiv=part or None, years=year, expand=False))


def _country_and_part(place: str) -> tuple[str, str]:
    asked, _, part = place.strip().partition("-")
    country = next((names[1] for names in _package().registry.COUNTRIES.values() if asked.upper() in names[1:]), None)
    if country is None:
        raise Refused(
            f"not_on_holidays: no public holidays are known for {shown(place)}. Send a country by its ISO code, such "
            "as DE, US or GB, or a part of one, such as US-CA."
        )
    parts: list[str] = _package().list_supported_countries().get(country, [])
    found = next((one for one in parts if one.lower() == part.lower()), "")
    if part and not found:
        known = ", ".join(parts[:MAX_PARTS_NAMED]) or "none"
        raise Refused(
            f"not_on_holidays: {shown(part)} is no part of {country} with holidays of its own. Known are: {known}. "
            f"Send {country}-PART, or {country} alone."
        )
    return country, found


def _package() -> ModuleType:
    """The package, loaded on first use: it takes half a second and 40 MB, which most processes do not need."""
    import holidays  # noqa: PLC0415
    import holidays.registry  # noqa: PLC0415

    return holidays
