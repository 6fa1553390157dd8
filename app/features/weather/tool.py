"""The tool for the weather. Its docstring is written for Claude."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from app import people
from app.errors import Refused
from app.memory import facts
from app.services import Services
from app.services.tool import NOTHING, tool
from app.text.phone_number import country_of
from app.tools.context import ToolContext

if TYPE_CHECKING:
    from app.features.weather.open_meteo import DayForecast, Forecast, OpenMeteo

WEEK_DAYS = 7
MOST_SECONDS = 10.0  # What the answer may take of a turn; who looks it up has a limit of their own.

FAHRENHEIT = frozenset("US PR GU VI AS MP LR BS BZ KY PW FM MH".split())
"""Countries in which degrees are Fahrenheit's. Source: Unicode CLDR, supplemental/units.xml, `temperature`."""
MILES = FAHRENHEIT | {"GB", "IM", "JE", "GG"}
"""Those in which winds blow in miles an hour. Source: as above, `wind-speed`."""
INCHES = frozenset({"US", "PR", "GU", "VI", "AS", "MP"})
"""Those in which rain is measured in inches. Source: as above, `rainfall`."""

KM_A_MILE = 1.609344
MM_AN_INCH = 25.4
LITTLE_MM = 10  # Below it a tenth of a millimetre is worth saying.

GUESSED = "Only the city of their time zone: say for which place it is, and ask where they are if it matters."


@dataclass(frozen=True)
class _Units:
    """How numbers are told."""

    fahrenheit: bool
    miles: bool
    inches: bool

    @property
    def named(self) -> str:
        rain, wind = ("inches" if self.inches else "mm"), ("mph" if self.miles else "km/h")
        return f"{'°F' if self.fahrenheit else '°C'}, {wind}, {rain}"

    def degrees(self, celsius: float | None) -> int | None:
        if celsius is None:
            return None
        return round(celsius * 9 / 5 + 32 if self.fahrenheit else celsius)

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
        str | None,
        Field(description="A town with its region or country; left out: where they live."),
    ] = None,
    span: Literal["today", "tomorrow", "week"] | None = None,
    units: Annotated[Literal["metric", "imperial"] | None, Field(description="Only if they ask for others.")] = None,
) -> dict[str, Any]:
    """Look up the weather now and today, tomorrow, or for a week. Say for which place it is."""
    where, usual, note = _where(ctx, place)
    source = ctx.services.once(weather_source)
    with ctx.services.background.away():
        forecast = source.forecast(where, ctx.seconds_left(MOST_SECONDS))
    told_in = usual if units is None else _Units(*[units == "imperial"] * 3)
    return _told(ctx, forecast, span or "today", told_in) | ({"note": note} if note else {})


def _where(ctx: ToolContext, place: str | None) -> tuple[str, _Units, str | None]:
    """The place that is meant, the units of the person's country, and what is to be said of how it is known."""
    with ctx.services.reading() as db:
        person = people.by_id(db, ctx.person_id)
        home, country = None, country_of(person.address)
        if not place and ctx.memory_on:
            home = people.home_told(facts.live(db, ctx.person_id, ctx.services.clock.now()))
    usual = _Units(country in FAHRENHEIT, country in MILES, country in INCHES)
    if place or home:
        return place or home or "", usual, None
    if city := people.city_of(person.timezone):
        return city, usual, GUESSED
    raise Refused("It is not known which place is meant. Give the town, with its region or country.")


def _told(ctx: ToolContext, forecast: "Forecast", span: str, units: _Units) -> dict[str, Any]:
    # The forecast may be of the hour before, and the day there another one since.
    today = (ctx.services.clock.now() + timedelta(seconds=forecast.utc_offset_seconds)).date()
    first, count = {"today": (0, 1), "tomorrow": (1, 1), "week": (0, WEEK_DAYS)}[span]
    wanted = [today + timedelta(days=ahead) for ahead in range(first, first + count)]
    days = [_day(day, today, units, in_parts=count == 1) for day in forecast.days if day.day in wanted]
    now = {
        "sky": forecast.sky,
        "degrees": units.degrees(forecast.celsius),
        "feels_like": units.degrees(forecast.feels_like_celsius),
        "wind": units.wind(forecast.wind_kmh),
    }
    return {
        "place": forecast.place,
        "units": units.named,
        **({"now": _known(now)} if first == 0 else {}),
        "days": days,
    }


def _day(day: "DayForecast", today: date, units: _Units, *, in_parts: bool) -> dict[str, Any]:
    near = {0: "today, ", 1: "tomorrow, "}.get((day.day - today).days, "")
    told: dict[str, Any] = {
        "day": f"{near}{day.day:%A} {day.day.day} {day.day:%B}",
        "sky": day.sky,
        "low": units.degrees(day.low_celsius),
        "high": units.degrees(day.high_celsius),
        "rain_chance": day.rain_chance,
        "rain": units.rain(day.rain_mm),
        "wind": units.wind(day.wind_kmh),
    }
    if in_parts:
        told |= {"sunrise": day.sunrise, "sunset": day.sunset}
        told["parts"] = {
            part.name: _known(
                {"sky": part.sky, "degrees": units.degrees(part.celsius), "rain_chance": part.rain_chance}
            )
            for part in day.parts
        }
    return _known(told)


def _known(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if value is not None}
