"""What a carrier says of our account with it, for whoever checks the set-up."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Standing:
    """The account itself."""

    kind: str
    """`Full`, or `Trial`, which texts only to numbers that were verified by hand."""
    status: str
    """`active`, `suspended` or `closed`."""
    clock_ahead_seconds: float | None
    """How far our clock is ahead of the carrier's, to a second or two; None where it did not tell the time."""


@dataclass(frozen=True)
class Webhooks:
    """Where the carrier brings texts for our sender."""

    set_at: str
    """Where in the carrier's console they are set: `the number +1…`, `the Messaging Service MG…`."""
    url: str
    method: str
    fallback_url: str
    application_sid: str = ""
    """What handles texts in the place of these addresses, when one is set."""


@dataclass(frozen=True)
class Registration:
    """Whether carriers in the United States will deliver what our sender sends."""

    service_sid: str
    """The Messaging Service that our sender is in; empty when it is in none."""
    senders: int
    """How many numbers that service sends from."""
    campaigns: tuple[str, ...]
    """The state of each of its A2P campaigns: `VERIFIED`, `IN_PROGRESS`, `FAILED` …"""


@dataclass(frozen=True)
class Probe:
    """What came back for a request that we signed ourselves and sent to our own public address."""

    status: int
    leads_to: str
    """Where it redirects to; empty when it does not."""


class CarrierAccount(Protocol):
    """Each of these raises CarrierBusy when nobody could be reached, and CarrierError when the carrier refused."""

    def standing(self) -> Standing: ...

    def webhooks(self) -> Webhooks | None:
        """None when the carrier has no such sender, or does not tell."""
        ...

    def registration(self) -> Registration: ...

    def shows_media_to_anybody(self, url: str) -> bool:
        """Whether the file at this address of the carrier is given out without our credentials."""
        ...

    def probe(self) -> Probe: ...
