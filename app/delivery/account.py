"""A carrier's word on our account with it, for whoever checks the set-up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Standing:
    """The account itself."""

    kind: str  # `Full`, or `Trial`, which texts only to numbers that were verified by hand.
    status: str  # `active`, `suspended` or `closed`.
    clock_ahead_seconds: float | None
    """How far our clock is ahead of the carrier's, to a second or two; None where it did not tell the time."""


@dataclass(frozen=True)
class Registration:
    """Whether carriers in the United States will deliver what our sender sends."""

    service_sid: str  # The Messaging Service that our sender is in; empty when it is in none.
    senders: int  # How many numbers that service sends from.
    campaigns: tuple[str, ...]  # The state of each A2P campaign: `VERIFIED`, `IN_PROGRESS`, `FAILED` …


@dataclass(frozen=True)
class Sender:
    """A number, a short code or a service of the carrier, with the addresses that it calls."""

    kind: str  # `number`, `short_code`, `service`; or `pooled`, a number whose texts its service brings.
    sid: str
    name: str  # `the number +1…`.
    values: Mapping[str, str]
    """By the carrier's own names, such as `sms_url`; all that may be set here, empty where it is not set."""

    def value(self, of_number: str, of_service: str) -> str:
        """What numbers and services have under these names."""
        return self.values[of_service if self.kind == "service" else of_number]


class CarrierAccount(Protocol):
    """Each of these raises CarrierBusy when nobody could be reached, and CarrierError when the carrier refused."""

    def standing(self) -> Standing: ...

    def sender(self) -> Sender | None:
        """Where texts for us are brought: at our sender, or at its service. None where the carrier does not tell."""
        ...

    def registration(self) -> Registration: ...

    def senders(self) -> Sequence[Sender]:
        """Our sender with all that brings texts and calls for it; nothing where the carrier does not tell."""
        ...

    def set_values(self, sender: Sender, values: Mapping[str, str]) -> None:
        """Have the sender call these addresses from now on; all others stay."""
        ...

    def shows_media_to_anybody(self, url: str) -> bool:
        """Whether the file at this address of the carrier is given out without our credentials."""
        ...

    def probe(self) -> tuple[int, str]:
        """The status of a request that we sign at our own public address, and where it redirects to, if it does."""
        ...
