"""Logs in without a browser, and computes codes of an authenticator app."""

import pyotp

from app import operators
from app.models import Operator
from app.operators import factors, login, sessions
from app.services import Services
from app.services.feature import CompletedLogin

PASSWORD = "violet harbour lamp"


def opened(
    services: Services, password: str = PASSWORD, name: str = "operator", browser: str | None = None
) -> CompletedLogin:
    result = login.log_in(services, name, password, browser)
    assert isinstance(result, CompletedLogin)
    return result


def log_in(services: Services, password: str = PASSWORD, name: str = "operator") -> str:
    """Log in, and return the session's token."""
    return opened(services, password, name).session


def is_open(services: Services, session: str) -> bool:
    return sessions.operator_for(services, session) is not None


def first_step(services: Services) -> str:
    """The token of a login that waits for a second factor."""
    result = login.log_in(services, "operator", PASSWORD)
    assert isinstance(result, str)
    return result


def shown_by_app(secret: str, services: Services, seconds: int = 0) -> str:
    """The code that the app shows now, or in some seconds."""
    return pyotp.TOTP(secret).at(int(services.clock.now().timestamp()) + seconds)


def turn_on_app(services: Services, session: str, name: str = "operator") -> tuple[str, list[str]]:
    """Turn on a new app, and return its secret and the recovery codes that come with it."""
    secret = factors.new_secret()
    code = shown_by_app(secret, services)
    return secret, factors.turn_on_app(services, row(services, name).id, secret, code, session) or []


def row(services: Services, name: str = "operator") -> Operator:
    return operators.named(services, name)
