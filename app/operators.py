"""Operators: who may log in to the admin pages, their passwords, and their sessions, which are ended from here."""

import hashlib
import logging
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from sqlalchemy import delete, or_, select
from sqlalchemy.orm import Session

from app.clock import seconds_between
from app.errors import NotFound, Refused
from app.models import Operator, OperatorSession
from app.services import Services
from app.settings import MIN_PASSWORD_CHARS, is_guessable

FIRST_NAME = "operator"

IDLE = timedelta(hours=8)  # A working day: a browser left open overnight is logged out by the morning.
ABSOLUTE = timedelta(days=7)  # However busy it is kept, a session that was stolen is of no use after this.
SEEN_EVERY = timedelta(minutes=5)  # How exact the idle time is; a page that is only read writes once in this time.

FREE_FAILURES = 5  # What someone who mistypes needs; from there each wrong password doubles the wait.
MAX_WAIT_SECONDS = 300  # Twelve guesses an hour break nothing, and the real operator waits five minutes at most.

ONE_TIME_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # Without 0, 1, i, l and o, which are misread.
ONE_TIME_GROUPS, ONE_TIME_GROUP_CHARS = 4, 5  # 31^20 is 99 bits.

# The least that OWASP's password storage cheat sheet accepts: 19 MiB, two passes, one lane, about 30 ms.
# Source: docs/decisions/0009-operator-login.md, which says why not more.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
_NOBODY = "$argon2id$v=19$m=19456,t=2,p=1$/ec8Jkf+YNNog4BVsg7S9w$4TidJUQazHtwy0h7edYEwh0oPKNBq354X7RogQEaiFw"

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class LoggedIn:
    """An operator with a session that has not ended."""

    operator_id: int
    name: str
    must_change_password: bool
    csrf_token: str


def ensure_first(services: Services, password: str | None) -> str | None:
    """Make the first operator; the one-time password to print, or None when there is nothing to print.

    A `password` (ADMIN_PASSWORD) that differs from the one in force takes its place and ends all sessions.
    """
    with services.reading() as db:
        first = _first(db)
    if password is None:
        return reset_password(services) if first is None else None
    if first is None or not _is_right(first.password_hash, password):
        _set_first_password(services, password, one_time=False)
    return None


def reset_password(services: Services) -> str:
    """A new one-time password for the first operator, whose sessions and waiting time end."""
    password = "-".join(
        "".join(secrets.choice(ONE_TIME_ALPHABET) for _ in range(ONE_TIME_GROUP_CHARS)) for _ in range(ONE_TIME_GROUPS)
    )
    _set_first_password(services, password, one_time=True)
    return password


def log_in(services: Services, name: str, password: str) -> str | None:
    """The token of a new session, or None when the name or the password is wrong.

    Raises:
        Refused: too many wrong passwords in a row; the sentence says when to try again.
    """
    with services.reading() as db:
        operator = db.scalars(select(Operator).where(Operator.name == name)).one_or_none()
    if operator is None:
        # As much work as for a name that exists, so that the time it takes does not tell them apart.
        _is_right(_NOBODY, password)
        return None
    if not _password_is_right(services, operator.id, password):
        return None
    with services.transaction() as db:
        _sweep(db, services.clock.now())
        return _open_session(db, operator.id, services.clock.now())


def operator_for(services: Services, token: str, *, is_attended: bool = True) -> LoggedIn | None:
    """Whose session the token opens, or None when it has ended or never was.

    What a page asks by itself is not attended: nobody need be there, and it keeps no session open.
    """
    now = services.clock.now()
    token_hash = _hash_of(token)
    with services.reading() as db:
        found = db.execute(
            select(OperatorSession, Operator)
            .join(Operator, Operator.id == OperatorSession.operator_id)
            .where(OperatorSession.token_hash == token_hash)
        ).one_or_none()
    if found is None:
        return None
    session, operator = found
    if now >= session.last_seen_at + IDLE or now >= session.created_at + ABSOLUTE:
        return None
    if is_attended and now >= session.last_seen_at + SEEN_EVERY:
        with services.transaction() as db:
            still_open = db.get(OperatorSession, token_hash)
            if still_open is None:  # Logged out in another window since it was read.
                return None
            still_open.last_seen_at = now
    return LoggedIn(operator.id, operator.name, operator.must_change_password, session.csrf_token)


