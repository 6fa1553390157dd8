"""Steps that requests and responses of all doors pass: URL prefix, cookies, timing, headers, compression."""

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
"""Our pages may load nothing in a browser that is not our own, and nothing inline."""

LEAST_BYTES = 1_000  # A smaller response fits into one packet anyway.
LEVEL = 6
KINDS = {"text/html", "text/css", "text/csv", "text/plain", "text/javascript", "image/svg+xml"}
MOST_PADDING = 100
"""Random padding in bytes against BREACH: an attacker who makes a browser repeat requests could read a form's token
off the compressed lengths, guess by guess. Its discoverers (Gluck and others) name random lengths as one remedy."""


class PublicPrefix:
    """Serves `/keepsake/sms` as `/sms`, and makes links start with the prefix.

    A proxy may strip the prefix or pass it on.
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
    """Reads Flask's signed cookie only on pages that show notices: webhooks have none, and preparing it takes time."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        if not request.path.startswith("/admin"):
            return None  # Flask then puts an empty session in its place, and sends no cookie.
        return super().open_session(app, request)


def measure_webhooks(app: Flask, clock: Clock) -> None:
    """Time each request to a webhook, from its first line to its response."""
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
    """The response with the security headers of all our pages; for `after_request`."""
    response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    # Not `no-referrer`: with it browsers send `Origin: null` even with our own forms, which then look like others'.
    # Other sites get no referrer either way.
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["Cache-Control"] = "no-store"
    return response


def with_relative_redirect(response: Response) -> Response:
    """The response, with a redirect to our own pages reduced to its path; for `after_request`.

    Flask redirects a URL with a missing or extra slash to a full URL with the request's scheme and host: behind a proxy
    with TLS that would lead from https to plain http, and with a forged `Host` to anywhere.
    """
    if not response.location:
        return response
    there = urlsplit(response.location)
    if f"{there.scheme}://{there.netloc}/" != request.host_url:
        return response
    # A path that starts with two slashes would be read as a host.
    response.location = there._replace(scheme="", netloc="", path=f"/{there.path.lstrip('/')}").geturl()
    response.data = b""  # The body names the full URL too.
    return response


def compressed(response: Response) -> Response:
    """The response, gzipped if the client accepts it and it saves anything; for `after_request`.

    Event streams are left alone, since they are sent bit by bit.
    """
    if response.mimetype not in KINDS or response.status_code in {206, 304}:
        return response
    length = (response.content_length or 0) if response.is_streamed else len(response.get_data())
    if length < LEAST_BYTES:
        return response
    response.vary.add("Accept-Encoding")
    if "Content-Encoding" in response.headers or not request.accept_encodings["gzip"]:
        return response
    response.direct_passthrough = False
    packed = BytesIO()
    # The random padding is a file name, the one part of the gzip format that every reader ignores.
    name = "x" * secrets.randbelow(MOST_PADDING + 1)
    with gzip.GzipFile(filename=name, mode="wb", compresslevel=LEVEL, fileobj=packed, mtime=0) as file:
        file.write(response.get_data())
    response.set_data(packed.getvalue())
    response.content_encoding = "gzip"
    tag, _ = response.get_etag()
    if tag is not None:  # A weak tag: the same page in other bytes.
        response.set_etag(tag, weak=True)
    return response
