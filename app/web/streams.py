"""Live pages: each supplies its parts that change, and gets an event stream and a snapshot endpoint."""

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

MAX_STREAMS = 12  # Each holds a thread of the server while its page is open.
POLL_SECONDS = 1.0  # The longest time until an open stream notices that the server stops.
HEARTBEAT_SECONDS = 15.0  # Only a write shows that the page is gone.
LIFE_SECONDS = 600.0  # After this the page opens a new stream, which also frees a thread that got stuck.
RETRY_MILLISECONDS = 1000

Sections = dict[str, object]
"""The parts of a page by name, each complete and ready for JSON: mostly lists of a key and the HTML of a macro."""

ENDED = "event: ended\ndata: {}\n\n"
"""Tells the page that no more events follow: the operator is logged out, or the subject of the page is gone."""


@dataclass(frozen=True)
class Pace:
    """The rate at which a stream renders its page."""

    gap_seconds: float  # Least time between two snapshots, so that a busy server does not render at every commit.
    quiet_polls: int  # Polls without a commit after which it renders anyway: another process may have written.


AT_ONCE = Pace(0.05, 1)  # For the one page on which somebody waits for an answer.
AT_LEISURE = Pace(1.0, 5)


class Streams:
    """The places for open streams of one server: at most `MAX_STREAMS`, and none once they are closed."""

    def __init__(self) -> None:
        self.places = threading.BoundedSemaphore(MAX_STREAMS)
        self.closed = threading.Event()

    def close(self) -> None:
        """End every stream within a second, since a stopping server waits for its threads."""
        self.closed.set()

    def events(
        self, services: Services, render: Callable[[], Sections | None], known: str | None, pace: Pace
    ) -> Iterator[str]:
        """The events of one page; `render` reads the database itself, and its None ends the stream for good.

        `known` is the id of the last event that the page has seen, or the fingerprint of its sections at loading.
        """
        clock = services.clock
        ends = clock.monotonic() + LIFE_SECONDS
        written = clock.monotonic()
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
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
    """Add an event stream for the page at `rule`, at `<rule>/events`, and a snapshot, at `<rule>/snapshot`.

    `see` takes the values in the page's URL, and renders within the request of the page's session. If that session
    loses the right to look, or the subject of the page is gone, the stream ends at the next snapshot.
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
        stream = streams.events(app.extensions["services"], render, known, pace)
        response = Response(stream, content_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
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
    """The macros of a template, for both a page and its stream, with the context of every page."""
    context: dict[str, Any] = dict(values)
    current_app.update_template_context(context)
    return current_app.jinja_env.get_template(template).make_module(context)


def followed(sections: Sections, prefix: str, **values: Any) -> dict[str, Any]:
    """Values for the page's template: the lists at loading, and the URLs of its stream and its snapshot."""
    events = url_for(f"{prefix}events", **values, known=fingerprint(sections))
    return {"lists": lists(sections), "events": events, "snapshot": url_for(f"{prefix}snapshot", **values)}


def lists(sections: Sections) -> dict[str, Markup]:
    """Each list joined into one piece of HTML, for the page itself."""
    return {
        name: Markup("").join(html for _, html in part) for name, part in sections.items() if isinstance(part, list)
    }


def fingerprint(sections: Sections) -> str:
    """A hash of the sections, the same in every process."""
    return hashlib.sha256(json.dumps(sections, sort_keys=True).encode()).hexdigest()[:16]
