"""The path under which a proxy shows Keepsake, whether the proxy takes it off or hands it on."""

from collections.abc import Iterable
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Response, request


class PublicPrefix:
    """Serves `/keepsake/sms` as `/sms`, and makes links that begin with the prefix."""

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
