"""What can be looked up outside for a person: its shapes, and who looks it up. It belongs to `services.py`'s page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Protocol


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


class Weather(Protocol):
    """Who knows the weather."""

    def forecast(self, place: str, seconds: float) -> Forecast:
        """The weather of the place of that name, at the latest after `seconds`; at most an hour old.

        Raises:
            NotFound: there is no such place.
            SourceError: nobody could tell now.
        """
        ...


@dataclass(frozen=True)
class Event:
    """One entry of a calendar; one that recurs, as it comes at this time."""

    title: str
    place: str
    starts: datetime
    """Aware, on the clocks of the zone that was asked for."""
    ends: datetime
    all_day: bool
    free: bool
    """Whether the calendar says that it takes no time of theirs."""


@dataclass(frozen=True)
class Events:
    """What a calendar holds of a span."""

    events: tuple[Event, ...]
    """In order."""
    left_out: int
    """How many more there are."""


class Calendars(Protocol):
    """Who reads calendars."""

    def events(self, address: str, first: datetime, last: datetime, zone: str, seconds: float) -> Events:
        """What reaches into the span of two aware instants, at the latest after `seconds`.

        Raises:
            SourceError: it cannot be read now; the sentence does not hold the address.
        """
        ...


@dataclass(frozen=True)
class ServerTool:
    """A tool of a server that the operator has connected."""

    name: str
    """As the model is shown it: `home_lights`, the server's name before its own."""
    description: str
    input_schema: dict[str, Any]
    writes: bool
    """Whether it may change something there."""


class ToolServers(Protocol):
    """The servers of tools that the operator has connected."""

    def server_tools(self) -> Sequence[ServerTool]:
        """Their tools, always in the same order; of a server that is away those that were known last, or none."""
        ...

    def left_out(self) -> Sequence[str]:
        """Those that cannot be offered, as far as is known: the server, the tool and why."""
        ...

    def call_tool(self, name: str, given: dict[str, Any], seconds: float) -> str:
        """What one of these tools answers, at the latest after `seconds`.

        Raises:
            SourceError: it gave no answer, or refused.
        """
        ...
