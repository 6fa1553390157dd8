"""Pages live: server-sent events, each a snapshot of what changed on the page."""

import hashlib
import json
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

from app.services import Services

MAX_STREAMS = 12  # Each holds a thread of the server for as long as a page is open.
POLL_SECONDS = 1.0  # How soon an open stream hears that the server ends.
HEARTBEAT_SECONDS = 15.0  # Only a write tells that the page is gone.
LIFE_SECONDS = 600.0  # Then the page opens a new stream, and a thread that was lost somehow is free again.
RETRY_MILLISECONDS = 1000

Sections = dict[str, object]
"""The parts of the page by name, each whole and ready for JSON."""

ENDED = "event: ended\ndata: {}\n\n"
"""There is nothing more to see for whoever is at the page: they are logged out, or what it was about is gone."""


@dataclass(frozen=True)
class Pace:
    """How often a stream looks at its page."""

    gap_seconds: float
    """Between two snapshots, so that a busy server does not render for every commit it makes."""
    quiet_polls: int
    """After how many polls without a commit it looks all the same: another process may have written."""


AT_ONCE = Pace(0.05, 1)
"""Of the one page on which somebody waits for an answer."""


class Streams:
    """The places for open streams: at most `MAX_STREAMS`, and none once they are closed."""

    def __init__(self) -> None:
        self._places = threading.BoundedSemaphore(MAX_STREAMS)
        self._closed = threading.Event()

    def open(
        self, services: Services, render: Callable[[], Sections | None], known: str | None, pace: Pace = AT_ONCE
    ) -> Iterator[str] | None:
        """The events of one page, or None when all places are taken.

        `render` takes its own look at the database; None ends the stream for good. `known` is the id of the last event
        that the page has seen, or the fingerprint of what it was made of.
        """
        if self._closed.is_set() or not self._places.acquire(blocking=False):
            return None
        return _Stream(self._events(services, render, known, pace), self._places)

    def close(self) -> None:
        """Have every stream end within a second: a server that stops waits for its threads."""
        self._closed.set()

    def _events(
        self, services: Services, render: Callable[[], Sections | None], known: str | None, pace: Pace
    ) -> Generator[str]:
        clock = services.clock
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        ends = clock.monotonic() + LIFE_SECONDS
        written = clock.monotonic()
        sent: Sections = {}
        seen = services.store.wait_for_change(-1, 0)
        while not self._closed.is_set() and clock.monotonic() < ends:
            sections = render()
            if sections is None:
                yield ENDED
                return
            changed = {name: part for name, part in sections.items() if name not in sent or sent[name] != part}
            version = fingerprint(sections)
            if changed and version != known:
                written = clock.monotonic()
                yield f"id: {version}\nevent: snapshot\ndata: {json.dumps(changed)}\n\n"
            elif clock.monotonic() - written >= HEARTBEAT_SECONDS:
                written = clock.monotonic()
                yield ": still here\n\n"
            sent, known = sections, version
            clock.wait(pace.gap_seconds)
            seen = self._changed(services, seen, pace.quiet_polls)

    def _changed(self, services: Services, seen: int, polls: int) -> int:
        """Return when something was committed, after so many polls, or when the streams are closed."""
        for _ in range(polls):
            now_seen = services.store.wait_for_change(seen, POLL_SECONDS)
            if now_seen != seen or self._closed.is_set():
                return now_seen
        return seen


class _Stream:
    """The events of one stream; its place is free again when the server closes it, begun or not."""

    def __init__(self, events: Generator[str], places: threading.BoundedSemaphore) -> None:
        self._events = events
        self._places = places
        self._is_open = True

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return next(self._events)

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._events.close()
            self._places.release()


def fingerprint(sections: Sections) -> str:
    """The same for the same page, whichever process made it."""
    return hashlib.sha256(json.dumps(sections, sort_keys=True).encode()).hexdigest()[:16]
