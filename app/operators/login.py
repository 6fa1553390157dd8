"""Logging in: a password, and then a second factor where there is one. Everything that can be guessed is counted."""

import logging
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from app.errors import NotFound, Refused
from app.models import Operator
from app.operations import audit
from app.operators import guessing, roster, steps, totp
from app.operators.factors import has_second_factor
from app.operators.passwords import NOBODY, hashed, is_right, refuse_weak
from app.operators.sessions import end_what_began, open_session
from app.services import Services

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Opened:
    """A login that is done."""

    session: str
    """The token of the session."""
    browser: str
    """The token by which the browser is known from now on."""


@dataclass(frozen=True)
class StepLeft:
    """A login whose second factor is still to come."""

    token: str


def log_in(services: Services, name: str, password: str, browser: str | None = None) -> Opened | StepLeft | None:
    """What the name and the password lead to, or None when one of them is wrong.

    `browser` is the token of a browser that may be known.

    Raises:
        Refused: too many wrong tries in a row; the sentence says when to try again.
    """
    # Counted in a transaction of its own, and checked outside: hashing is slow on purpose and there is one writer.
    now = services.clock.now()
    with services.transaction() as db:
        operator = roster.by_name(db, name)
        attempt = guessing.count(db, operator, browser, now)
    fits = is_right(operator.password_hash if operator else NOBODY, password)
    if operator is None or not fits:
        logger.warning(
            "A login failed: %s.", f"wrong password of operator {operator.id}" if operator else "no such name"
        )
        with services.transaction() as db:
            audit.note_refused_login(db, operator.name if operator else None, now)
        return None
    with services.transaction() as db:
        current = db.get(Operator, operator.id)
        if current is None or current.generation != operator.generation:  # Changed or removed while it was checked.
            return None
        if has_second_factor(db, current):
            guessing.take_back(db, attempt)
            return StepLeft(steps.begin(db, current, now)[0])
        guessing.forgive(db, attempt)
        return opened(db, current, browser, now)


def check_code(services: Services, step_token: str, code: str, browser: str | None = None) -> Opened | None:
    """The login that the code of an app or a recovery code ends, or None when the code is wrong or was used before.

    Raises:
        Refused: too many wrong tries in a row, or the login was begun too long ago.
    """
    now = services.clock.now()
    with services.transaction() as db:
        step, operator = steps.found(db, step_token, now)
        if operator is None:
            raise Refused("That login asked for a passkey, not for a code. Begin again with your name.")
        attempt = guessing.count(db, operator, browser, now)
        if not totp.take(db, operator, code, now):
            guessing.knew_the_password(db, now)
            audit.note_refused_login(db, operator.name, now)
            logger.warning("A login failed: wrong code of operator %d.", operator.id)
            return None
        guessing.forgive(db, attempt)
        db.delete(step)
        return opened(db, operator, browser, now)


def opened(db: Session, operator: Operator, browser: str | None, now: datetime) -> Opened:
    audit.note(db, operator.name, "login", now)
    return Opened(open_session(db, operator, now), guessing.know(db, operator.id, browser, now))


def is_password(services: Services, operator_id: int, password: str, browser: str | None = None) -> bool:
    """Whether it is the operator's: asked before what an open session alone must not do. A wrong one counts.

    Raises:
        Refused: too many wrong tries in a row.
    """
    now = services.clock.now()
    with services.transaction() as db:
        operator = db.get(Operator, operator_id)
        if operator is None:
            raise NotFound(f"There is no operator with id {operator_id}.")
        attempt = guessing.count(db, operator, browser, now)
    if not is_right(operator.password_hash, password):
        logger.warning("Wrong password of operator %d in an open session.", operator.id)
        return False
    with services.transaction() as db:
        guessing.forgive(db, attempt)
    return True


def change_password(services: Services, operator_id: int, old: str, new: str, browser: str | None = None) -> str:
    """The token of a new session, the only one left: whoever had a session before has none now.

    Raises:
        Refused: the old password is wrong, or the new one is too short, easily guessed or the old one.
    """
    refuse_weak(new)
    if not is_password(services, operator_id, old, browser):
        raise Refused(f"The {_which(services, operator_id)} password is not right.")
    if new == old:
        raise Refused(f"The new password is the {_which(services, operator_id)} one. Choose another.")
    password_hash = hashed(new)
    now = services.clock.now()
    with services.transaction() as db:
        operator = db.get_one(Operator, operator_id)
        operator.password_hash, operator.must_change_password = password_hash, False
        end_what_began(db, operator)
        return open_session(db, operator, now)


def _which(services: Services, operator_id: int) -> str:
    """Which password the operator has, as the page calls it."""
    with services.reading() as db:
        return "one-time" if db.get_one(Operator, operator_id).must_change_password else "current"
