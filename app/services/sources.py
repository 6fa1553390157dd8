"""Sources outside that can be looked up for a person: shapes, and who looks them up. It belongs to `services`."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


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