def log_out(services: Services, token: str) -> None:
    with services.transaction() as db:
        db.execute(delete(OperatorSession).where(OperatorSession.token_hash == _hash_of(token)))


def change_password(services: Services, operator_id: int, old: str, new: str) -> str:
    """The token of a new session, the only one left: whoever had a session before has none now.

    Raises:
        Refused: the old password is wrong, or the new one is too short, easily guessed or the old one.
    """
    if len(new) < MIN_PASSWORD_CHARS:
        raise Refused(
            f"The new password has {len(new)} characters; it needs at least {MIN_PASSWORD_CHARS}. "
            "A few words in a row are easy to keep in mind."
        )
    if is_guessable(new):
        raise Refused("The new password is easily guessed. A few words in a row are better, and easy to keep in mind.")
    if not _password_is_right(services, operator_id, old):
        raise Refused("The current password is not right.")
    if new == old:
        raise Refused("The new password is the current one. Choose another.")
    password_hash = _HASHER.hash(new)
    now = services.clock.now()
    with services.transaction() as db:
        _keep_password(db, db.get_one(Operator, operator_id), password_hash, one_time=False)
        return _open_session(db, operator_id, now)


def _password_is_right(services: Services, operator_id: int, password: str) -> bool:
    # The try is counted as wrong before it is checked, so that guesses sent at once do not share one count; and it is
    # checked outside the transaction, because hashing is slow on purpose and there is one writer.
    now = services.clock.now()
    with services.transaction() as db:
        operator = db.get(Operator, operator_id)
        if operator is None:
            raise NotFound(f"There is no operator with id {operator_id}.")
        _refuse_while_waiting(operator, now)
        operator.failures += 1
        operator.last_failure_at = now
    if not _is_right(operator.password_hash, password):
        logger.warning("Wrong password for operator %d, %d in a row.", operator.id, operator.failures)
        return False
    with services.transaction() as db:
        right = db.get_one(Operator, operator_id)
        right.failures, right.last_failure_at = 0, None
    return True


def _refuse_while_waiting(operator: Operator, now: datetime) -> None:
    if operator.failures < FREE_FAILURES or operator.last_failure_at is None:
        return
    # The exponent is bounded because 2^n for a year of guesses is a number of many pages.
    wait_seconds = min(2 ** min(operator.failures - FREE_FAILURES, 20), MAX_WAIT_SECONDS)
    again_at = operator.last_failure_at + timedelta(seconds=wait_seconds)
    if now < again_at:
        logger.warning("Login of operator %d refused after %d wrong passwords.", operator.id, operator.failures)
        left = max(1, round(seconds_between(now, again_at)))
        raise Refused(
            f"{operator.failures} wrong passwords in a row. Try again in {left} s, at {again_at:%H:%M:%S} UTC."
        )


def _set_first_password(services: Services, password: str, *, one_time: bool) -> None:
    password_hash = _HASHER.hash(password)
    now = services.clock.now()
    with services.transaction() as db:
        operator = _first(db)
        if operator is None:
            operator = Operator(name=FIRST_NAME, password_hash="", created_at=now)
            db.add(operator)
            db.flush()
        _keep_password(db, operator, password_hash, one_time=one_time)


def _keep_password(db: Session, operator: Operator, password_hash: str, *, one_time: bool) -> None:
    operator.password_hash = password_hash
    operator.must_change_password = one_time
    operator.failures, operator.last_failure_at = 0, None
    db.execute(delete(OperatorSession).where(OperatorSession.operator_id == operator.id))


def _first(db: Session) -> Operator | None:
    return db.scalars(select(Operator).order_by(Operator.id).limit(1)).one_or_none()


def _open_session(db: Session, operator_id: int, now: datetime) -> str:
    token = secrets.token_urlsafe(32)
    db.add(
        OperatorSession(
            token_hash=_hash_of(token),
            operator_id=operator_id,
            csrf_token=secrets.token_urlsafe(32),
            created_at=now,
            last_seen_at=now,
        )
    )
    return token


def _sweep(db: Session, now: datetime) -> None:
    ended = or_(OperatorSession.last_seen_at <= now - IDLE, OperatorSession.created_at <= now - ABSOLUTE)
    db.execute(delete(OperatorSession).where(ended))


def _is_right(password_hash: str, password: str) -> bool:
    try:
        return _HASHER.verify(password_hash, password)
    except VerifyMismatchError:
        return False


def _hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
