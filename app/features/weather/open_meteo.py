"""The weather from Open-Meteo: a place by its name, and its forecast. Reasons: docs/decisions/0027-sources.md."""

import time
from datetime import date, datetime
from typing import Any, Self, TypeVar

import httpx2
from pydantic import BaseModel, ValidationError, model_validator

from app.clients.fetching import Lookup, PublicFetch, addresses_of
from app.errors import FetchError, NotFound, SourceError
from app.services import Clock

GEOCODING_URL = "https://geocoding-api.open-meteo.com"
FORECAST_URL = "https://api.open-meteo.com"

FETCH_SECONDS = 8.0  # Both answers take half a second; the person also waits for the model.
MAX_BYTES = 256 * 1024  # A week's answer has 15 KB.
DAYS = 8  # A week from today on, even if today ended while the answer was cached.
KEPT_ANSWERS = 512
COORDINATE_DIGITS = 2  # A kilometre: weather is no more precise, and it does not give away a house.
MAX_PLACE_CHARS = 100

_UNREACHABLE = "The weather service cannot be reached just now; it may work again in a little while."
_BUSY = "The weather service has answered too many questions today; it gives no forecast until tomorrow."
_ODD = "The weather service gave no usable answer, so the weather cannot be looked up now."

Answer = TypeVar("Answer", bound=BaseModel)


class Place(BaseModel):
    name: str
    latitude: float
    longitude: float
    country: str | None = None
    admin1: str | None = None

    @property
    def spoken(self) -> str:
        """`Lisbon, Lisbon District, Portugal`."""
        return ", ".join(dict.fromkeys(part for part in (self.name, self.admin1, self.country) if part))


class _Places(BaseModel):
    results: list[Place] = []


class _Columns(BaseModel):
    """A list for each value, all of the same length."""

    @model_validator(mode="after")
    def _of_one_length(self) -> Self:
        if len({len(column) for _, column in self}) > 1:
            raise ValueError("The columns are of different lengths.")
        return self


class _Current(BaseModel):
    temperature_2m: float | None = None
    apparent_temperature: float | None = None
    weather_code: int | None = None
    wind_speed_10m: float | None = None


class Hourly(_Columns):
    time: list[datetime]
    temperature_2m: list[float | None]
    precipitation_probability: list[int | None]
    weather_code: list[int | None]


class Daily(_Columns):
    time: list[date]
    weather_code: list[int | None]
    temperature_2m_max: list[float | None]
    temperature_2m_min: list[float | None]
    precipitation_probability_max: list[int | None]
    precipitation_sum: list[float | None]
    wind_speed_10m_max: list[float | None]
    sunrise: list[str | None]
    sunset: list[str | None]


class Forecast(BaseModel):
    """In degrees Celsius, kilometres an hour and millimetres; at least a week, by the calendar of the place."""

    utc_offset_seconds: int
    current: _Current
    hourly: Hourly
    daily: Daily


class OpenMeteo:
    """Open-Meteo's two services, or one server with the API of both."""

    def __init__(self, clock: Clock, base_url: str | None = None, lookup: Lookup = addresses_of) -> None:
        self._clock = clock
        self._geocoding, self._forecast = (base_url or GEOCODING_URL), (base_url or FORECAST_URL)
        self._http = PublicFetch([base_url] if base_url else [], lookup)
        self._kept: dict[tuple[str, datetime], tuple[Place, Forecast]] = {}
        """Cache, by the name asked for and the hour."""

    def forecast(self, place: str, seconds: float) -> tuple[Place, Forecast]:
        """The place with that name and its weather, within `seconds`; the forecast is at most an hour old.

        Raises:
            NotFound: there is no such place.
            SourceError: the service gave no answer now.
        """
        until = time.monotonic() + min(seconds, FETCH_SECONDS)
        name = " ".join(place.split())[:MAX_PLACE_CHARS]
        key = name.casefold(), self._clock.now().replace(minute=0, second=0, microsecond=0)
        kept = self._kept.get(key)
        if kept is None:
            found = self._find(name, until)
            kept = found, self._ask(found, until)
            if len(self._kept) >= KEPT_ANSWERS:
                self._kept.clear()
            self._kept[key] = kept
        return kept

    def close(self) -> None:
        """Close the connections kept for further questions."""
        self._http.close()

    def _find(self, name: str, until: float) -> Place:
        params = {"name": name, "count": 1, "language": "en", "format": "json"}
        found = self._get(f"{self._geocoding}/v1/search", params, until, _Places)
        if not found.results:
            raise NotFound(f"No place named '{name[:60]}' is known. Give the nearest town, with its region or country.")
        return found.results[0]

    def _ask(self, place: Place, until: float) -> Forecast:
        where = {name: round(getattr(place, name), COORDINATE_DIGITS) for name in ("latitude", "longitude")}
        told = {"current": _fields(_Current), "hourly": _fields(Hourly), "daily": _fields(Daily)}
        asked = {**where, **told, "timezone": "auto", "forecast_days": DAYS}
        return self._get(f"{self._forecast}/v1/forecast", asked, until, Forecast)

    def _get(self, address: str, params: dict[str, Any], until: float, shape: type[Answer]) -> Answer:
        try:
            url = httpx2.URL(address, params=params)
            got = self._http.get(url, until=until, max_bytes=MAX_BYTES, accept="application/json")
        except FetchError as error:
            raise SourceError(_ODD if error.is_too_large else _UNREACHABLE) from error
        if got.status == httpx2.codes.TOO_MANY_REQUESTS:
            raise SourceError(_BUSY)
        if got.status >= httpx2.codes.INTERNAL_SERVER_ERROR:
            raise SourceError(_UNREACHABLE)
        try:
            if got.status == httpx2.codes.OK:
                return shape.model_validate_json(got.content)
        except ValidationError:
            pass
        raise SourceError(_ODD)


def _fields(shape: type[BaseModel]) -> str:
    return ",".join(name for name in shape.model_fields if name != "time")
