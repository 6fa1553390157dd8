"""The weather, by Open-Meteo: a name to a place, a place to its forecast. Reasons: docs/decisions/0027-sources.md."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Generic, TypeVar

import httpx2
from pydantic import BaseModel, ValidationError

from app.clients.fetching import Got, Lookup, PublicFetch, addresses_of
from app.errors import FetchError, NotFound, SourceError
from app.services import Clock

GEOCODING_URL = "https://geocoding-api.open-meteo.com"
FORECAST_URL = "https://api.open-meteo.com"

FETCH_SECONDS = 8.0  # Both answers take half a second; who texted waits for the model as well.
MAX_BYTES = 256 * 1024  # A week's answer has 15 KB.
DAYS = 8  # A week from today on, also where today ended while the answer was kept.
KEPT_ANSWERS = 512
COORDINATE_DIGITS = 2  # A kilometre: nobody's weather is nearer, and nobody's house is told.
MAX_PLACE_CHARS = 100

_PARTS = {"night": range(6), "morning": range(6, 12), "afternoon": range(12, 18), "evening": range(18, 24)}
_CURRENT = "temperature_2m,apparent_temperature,weather_code,wind_speed_10m"
_HOURLY = "temperature_2m,precipitation_probability,weather_code"
_DAILY = (
    "weather_code,temperature_2m_max,temperature_2m_min,precipitation_probability_max,precipitation_sum,"
    "wind_speed_10m_max,sunrise,sunset"
)

_UNREACHABLE = "The weather service cannot be reached just now; it may work again in a little while."
_BUSY = "The weather service has answered too many questions today; it gives no forecast until tomorrow."
_ODD = "The weather service gave no usable answer, so the weather cannot be looked up now."

Answer = TypeVar("Answer", bound=BaseModel)
Kept = TypeVar("Kept")


# The present weather of the World Meteorological Organization (code table 4677), as far as Open-Meteo uses it.
_SKIES = {
    0: "clear",
    1: "mostly clear",
    2: "partly cloudy",
    3: "overcast",
    45: "fog",
    48: "freezing fog",
    51: "light drizzle",
    53: "drizzle",
    55: "heavy drizzle",
    56: "light freezing drizzle",
    57: "freezing drizzle",
    61: "light rain",
    63: "rain",
    65: "heavy rain",
    66: "light freezing rain",
    67: "freezing rain",
    71: "light snow",
    73: "snow",
    75: "heavy snow",
    77: "snow grains",
    80: "light showers",
    81: "showers",
    82: "violent showers",
    85: "light snow showers",
    86: "heavy snow showers",
    95: "thunderstorms",
    96: "thunderstorms with hail",
    99: "thunderstorms with heavy hail",
}


@dataclass(frozen=True)
class PartOfDay:
    """The weather of some hours of a day."""

    name: str
    """`night`, `morning`, `afternoon` or `evening`."""
    sky: str
    celsius: float
    rain_chance: int | None
    """Percent."""


@dataclass(frozen=True)
class DayForecast:
    """The weather of one day; what the source does not know is None."""

    day: date
    sky: str
    low_celsius: float | None
    high_celsius: float | None
    rain_chance: int | None
    """Percent."""
    rain_mm: float | None
    """Snow melted."""
    wind_kmh: float | None
    sunrise: str | None
    """`07:21`, as the clocks there show it."""
    sunset: str | None
    parts: tuple[PartOfDay, ...]


@dataclass(frozen=True)
class Forecast:
    """The weather of one place."""

    place: str
    """`Lisbon, Lisbon District, Portugal`."""
    utc_offset_seconds: int
    sky: str
    celsius: float | None
    feels_like_celsius: float | None
    wind_kmh: float | None
    days: tuple[DayForecast, ...]
    """A week at least, in order; by the calendar of the place."""


class _Found(BaseModel):
    name: str
    latitude: float
    longitude: float
    country: str | None = None
    admin1: str | None = None

    @property
    def spoken(self) -> str:
        return ", ".join(dict.fromkeys(part for part in (self.name, self.admin1, self.country) if part))


class _Places(BaseModel):
    results: list[_Found] = []


class _Current(BaseModel):
    temperature_2m: float | None = None
    apparent_temperature: float | None = None
    weather_code: int | None = None
    wind_speed_10m: float | None = None


class _Hourly(BaseModel):
    time: list[datetime]
    temperature_2m: list[float | None]
    precipitation_probability: list[int | None]
    weather_code: list[int | None]


class _Daily(BaseModel):
    time: list[date]
    weather_code: list[int | None]
    temperature_2m_max: list[float | None]
    temperature_2m_min: list[float | None]
    precipitation_probability_max: list[int | None]
    precipitation_sum: list[float | None]
    wind_speed_10m_max: list[float | None]
    sunrise: list[str | None]
    sunset: list[str | None]


class _Answered(BaseModel):
    utc_offset_seconds: int
    current: _Current
    hourly: _Hourly
    daily: _Daily


class OpenMeteo:
    """Open-Meteo's two services, or one server that speaks as both."""

    def __init__(self, clock: Clock, base_url: str | None = None, lookup: Lookup = addresses_of) -> None:
        self._clock = clock
        self._geocoding, self._forecast = (base_url or GEOCODING_URL), (base_url or FORECAST_URL)
        self._http = PublicFetch([base_url] if base_url else [], lookup)
        self._places: _LastAnswers[_Found] = _LastAnswers()
        self._forecasts: _LastAnswers[_Answered] = _LastAnswers()

    def forecast(self, place: str, seconds: float) -> Forecast:
        """The weather of the place of that name, at the latest after `seconds`; at most an hour old.

        Raises:
            NotFound: there is no such place.
            SourceError: nobody could tell now.
        """
        until = time.monotonic() + min(seconds, FETCH_SECONDS)
        name = " ".join(place.split())[:MAX_PLACE_CHARS]
        found = self._places.get(name.casefold(), lambda: self._find(name, until))
        where = round(found.latitude, COORDINATE_DIGITS), round(found.longitude, COORDINATE_DIGITS)
        hour = self._clock.now().replace(minute=0, second=0, microsecond=0)
        return _told(found.spoken, self._forecasts.get((where, hour), lambda: self._ask(*where, until)))

    def close(self) -> None:
        """Close the connections that are kept for the next question."""
        self._http.close()

    def _find(self, name: str, until: float) -> _Found:
        params = {"name": name, "count": 1, "language": "en", "format": "json"}
        found = self._get(f"{self._geocoding}/v1/search", params, until, _Places)
        if not found.results:
            raise NotFound(f"No place named '{name[:60]}' is known. Give the nearest town, with its region or country.")
        return found.results[0]

    def _ask(self, latitude: float, longitude: float, until: float) -> _Answered:
        params = {"latitude": latitude, "longitude": longitude, "timezone": "auto", "forecast_days": DAYS}
        asked = {**params, "current": _CURRENT, "hourly": _HOURLY, "daily": _DAILY}
        return self._get(f"{self._forecast}/v1/forecast", asked, until, _Answered)

    def _get(self, address: str, params: dict[str, Any], until: float, shape: type[Answer]) -> Answer:
        try:
            url = httpx2.URL(address, params=params)
            got = self._http.get(url, until=until, max_bytes=MAX_BYTES, headers={"Accept": "application/json"})
        except FetchError as error:
            raise SourceError(_ODD if error.is_too_large else _UNREACHABLE) from error
        _check(got)
        try:
            return shape.model_validate_json(got.content)
        except ValidationError:
            raise SourceError(_ODD) from None


