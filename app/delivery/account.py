"""Our account with a carrier, as the carrier reports it to checks of the set-up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Standing:
    """Kind and status of the account."""

    kind: str  # `Full`, or `Trial`, which texts only to numbers that were verified by hand.
    status: str  # `active`, `suspended` or `closed`.
    clock_ahead_seconds: float | None
    """Lead of our clock over the carrier's, to a second or two; None if the carrier did not tell the time."""


@dataclass(frozen=True)
class Registration:
    """The registration on which delivery of our texts by carriers in the United States depends."""

    service_sid: str  # The Messaging Service that our sender is in; empty if it is in none.
    senders: int  # Count of the numbers that the service sends from.
    campaigns: tuple[str, ...]  # The state of each A2P campaign: `VERIFIED`, `IN_PROGRESS`, `FAILED` …


@dataclass(frozen=True)
class Sender:
    """A number, a short code or a service at the carrier, with the URLs that it calls."""

    kind: str  # `number`, `short_code`, `service`; or `pooled`, a number whose texts its service brings.
    sid: str
    name: str  # `the number +1…`.
    values: Mapping[str, str]
    """Values of all settings, by the carrier's own names, such as `sms_url`; empty if unset."""

    def value(self, of_number: str, of_service: str) -> str:
        """The value that a number has under the first name, or a service under the second."""
        return self.values[of_service if self.kind == "service" else of_number]


class CarrierAccount(Protocol):
    """Each method raises CarrierBusy if the carrier could not be reached, and CarrierError if it refused."""

    def standing(self) -> Standing: ...

    def sender(self) -> Sender | None:
        """The sender that brings texts for us: our own, or its service. None if the carrier does not tell."""

    def registration(self) -> Registration: ...

    def senders(self) -> Sequence[Sender]:
        """Our sender and everything that brings texts and calls for it; empty if the carrier does not tell."""

    def set_values(self, sender: Sender, values: Mapping[str, str]) -> None:
        """Make the sender call these URLs from now on; all other settings stay."""

    def shows_media_to_anybody(self, url: str) -> bool:
        """True if the carrier gives out the file at this URL without our credentials."""

    def probe(self) -> tuple[int, str]:
        """HTTP status of a request that we sign, sent to our own public URL, and its redirect, empty if it has none."""
