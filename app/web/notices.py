"""Flask's signed cookie, which carries the notices of the operator's pages and nothing else."""

from flask import Flask, Request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface


class Notices(SecureCookieSessionInterface):
    """Reads the cookie where notices are shown: no webhook carries one, and making ready to read it takes time."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        if not request.path.startswith("/admin"):
            return SecureCookieSession()
        return super().open_session(app, request)
