"""The weather of a place, in the numbers of the source."""

from dataclasses import dataclass
from datetime import date


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
