"""Calendars by their address, in the form of RFC 5545. Reasons: docs/decisions/0027-sources.md."""

import json
import logging
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import BoundedSemaphore

import httpx2

from app.clients.fetching import Got, Lookup, PublicFetch, addresses_of, origin_of, read_apart
from app.errors import FetchError, SourceError
from app.services import Clock, Event, Events

READER = Path(__file__).with_name("reader.py")
MAX_BYTES = 5 * 1024 * 1024  # Ten years of a busy person; reading it takes the reader's ten seconds.
FETCH_SECONDS = 20.0  # With reading it.
FRESH_SECONDS = 60.0  # Several looks in one turn are one question; later it is asked whether anything changed.
KEPT_BYTES = 64 * 1024 * 1024  # Of all calendars together.
MAX_REDIRECTS = 3
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


@dataclass(frozen=True)
class _Kept:
    """A calendar as it last came."""

    content: bytes
    etag: str | None
    modified: str | None
    asked_at: float  # By the clock that never steps back.


class IcsCalendars:
    """Calendars on the internet, and on those origins that the operator names."""

    def __init__(self, clock: Clock, own_origins: tuple[str, ...] = (), lookup: Lookup = addresses_of) -> None:
        self._clock = clock
        self._own = {origin_of(httpx2.URL(origin)) for origin in own_origins}
        self._http = PublicFetch(own_origins, lookup)
        self._kept: dict[str, _Kept] = {}

    def events(self, address: str, first: datetime, last: datetime, zone: str, seconds: float) -> Events:
        """As `Calendars.events`."""
        until = time.monotonic() + min(seconds, FETCH_SECONDS)
        try:
            content = self._content(address, until)
            span = [instant.astimezone(UTC).isoformat() for instant in (first, last)]
            printed, _ = read_apart(READER, content, until - time.monotonic(), _AT_ONCE, *span, zone)
        except FetchError as error:
            raise SourceError(_LARGE if error.is_too_large else _PRIVATE if error.is_not_public else _AWAY) from None
        return _read(printed)

    def close(self) -> None:
        """Close the connections that are kept for the next calendar."""
        self._http.close()

    def _content(self, address: str, until: float) -> bytes:
        kept = self._kept.get(address)
        if kept is not None and self._clock.monotonic() - kept.asked_at < FRESH_SECONDS:
            return kept.content
        got = self._ask(_url(address), kept, until)
        if kept is not None and got.status == httpx2.codes.NOT_MODIFIED:
            fresh = replace(kept, asked_at=self._clock.monotonic())
        else:
            _check(got)
            etag, modified = got.headers.get("etag"), got.headers.get("last-modified")
            fresh = _Kept(got.content, etag, modified, self._clock.monotonic())
        if sum(len(one.content) for one in tuple(self._kept.values())) + len(fresh.content) > KEPT_BYTES:
            self._kept.clear()
        self._kept[address] = fresh
        return fresh.content

    def _ask(self, url: httpx2.URL, kept: _Kept | None, until: float) -> Got:
        headers = {"Accept": "text/calendar, */*;q=0.1"}
        if kept is not None and kept.etag:
            headers["If-None-Match"] = kept.etag
        elif kept is not None and kept.modified:
            headers["If-Modified-Since"] = kept.modified
        for _ in range(1 + MAX_REDIRECTS):
            if url.userinfo or not url.host or not (url.scheme == "https" or origin_of(url) in self._own):
                raise SourceError(_ADDRESS)
            got = self._http.get(url, until=until, max_bytes=MAX_BYTES, headers=headers)
            if got.redirected_to is None:
                return got
            url = got.redirected_to
        raise SourceError(_FORBIDDEN)  # It leads around, as pages do that want a login.


def _url(address: str) -> httpx2.URL:
    scheme, _, rest = address.partition("://")
    scheme = "https" if scheme.lower() in {"webcal", "webcals"} else scheme.lower()
    try:
        return httpx2.URL(f"{scheme}://{rest}")
    except (httpx2.InvalidURL, ValueError):
        raise SourceError(_ADDRESS) from None


def _check(got: Got) -> None:
    if got.status >= httpx2.codes.INTERNAL_SERVER_ERROR or got.status == httpx2.codes.TOO_MANY_REQUESTS:
        raise SourceError(_AWAY)
    if got.status != httpx2.codes.OK:
        raise SourceError(_FORBIDDEN)
    if b"BEGIN:VCALENDAR" not in got.content.upper():
        raise SourceError(_NONE)


def _read(printed: bytes) -> Events:
    try:
        told = json.loads(printed)
    except ValueError:  # Its reader was ended: by its limit of memory or of processor time.
        raise SourceError("The calendar is too much to be read. A smaller one of theirs can be.") from None
    if "broke" in told:
        logger.warning("A calendar could not be read: %s", told["broke"])
    if "refused" in told:
        raise SourceError(f"The calendar cannot be read: {told['refused']}")
    instants = [{name: datetime.fromisoformat(one[name]) for name in ("starts", "ends")} for one in told["events"]]
    events = tuple(Event(**one | at) for one, at in zip(told["events"], instants, strict=True))
    return Events(events, told["left_out"])
