"""Logging in without a browser, and what an authenticator app shows."""

import pyotp

from app import operators
from app.models import Operator
from app.operators import factors, login, sessions
from app.services import Services
from app.services.feature import Opened

PASSWORD = "violet harbour lamp"


def opened(services: Services, password: str = PASSWORD, name: str = "operator", browser: str | None = None) -> Opened:
    result = login.log_in(services, name, password, browser)
    assert isinstance(result, Opened)
    return result


def log_in(services: Services, password: str = PASSWORD, name: str = "operator") -> str:
    """The token of the session."""
    return opened(services, password, name).session


def is_open(services: Services, session: str) -> bool:
    return sessions.operator_for(services, session) is not None


def first_step(services: Services) -> str:
    """The token of a login that waits for a second factor."""
    result = login.log_in(services, "operator", PASSWORD)
    assert isinstance(result, str)
    return result


def shown_by_app(secret: str, services: Services, seconds: int = 0) -> str:
    """What the app shows now, or shows in so many seconds."""
    return pyotp.TOTP(secret).at(int(services.clock.now().timestamp()) + seconds)


def turn_on_app(services: Services, session: str, name: str = "operator") -> tuple[str, list[str]]:
    """The secret of a new app, and the recovery codes that came with it."""
    secret = factors.new_secret()
    code = shown_by_app(secret, services)
    return secret, factors.turn_on_app(services, row(services, name).id, secret, code, session) or []


def row(services: Services, name: str = "operator") -> Operator:
    return operators.named(services, name)
