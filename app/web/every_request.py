"""All that requests pass on their way in and out, whichever door they are for."""

from collections.abc import Iterable
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
