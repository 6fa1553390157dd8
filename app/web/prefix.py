"""The path under which a proxy shows Keepsake, whether the proxy takes it off or hands it on."""

from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment


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
