"""All that requests pass on their way in and out, whichever door they are for."""

import gzip
import secrets
from collections.abc import Iterable
from io import BytesIO
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Request, Response, g, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from prometheus_client import CollectorRegistry, Histogram

from app.services import Clock

WEBHOOKS = {"sms.receive": "/sms", "sms.status": "/sms/status", "sms.voice": "/voice"}
BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 15.0)  # Twilio gives up after 15 s.

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""The rights of our pages in a browser: nothing that is not our own, and nothing inline."""

LEAST_BYTES = 1_000  # Below it the answer fits into one packet anyway.
LEVEL = 6
KINDS = {"text/html", "text/css", "text/csv", "text/plain", "text/javascript", "image/svg+xml"}
MOST_PADDING = 100
"""Letters: who makes a browser ask again and again, and counts the bytes on the line, must not read a form's token off
them, guess by guess (BREACH). A length that changes by chance is one cure of those who found it (Gluck and others)."""


class PublicPrefix:
    """Serves `/keepsake/sms` as `/sms`, and makes links that begin with the prefix.

    A proxy may take the prefix off or hand it on.
    """

    def __init__(self, app: WSGIApplication, prefix: str) -> None:
        self._app = app
        self._prefix = prefix.rstrip("/")

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if self._prefix:
            environ["SCRIPT_NAME"] = self._prefix
            if path == self._prefix or path.startswith(f"{self._prefix}/"):
                environ["PATH_INFO"] = path[len(self._prefix) :]
        return self._app(environ, start_response)


class Notices(SecureCookieSessionInterface):
    """Reads Flask's signed cookie where notices are shown: no webhook has one, and to make ready for it takes time."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        if not request.path.startswith("/admin"):
            return SecureCookieSession()
        return super().open_session(app, request)


def measure_webhooks(app: Flask, clock: Clock) -> None:
    """Have each request to a webhook timed, from its first line to its answer."""
    registry = CollectorRegistry()
    seconds = Histogram(
        "keepsake_webhook_seconds", "How long a webhook took.", ["route"], registry=registry, buckets=BUCKETS
    )
    by_endpoint = {endpoint: seconds.labels(route) for endpoint, route in WEBHOOKS.items()}
    app.extensions["webhook_seconds"] = registry

    @app.before_request
    def begin() -> None:
        g.began = clock.monotonic()

    @app.after_request
    def end(response: Response) -> Response:
        timed = by_endpoint.get(request.endpoint or "")
        if timed is not None and "began" in g:
            timed.observe(clock.monotonic() - g.began)
        return response


def secure_headers(response: Response) -> Response:
    """The response with the headers of every page of ours; made for `after_request`."""
    response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    # Not `no-referrer`: with it browsers send `Origin: null` with our own forms, and nobody could tell whose they are.
    # Other sites are told nothing either way.
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["Cache-Control"] = "no-store"
    return response


def by_path(response: Response) -> Response:
    """The response, and a redirect within these pages by its path alone; made for `after_request`.

    A slash too few or too many is answered with a whole address, whose scheme and host are those of the request: behind
    a proxy with TLS that would lead from https to plain http, and with a made-up `Host` to anywhere.
    """
    there = urlsplit(response.location or "")
    if f"{there.scheme}://{there.netloc}/" != request.host_url:
        return response
    # With two slashes at its beginning a path would be read as a host.
    response.location = there._replace(scheme="", netloc="", path=f"/{there.path.lstrip('/')}").geturl()
    response.data = b""  # It names the whole address, too.
    return response


def compressed(response: Response) -> Response:
    """The response in gzip where it was asked for and saves anything; made for `after_request`.

    Pages' streams, which are sent as they come about, are let be.
    """
    length = (response.content_length or 0) if response.is_streamed else len(response.get_data())
    if response.mimetype not in KINDS or response.status_code in {206, 304} or length < LEAST_BYTES:
        return response
    response.vary.add("Accept-Encoding")
    if "Content-Encoding" in response.headers or not request.accept_encodings["gzip"]:
        return response
    response.direct_passthrough = False
    packed = BytesIO()
    # Under a file's name of any length: the one part of the form that every reader passes over.
    name = "x" * secrets.randbelow(MOST_PADDING + 1)
    with gzip.GzipFile(filename=name, mode="wb", compresslevel=LEVEL, fileobj=packed, mtime=0) as file:
        file.write(response.get_data())
    response.set_data(packed.getvalue())
    response.content_encoding = "gzip"
    tag, _ = response.get_etag()
    if tag is not None:  # The same page, and other bytes.
        response.set_etag(tag, weak=True)
    return response
