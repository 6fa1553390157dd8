"""Sessions: rows, so that we can end them, each bound to its operator's generation."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.orm import Session

from app.errors import NotFound
from app.models import LoginStep, Operator, OperatorSession
from app.operators.passwords import digest
from app.services import Services

IDLE = timedelta(hours=8)  # A working day: a browser left open overnight is logged out by the morning.
ABSOLUTE = timedelta(days=7)  # However active it is, a stolen session is of no use after this.
SEEN_EVERY = timedelta(minutes=5)  # Precision of the idle time; a session that only reads writes once in this time.


@dataclass(frozen=True)
class LoggedIn:
    """An operator with a session that has not ended."""

    operator_id: int
    name: str
    must_change_password: bool
    csrf_token: str
    role: str  # `owner` or `support`.

    @property
    def is_owner(self) -> bool:
        """True if they may do everything and see what people wrote."""
        return self.role == "owner"


def _is_open(now: datetime) -> ColumnElement[bool]:
    return (OperatorSession.last_seen_at > now - IDLE) & (OperatorSession.created_at > now - ABSOLUTE)


def open_session(db: Session, operator: Operator, now: datetime) -> str:
    """Open a session for this operator and return its token."""
    db.execute(delete(OperatorSession).where(~_is_open(now)))
    token = secrets.token_urlsafe(32)
    new = OperatorSession(token_hash=digest(token), operator_id=operator.id, generation=operator.generation)
    new.csrf_token, new.created_at, new.last_seen_at = secrets.token_urlsafe(32), now, now
    db.add(new)
    return token


def operator_for(services: Services, token: str, *, is_attended: bool = True) -> LoggedIn | None:
    """The operator whose session the token opens; None if it has ended or never existed.

    A request that a page makes by itself is not attended: maybe nobody is there, so it keeps no session open.
    """
    now, token_hash = services.clock.now(), digest(token)
    whose = (Operator.id == OperatorSession.operator_id) & (Operator.generation == OperatorSession.generation)
    theirs = select(OperatorSession, Operator).join(Operator, whose)
    with services.reading() as db:
        found = db.execute(theirs.where(OperatorSession.token_hash == token_hash, _is_open(now))).one_or_none()
    if found is None:
        return None
    session, operator = found
    if is_attended and now >= session.last_seen_at + SEEN_EVERY:
        with services.transaction() as db:
            still_open = db.get(OperatorSession, token_hash)
            if still_open is None:  # Logged out in another window in the meantime.
                return None
            still_open.last_seen_at = now
    return LoggedIn(operator.id, operator.name, operator.must_change_password, session.csrf_token, operator.role)


def log_out(services: Services, token: str) -> None:
    with services.transaction() as db:
        db.execute(delete(OperatorSession).where(OperatorSession.token_hash == digest(token)))


def open_sessions(services: Services, operator_id: int, this_one: str) -> Sequence[OperatorSession]:
    """The operator's open sessions: this one first, then by when they were last seen, newest first."""
    now, here = services.clock.now(), digest(this_one)
    theirs = select(OperatorSession).where(OperatorSession.operator_id == operator_id, _is_open(now))
    newest = (OperatorSession.last_seen_at.desc(), OperatorSession.created_at.desc())
    with services.reading() as db:
        return db.scalars(theirs.order_by(OperatorSession.token_hash != here, *newest)).all()


def end_session(services: Services, operator_id: int, session_id: str) -> None:
    """End one of the operator's own sessions.

    Raises:
        NotFound: it has ended already, or is somebody else's.
    """
    with services.transaction() as db:
        session = db.get(OperatorSession, session_id)
        if session is None or session.operator_id != operator_id:
            raise NotFound("That session has ended already.")
        db.delete(session)


def end_other_sessions(services: Services, operator_id: int, this_one: str) -> int:
    """End all sessions of the operator but this one, and return their number."""
    others = (OperatorSession.operator_id == operator_id) & (OperatorSession.token_hash != digest(this_one))
    with services.transaction() as db:
        return len(db.execute(delete(OperatorSession).where(others).returning(OperatorSession.token_hash)).all())


def end_sessions_and_logins(db: Session, operator: Operator, but: str | None = None) -> None:
    """End the operator's sessions and half-done logins, except the session of the token `but`.

    The new generation ends them too: checks that were made before it open nothing any more.
    """
    operator.generation += 1
    theirs = OperatorSession.operator_id == operator.id
    db.execute(delete(LoginStep).where(LoginStep.operator_id == operator.id))
    db.execute(delete(OperatorSession).where(theirs, OperatorSession.token_hash != digest(but or "")))
    db.execute(update(OperatorSession).where(theirs).values(generation=operator.generation))
