"""Pages live: each hands in its parts that change, and gets a stream of events and a snapshot to ask for."""

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from flask import Blueprint, Response, current_app, jsonify, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from app.errors import KeepsakeError
from app.services import Services

MAX_STREAMS = 12  # Each holds a thread of the server for as long as a page is open.
POLL_SECONDS = 1.0  # How soon an open stream hears that the server ends.
HEARTBEAT_SECONDS = 15.0  # Only a write tells that the page is gone.
LIFE_SECONDS = 600.0  # Then the page opens a new stream, and a thread that was lost somehow is free again.
RETRY_MILLISECONDS = 1000

Sections = dict[str, object]
"""The parts of the page by name, each whole and ready for JSON: mostly lists of `[key, HTML]`."""

ENDED = "event: ended\ndata: {}\n\n"
"""There is nothing more to see for whoever is at the page: they are logged out, or what it was about is gone."""


@dataclass(frozen=True)
class Pace:
    """How often a stream looks at its page."""

    gap_seconds: float  # Between two snapshots, so that a busy server does not render for every commit it makes.
    quiet_polls: int  # After how many polls without a commit it looks all the same: another process may have written.


AT_ONCE = Pace(0.05, 1)  # Of the one page on which somebody waits for an answer.
AT_LEISURE = Pace(1.0, 5)


class Streams:
    """The places for open streams of one server: at most `MAX_STREAMS`, and none once they are closed."""

    def __init__(self) -> None:
        self.places = threading.BoundedSemaphore(MAX_STREAMS)
        self.closed = threading.Event()

    def close(self) -> None:
        """Have every stream end within a second: a server that stops waits for its threads."""
        self.closed.set()

    def events(
        self, services: Services, render: Callable[[], Sections | None], known: str | None, pace: Pace
    ) -> Iterator[str]:
        """The events of one page; `render` takes its own look at the database, and None ends the stream for good.

        `known` is the id of the last event that the page has seen, or the fingerprint of what it was made of.
        """
        clock = services.clock
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        ends = clock.monotonic() + LIFE_SECONDS
        written = clock.monotonic()
        sent: Sections = {}
        seen = services.store.wait_for_change(-1, 0)
        while not self.closed.is_set() and clock.monotonic() < ends:
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
            for _ in range(pace.quiet_polls):
                before, seen = seen, services.store.wait_for_change(seen, POLL_SECONDS)
                if seen != before or self.closed.is_set():
                    break


def make_live(
    bp: Blueprint, rule: str, prefix: str, see: Callable[..., Sections], may_look: Callable[[], bool], pace: Pace
) -> None:
    """Have the page at `rule` followed at `<rule>/events`, or asked for at `<rule>/snapshot`.

    `see` takes the values of the page's address, and looks at the database with the session that is at the page. Once
    that one may not look any more, or what the page is about is gone, the stream ends at the next look.
    """

    def events(**values: Any) -> Response:
        app = cast("Any", current_app)._get_current_object()  # noqa: SLF001  (Flask's own way to an app that outlives its request)
        streams, environ = cast("Streams", app.extensions["streams"]), request.environ

        def render() -> Sections | None:
            with app.request_context(environ):
                try:
                    return see(**values) if may_look() else None
                except KeepsakeError:
                    return None

        if streams.closed.is_set() or not streams.places.acquire(blocking=False):
            return Response("All streams are taken; ask for the snapshot.\n", 503, {"Retry-After": "30"})
        known = request.headers.get("Last-Event-ID") or request.args.get("known")
        told = streams.events(app.extensions["services"], render, known, pace)
        response = Response(told, content_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
        response.call_on_close(streams.places.release)
        return response

    def snapshot(**values: Any) -> AnyResponse:
        sections = see(**values)
        response = jsonify(sections)
        response.set_etag(fingerprint(sections))
        return response.make_conditional(request)

    bp.add_url_rule(f"{rule.rstrip('/')}/events", f"{prefix}events", events)
    bp.add_url_rule(f"{rule.rstrip('/')}/snapshot", f"{prefix}snapshot", snapshot)


def parts(template: str, **values: Any) -> Any:
    """The macros of a template, for the page and for its stream alike; they see what every page sees."""
    context: dict[str, Any] = dict(values)
    current_app.update_template_context(context)
    return current_app.jinja_env.get_template(template).make_module(context)


def followed(sections: Sections, prefix: str, **values: Any) -> dict[str, Any]:
    """For the page itself: the lists as it holds them when it is loaded, and the addresses at which it is followed."""
    events = url_for(f"{prefix}events", **values, known=fingerprint(sections))
    return {"lists": lists(sections), "events": events, "snapshot": url_for(f"{prefix}snapshot", **values)}


def lists(sections: Sections) -> dict[str, Markup]:
    """Each list in one piece, for the page itself."""
    return {
        name: Markup("").join(Markup(html) for _, html in part)  # noqa: S704  (The template escaped it.)
        for name, part in sections.items()
        if isinstance(part, list)
    }


def fingerprint(sections: Sections) -> str:
    """The same for the same page, whichever process made it."""
    return hashlib.sha256(json.dumps(sections, sort_keys=True).encode()).hexdigest()[:16]
