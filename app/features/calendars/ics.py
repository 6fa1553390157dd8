"""Calendars read from their address, in the format of RFC 5545. Reasons: docs/decisions/0027-sources.md."""

import json
import logging
import time
from datetime import UTC, datetime
from pathlib import Path
from threading import BoundedSemaphore

import httpx2

from app.clients.fetching import PublicFetch, origin_of, read_in_subprocess
from app.errors import FetchError, SourceError
from app.services import Event

READER = Path(__file__).with_name("reader.py")
MAX_BYTES = 5 * 1024 * 1024  # Ten years of a busy person; reading them takes the reader's ten seconds.
FETCH_SECONDS = 20.0  # Includes reading it.
_AT_ONCE = BoundedSemaphore(2)

logger = logging.getLogger(__name__)

_AWAY = "The calendar cannot be reached just now; it may work again in a little while."
_FORBIDDEN = (
    "The calendar's address is not open: it answered that one has to log in, or that it is gone. Its owner has to give "
    "its secret or public address again."
)
_NONE = "What is at that address is no calendar. The right one ends in .ics, or begins with webcal."
_LARGE = f"The calendar is larger than {MAX_BYTES // (1024 * 1024)} MB, which is the most that is read."
_PRIVATE = (
    "The calendar's address is not allowed: it leads into a private network, or to the machine itself, and only "
    "calendars on the public internet are looked at."
)
_ADDRESS = "A calendar's address begins with https or webcal, and is on the public internet."


class IcsCalendars:
    """Calendars on the internet, and on origins that the operator allows."""

    def __init__(self, own_origins: tuple[str, ...] = ()) -> None:
        self._own = {origin_of(httpx2.URL(origin)) for origin in own_origins}
        self._http = PublicFetch(own_origins)

    def events(self, address: str, first: datetime, last: datetime, zone: str, seconds: float) -> list[Event]:
        """See `Calendars.events`."""
        until = time.monotonic() + min(seconds, FETCH_SECONDS)
        try:
            accept, check = "text/calendar, */*;q=0.1", self._may_be_asked
            got = self._http.get(_url(address), until=until, max_bytes=MAX_BYTES, accept=accept, check=check)
            if got.status >= httpx2.codes.INTERNAL_SERVER_ERROR or got.status == httpx2.codes.TOO_MANY_REQUESTS:
                raise SourceError(_AWAY)
            if got.status != httpx2.codes.OK:  # A redirect too: pages that want a login answer with one.
                raise SourceError(_FORBIDDEN)
            if b"BEGIN:VCALENDAR" not in got.content.upper():
                raise SourceError(_NONE)
            span = [instant.astimezone(UTC).isoformat() for instant in (first, last)]
            told, made = read_in_subprocess(READER, got.content, until - time.monotonic(), _AT_ONCE, *span, zone)
        except FetchError as error:
            raise SourceError(_LARGE if error.is_too_large else _PRIVATE if error.is_not_public else _AWAY) from None
        return _read(told, made)

    def close(self) -> None:
        """Close the connections kept for further calendars."""
        self._http.close()

    def _may_be_asked(self, url: httpx2.URL) -> None:
        is_own_host = url.raw_host in {host for _, host, _ in self._own}  # Its other ports are not ours to read.
        fits = origin_of(url) in self._own or (url.scheme == "https" and not is_own_host)
        if url.userinfo or not url.host or not fits:
            raise SourceError(_ADDRESS)


def _url(address: str) -> httpx2.URL:
    scheme, _, rest = address.partition("://")
    scheme = "https" if scheme.lower() in {"webcal", "webcals"} else scheme.lower()
    try:
        return httpx2.URL(f"{scheme}://{rest}")
    except (httpx2.InvalidURL, ValueError):
        raise SourceError(_ADDRESS) from None


def _read(told: dict[str, str], made: bytes) -> list[Event]:
    if "ended" in told:
        raise SourceError("The calendar is too much to be read. A smaller one of theirs can be.")
    if "broke" in told:
        logger.warning("A calendar could not be read: %s", told["broke"])
    if told:
        why = told.get("refused", "It is no calendar that can be read.")
        raise SourceError(f"The calendar cannot be read: {why}")
    return [
        Event(**one | {name: datetime.fromisoformat(one[name]) for name in ("starts", "ends")})
        for one in json.loads(made)
    ]
