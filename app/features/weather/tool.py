"""The tool for the weather. Its docstring is written for Claude."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from app import people
from app.clock import spoken_day
from app.errors import Refused
from app.memory import facts
from app.models import Fact
from app.services import Services
from app.services.tool import NOTHING, tool
from app.text.phone_number import country_of
from app.tools.context import ToolContext

if TYPE_CHECKING:
    from app.features.weather.open_meteo import Forecast, Hourly, OpenMeteo

WEEK_DAYS = 7
MOST_SECONDS = 10.0  # The most that the answer may take of a turn; the source has a limit of its own.

FAHRENHEIT = frozenset("US PR GU VI AS MP LR BS BZ KY PW FM MH".split())
"""Countries that use Fahrenheit. Source: Unicode CLDR, supplemental/units.xml, `temperature`."""
MILES = FAHRENHEIT | {"GB", "IM", "JE", "GG"}
"""Countries that give wind in miles an hour. Source: as above, `wind-speed`."""
INCHES = frozenset({"US", "PR", "GU", "VI", "AS", "MP"})
"""Countries that measure rain in inches. Source: as above, `rainfall`."""

KM_A_MILE = 1.609344
MM_AN_INCH = 25.4
LITTLE_MM = 10  # Below it a tenth of a millimetre is worth saying.

PARTS = {"night": range(6), "morning": range(6, 12), "afternoon": range(12, 18), "evening": range(18, 24)}
# The World Meteorological Organization's codes of present weather (table 4677), as far as Open-Meteo uses them.
SKIES: dict[int | None, str] = {
    0: "clear", 1: "mostly clear", 2: "partly cloudy", 3: "overcast",
    45: "fog", 48: "freezing fog",
    51: "light drizzle", 53: "drizzle", 55: "heavy drizzle", 56: "light freezing drizzle", 57: "freezing drizzle",
    61: "light rain", 63: "rain", 65: "heavy rain", 66: "light freezing rain", 67: "freezing rain",
    71: "light snow", 73: "snow", 75: "heavy snow", 77: "snow grains",
    80: "light showers", 81: "showers", 82: "violent showers", 85: "light snow showers", 86: "heavy snow showers",
    95: "thunderstorms", 96: "thunderstorms with hail", 99: "thunderstorms with heavy hail"
}  # fmt: skip
UNKNOWN = "unknown"

_WORD = r"(?=[^\W\d_])(?![a-zß-ÿ])[\w'’.-]+"
_NAME = rf"{_WORD}(?:(?: (?:de|da|do|del|der|la|le|of|the|upon|am|on|sur))* {_WORD})*"
# A fact that begins like this is about the person; "Sister lives in Boston" is not.
_AT_HOME = re.compile(
    rf"^(?:now |currently |just |has |is |recently )*(?:lives?|living|resides?|based|moved) (?:in|to|near|outside) "
    rf"(?P<place>{_NAME}(?:, {_NAME})*)"
)

GUESSED = "Only the city of their time zone: say for which place it is, and ask where they are if it matters."


@dataclass(frozen=True)
class _Units:
    """Units in which numbers are given."""

    fahrenheit: bool
    miles: bool
    inches: bool

    @property
    def named(self) -> str:
        rain, wind = ("inches" if self.inches else "mm"), ("mph" if self.miles else "km/h")
        return f"{'°F' if self.fahrenheit else '°C'}, {wind}, {rain}"

    def degrees(self, celsius: float | None) -> int | None:
        return None if celsius is None else round(celsius * 9 / 5 + 32 if self.fahrenheit else celsius)

    def wind(self, kmh: float | None) -> int | None:
        return None if kmh is None else round(kmh / KM_A_MILE if self.miles else kmh)

    def rain(self, mm: float | None) -> float | None:
        if mm is None:
            return None
        return round(mm / MM_AN_INCH, 1) if self.inches else round(mm, 1 if mm < LITTLE_MM else None)


def weather_source(services: Services) -> "OpenMeteo":
    from app.features.weather.open_meteo import OpenMeteo  # noqa: PLC0415  (its libraries take a while to load)

    return OpenMeteo(services.clock, services.settings.weather_url)


@tool(needs_memory=False, proves=NOTHING, is_there=lambda services: services.settings.weather != "none")
def get_weather(
    ctx: ToolContext,
    place: Annotated[
        str | None, Field(description="A town with its region or country; left out: where they live.")
    ] = None,
    span: Literal["today", "tomorrow", "week"] | None = None,
    units: Annotated[Literal["metric", "imperial"] | None, Field(description="Only if they ask for others.")] = None,
) -> dict[str, Any]:
    """Look up the weather now and today, tomorrow, or for a week. Say for which place it is."""
    where, usual, note = _where(ctx, place)
    source = ctx.services.once(weather_source)
    with ctx.services.background.leave_desk():
        found, forecast = source.forecast(where, ctx.seconds_left(MOST_SECONDS))
    told_in = usual if units is None else _Units(*[units == "imperial"] * 3)
    told = {"place": found.spoken, "units": told_in.named, **_report(ctx, forecast, span or "today", told_in)}
    return told | ({"note": note} if note else {})


def _where(ctx: ToolContext, place: str | None) -> tuple[str, _Units, str | None]:
    """The place that is meant, the units of the person's country, and a note on how the place is known."""
    with ctx.services.reading() as db:
        person = people.by_id(db, ctx.person_id)
        home, country = None, country_of(person.address)
        if not place and ctx.memory_on:
            home = _last_told_home(facts.live(db, ctx.person_id, ctx.services.clock.now()))
    usual = _Units(country in FAHRENHEIT, country in MILES, country in INCHES)
    if place or home:
        return place or home or "", usual, None
    if city := _city_of(person.timezone):
        return city, usual, GUESSED
    raise Refused("It is not known which place is meant. Give the town, with its region or country.")