def _check(got: Got) -> None:
    if got.status == httpx2.codes.TOO_MANY_REQUESTS:
        raise SourceError(_BUSY)
    if got.status >= httpx2.codes.INTERNAL_SERVER_ERROR:
        raise SourceError(_UNREACHABLE)
    if got.status != httpx2.codes.OK:
        raise SourceError(_ODD)


def _told(place: str, answer: _Answered) -> Forecast:
    current = answer.current
    try:
        days = tuple(_day(answer, at) for at in range(len(answer.daily.time)))
    except IndexError:  # Columns of different lengths.
        raise SourceError(_ODD) from None
    return Forecast(
        place=place,
        utc_offset_seconds=answer.utc_offset_seconds,
        sky=_sky(current.weather_code),
        celsius=current.temperature_2m,
        feels_like_celsius=current.apparent_temperature,
        wind_kmh=current.wind_speed_10m,
        days=days,
    )


def _day(answer: _Answered, at: int) -> DayForecast:
    daily = answer.daily
    return DayForecast(
        day=daily.time[at],
        sky=_sky(daily.weather_code[at]),
        low_celsius=daily.temperature_2m_min[at],
        high_celsius=daily.temperature_2m_max[at],
        rain_chance=daily.precipitation_probability_max[at],
        rain_mm=daily.precipitation_sum[at],
        wind_kmh=daily.wind_speed_10m_max[at],
        sunrise=_clock_time(daily.sunrise[at]),
        sunset=_clock_time(daily.sunset[at]),
        parts=tuple(_parts(answer.hourly, daily.time[at])),
    )


def _parts(hourly: _Hourly, day: date) -> list[PartOfDay]:
    found = []
    for name, hours in _PARTS.items():
        places = [at for at, hour in enumerate(hourly.time) if hour.date() == day and hour.hour in hours]
        warmth = [degrees for at in places if (degrees := hourly.temperature_2m[at]) is not None]
        if warmth:
            chances = [chance for at in places if (chance := hourly.precipitation_probability[at]) is not None]
            # The higher the code, the worse the weather: that is what one dresses for.
            worst = max((code for at in places if (code := hourly.weather_code[at]) is not None), default=None)
            mean = sum(warmth) / len(warmth)
            found.append(PartOfDay(name, _sky(worst), mean, max(chances, default=None)))
    return found


def _sky(code: int | None) -> str:
    """`light rain`; `unknown` for a code that stands for nothing."""
    return "unknown" if code is None else _SKIES.get(code, "unknown")


def _clock_time(instant: str | None) -> str | None:
    return instant.partition("T")[2][:5] or None if instant else None


class _LastAnswers(Generic[Kept]):
    """The answers that were wanted last, for all threads; what fails is not kept."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Kept] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, key: Hashable, ask: Callable[[], Kept]) -> Kept:
        with self._guard:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        answer = ask()
        with self._guard:
            self._kept[key] = answer
            while len(self._kept) > KEPT_ANSWERS:
                self._kept.popitem(last=False)
        return answer
