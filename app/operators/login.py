"""Logging in: a password, then a second factor if there is one. Every try at either is counted."""

import logging
import secrets
from datetime import datetime, timedelta
from types import ModuleType

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.clock import has_come, was_long_ago
from app.errors import Refused
from app.models import LoginStep, Operator
from app.operations import audit
from app.operators import by_id, by_name, factors, guessing
from app.operators.passwords import NOBODY, digest, hashed, is_right, refuse_weak
from app.operators.sessions import end_sessions_and_logins, open_session
from app.services import Services
from app.services.feature import CompletedLogin, DeviceRequest, first_result

PATIENCE = timedelta(minutes=5)  # Time to fetch a phone from another room.
MAX_NAMELESS = 1000  # Anybody may begin a login by passkey; beyond this number the oldest is dropped.
CHALLENGE_BYTES = 64

logger = logging.getLogger(__name__)


def passkeys(services: Services) -> ModuleType | None:
    """The module with which operators log in by passkey; None if no feature has it."""
    return first_result(services.features, lambda feature: feature.passkeys)


def needed_passkeys(services: Services) -> ModuleType:
    found = passkeys(services)
    if found is None:
        raise Refused("There are no passkeys in this installation.")
    return found


def log_in(services: Services, name: str, password: str, browser: str | None = None) -> CompletedLogin | str | None:
    """A login, or the token of one that still needs its second factor; None if name or password is wrong.

    `browser` is the token of a browser that may be known.

    Raises:
        Refused: too many wrong tries in a row; the sentence says when to try again.
    """
    # Counted in a transaction of its own and checked outside it: hashing is slow on purpose, and there is one writer.
    now = services.clock.now()
    with services.transaction() as db:
        operator = by_name(db, name)
        attempt = guessing.count(db, operator, browser, now)
    fits = is_right(operator.password_hash if operator else NOBODY, password)
    if operator is None or not fits:
        why = f"wrong password of operator {operator.id}" if operator else "no such name"
        logger.warning("A login failed: %s.", why)
        with services.transaction() as db:
            audit.note_refused_login(db, operator.name if operator else None, now)
        return None
    with services.transaction() as db:
        current = db.get(Operator, operator.id)
        if current is None or current.generation != operator.generation:  # Changed or removed while it was checked.
            return None
        if factors.has_second_factor(db, current):
            guessing.uncount(db, attempt)
            return begin_step(db, current, now)[0]
        guessing.reset_count(db, attempt)
        return complete_login(db, current, browser, now)


def begin_step(db: Session, operator: Operator | None, now: datetime) -> tuple[str, bytes]:
    """The token of a new step, which waits minutes for a second factor, and the bytes that a passkey has to sign."""
    db.execute(delete(LoginStep).where(was_long_ago(LoginStep.begun_at, now, PATIENCE)))
    nameless = select(LoginStep).where(LoginStep.operator_id.is_(None)).order_by(LoginStep.begun_at.desc())
    for too_many in db.scalars(nameless.offset(MAX_NAMELESS - 1)):
        db.delete(too_many)
    token, challenge = secrets.token_urlsafe(32), secrets.token_bytes(CHALLENGE_BYTES)
    step = LoginStep(token_hash=digest(token), challenge=challenge, begun_at=now)
    if operator is not None:
        step.operator_id, step.generation = operator.id, operator.generation
    db.add(step)
    return token, challenge


def pending_step(db: Session, token: str, now: datetime) -> tuple[LoginStep, Operator | None]:
    """The step of that token, and its operator if known yet.

    Raises:
        Refused: it took too long, was done already, or the operator has changed since.
    """
    step = db.get(LoginStep, digest(token))
    operator = db.get(Operator, step.operator_id) if step and step.operator_id else None
    if (
        step is None
        or has_come(step.begun_at + PATIENCE, now, PATIENCE)
        or (step.operator_id is not None and (operator is None or operator.generation != step.generation))
    ):
        raise Refused("That took longer than five minutes, or was done already. Begin again.")
    return step, operator


def pending_factors(services: Services, step_token: str, here: str) -> DeviceRequest:
    """The second factors that a login already begun asks for, in a browser at the address `here`.

    Raises:
        Refused: the login was begun too long ago.
    """
    if keys := passkeys(services):
        asked: DeviceRequest = keys.ask_again(services, step_token, here)
        return asked
    with services.reading() as db:
        pending_step(db, step_token, services.clock.now())
    return DeviceRequest(step_token, {}, takes_code=True)


def check_code(services: Services, step_token: str, code: str, browser: str | None = None) -> CompletedLogin | None:
    """The login that an app's code or a recovery code completes; None if the code is wrong or was used before.

    Raises:
        Refused: too many wrong tries in a row, or the login was begun too long ago.
    """
    now = services.clock.now()
    with services.transaction() as db:
        step, operator = pending_step(db, step_token, now)
        if operator is None:
            raise Refused("That login asked for a passkey, not for a code. Begin again with your name.")
        attempt = guessing.count(db, operator, browser, now)
        if not factors.take_code(db, operator, code, now):
            guessing.alert_right_password(db, now)
            audit.note_refused_login(db, operator.name, now)
            logger.warning("A login failed: wrong code of operator %d.", operator.id)
            return None
        guessing.reset_count(db, attempt)
        db.delete(step)
        return complete_login(db, operator, browser, now)


def complete_login(db: Session, operator: Operator, browser: str | None, now: datetime) -> CompletedLogin:
    audit.note(db, operator.name, "login", now)
    return CompletedLogin(open_session(db, operator, now), guessing.remember_browser(db, operator.id, browser, now))


def is_password(services: Services, operator_id: int, password: str, browser: str | None = None) -> bool:
    """True if it is the operator's password, asked for before a risky action in an open session. A wrong one counts.

    Raises:
        Refused: too many wrong tries in a row.
    """
    now = services.clock.now()
    with services.transaction() as db:
        operator = by_id(db, operator_id)
        attempt = guessing.count(db, operator, browser, now)
    if not is_right(operator.password_hash, password):
        logger.warning("Wrong password of operator %d in an open session.", operator.id)
        return False
    with services.transaction() as db:
        guessing.reset_count(db, attempt)
    return True


def change_password(services: Services, operator_id: int, old: str, new: str, browser: str | None = None) -> str:
    """Change the password and return the token of a new session, the only one left.

    Raises:
        Refused: the old password is wrong, or the new one is too short, easily guessed or the same.
    """
    refuse_weak(new)
    with services.reading() as db:
        operator = db.get(Operator, operator_id)
    which = "one-time" if operator is not None and operator.must_change_password else "current"
    if not is_password(services, operator_id, old, browser):
        raise Refused(f"The {which} password is not right.")
    if new == old:
        raise Refused(f"The new password is the {which} one. Choose another.")
    password_hash, now = hashed(new), services.clock.now()
    with services.transaction() as db:
        operator = db.get_one(Operator, operator_id)
        operator.password_hash, operator.must_change_password = password_hash, False
        end_sessions_and_logins(db, operator)
        return open_session(db, operator, now)