def _last_told_home(facts: Iterable[Fact]) -> str | None:
    """The home that the newest of these facts names; None if no fact names one."""
    for fact in sorted(facts, key=lambda fact: (fact.fresh_at, fact.id), reverse=True):
        told = fact.sentence[:1].lower() + fact.sentence[1:]
        if found := _AT_HOME.match(told):
            return found["place"].rstrip(".")
    return None


def _city_of(zone: str) -> str | None:
    """The city in an IANA zone's name; None if the name holds no city."""
    return None if "/" not in zone or zone.startswith("Etc/") else zone.rpartition("/")[2].replace("_", " ")


def _report(ctx: ToolContext, forecast: "Forecast", span: str, units: _Units) -> dict[str, Any]:
    # The forecast may be an hour old, and the day there may have changed since.
    today = (ctx.services.clock.now() + timedelta(seconds=forecast.utc_offset_seconds)).date()
    first, count = {"today": (0, 1), "tomorrow": (1, 1), "week": (0, WEEK_DAYS)}[span]
    asked = [at for at, day in enumerate(forecast.daily.time) if first <= (day - today).days < first + count]
    days = [_day(forecast, at, today, units, in_parts=count == 1) for at in asked]
    current = forecast.current
    now = {
        "sky": SKIES.get(current.weather_code, UNKNOWN),
        "degrees": units.degrees(current.temperature_2m),
        "feels_like": units.degrees(current.apparent_temperature),
        "wind": units.wind(current.wind_speed_10m),
    }
    return {**({"now": _without_none(now)} if first == 0 else {}), "days": days}


def _day(forecast: "Forecast", at: int, today: date, units: _Units, *, in_parts: bool) -> dict[str, Any]:
    daily, day = forecast.daily, forecast.daily.time[at]
    told: dict[str, Any] = {
        "day": spoken_day(day, today),
        "sky": SKIES.get(daily.weather_code[at], UNKNOWN),
        "low": units.degrees(daily.temperature_2m_min[at]),
        "high": units.degrees(daily.temperature_2m_max[at]),
        "rain_chance": daily.precipitation_probability_max[at],
        "rain": units.rain(daily.precipitation_sum[at]),
        "wind": units.wind(daily.wind_speed_10m_max[at]),
    }
    if in_parts:
        instants = {"sunrise": daily.sunrise[at], "sunset": daily.sunset[at]}
        told |= {name: instant.partition("T")[2][:5] or None for name, instant in instants.items() if instant}
        told["parts"] = _parts(forecast.hourly, day, units)
    return _without_none(told)


def _parts(hourly: "Hourly", day: date, units: _Units) -> dict[str, dict[str, Any]]:
    found = {}
    for name, hours in PARTS.items():
        places = [at for at, hour in enumerate(hourly.time) if hour.date() == day and hour.hour in hours]
        warmth = [degrees for at in places if (degrees := hourly.temperature_2m[at]) is not None]
        if warmth:
            chances = [chance for at in places if (chance := hourly.precipitation_probability[at]) is not None]
            # The higher the code, the worse the weather, and people dress for the worst.
            worst = max((code for at in places if (code := hourly.weather_code[at]) is not None), default=None)
            part = {"sky": SKIES.get(worst, UNKNOWN), "degrees": units.degrees(sum(warmth) / len(warmth))}
            found[name] = _without_none({**part, "rain_chance": max(chances, default=None)})
    return found


def _without_none(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if value is not None}
