"""Operators, who log in to the admin pages: add, list, let back in, remove. There is always an owner."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, func, select
from sqlalchemy.orm import Session

from app.errors import Conflict, NotFound, Refused
from app.models import LoginStep, Operator, OperatorBrowser, OperatorSession, Passkey
from app.operations import audit
from app.operators import guessing
from app.operators.factors import drop_all
from app.operators.passwords import ONE_TIME_GROUPS, hashed, is_right, readable
from app.operators.sessions import end_sessions_and_logins
from app.services import Services

FIRST_NAME = "operator"
ROLES = ("owner", "support")
"""An owner may do everything; support does not see what people write, changes no memory and manages no operators."""

ADDED = "operator_added"
"""The log's word for a new operator. The name is logged only once they exist: it might have been a password."""

NAME = re.compile(r"[a-z0-9][a-z0-9._@+-]{0,39}")


def ensure_first(services: Services, password: str | None) -> str | None:
    """Make the first operator. Returns the one-time password to print, or None if there is nothing to print.

    A `password` (ADMIN_PASSWORD) that differs from the first owner's replaces it and ends all their sessions.
    """
    with services.reading() as db:
        first = _first_owner(db)
    if first is not None and (password is None or is_right(first.password_hash, password)):
        return None
    one_time, password_hash = _new_password() if password is None else (None, hashed(password))
    with services.transaction() as db:
        if (first := _first_owner(db)) is not None and password is None:
            return None  # Of processes that start together only one has a password that opens, so only that one prints.
        first = first or _make(db, FIRST_NAME, "owner", services.clock.now())
        _keep_password(db, first, password_hash, one_time=password is None)
    return one_time


def reset(services: Services, operator_id: int | None = None) -> str:
    """Give the operator a new one-time password, and end their sessions, second factors and waiting time.

    None means the first owner, who is made if there is none.
    """
    password, password_hash = _new_password()
    with services.transaction() as db:
        if operator_id is None:
            operator = _first_owner(db) or _make(db, FIRST_NAME, "owner", services.clock.now())
        else:
            operator = by_id(db, operator_id)
        drop_all(db, operator)
        _keep_password(db, operator, password_hash, one_time=True)
    return password


def add(services: Services, name: str, role: str, *, by: str = audit.TERMINAL) -> str:
    """Make a new operator and return their one-time password; the log names them once they exist.

    `by` is the name in the log of whoever adds them.

    Raises:
        Refused: the name or the role is not valid.
        Conflict: the name is taken.
    """
    wanted = name.strip().lower()
    if not NAME.fullmatch(wanted):
        letters = "A name has up to 40 letters without accents, digits and the marks . _ @ + -"
        raise Refused(f"{letters}, and begins with a letter or a digit.")
    _refuse_unknown_role(role)
    password, password_hash = _new_password()
    with services.transaction() as db:
        if by_name(db, wanted) is not None or wanted in {audit.TERMINAL, audit.NOBODY}:
            raise Conflict(f"There is an operator with the name {wanted} already. Choose another.")
        now = services.clock.now()
        operator = _make(db, wanted, role, now)
        _keep_password(db, operator, password_hash, one_time=True)
        audit.note(db, by, ADDED, now, about=f"operator {operator.id} {wanted}, role {role}")
    return password


def set_role(services: Services, operator_id: int, role: str) -> None:
    """Give the operator that role and end their sessions, so that no page stays open with the old one.

    Raises:
        Refused: there is no such role, or no owner would be left.
    """
    _refuse_unknown_role(role)
    with services.transaction() as db:
        operator = by_id(db, operator_id)
        if operator.role == role:
            return
        _refuse_last_owner(db, operator, "made support")
        operator.role = role
        end_sessions_and_logins(db, operator)


def remove(services: Services, operator_id: int) -> None:
    """Remove the operator and everything they could log in with.

    Raises:
        Refused: no owner would be left.
    """
    with services.transaction() as db:
        operator = by_id(db, operator_id)
        _refuse_last_owner(db, operator, "removed")
        drop_all(db, operator)
        for table in (OperatorSession, LoginStep, OperatorBrowser):
            db.execute(delete(table).where(table.operator_id == operator_id))
        db.delete(operator)


def everyone(services: Services) -> Sequence[Row[*tuple[Any, ...]]]:
    """All operators by name; `seen_at` is when one of their open sessions was last seen."""
    passkeys = select(func.count()).where(Passkey.operator_id == Operator.id).correlate(Operator)
    seen = select(func.max(OperatorSession.last_seen_at)).where(OperatorSession.operator_id == Operator.id)
    rows = select(
        Operator.id,
        Operator.name,
        Operator.role,
        Operator.totp_secret.is_not(None).label("has_app"),
        passkeys.scalar_subquery().label("passkeys"),
        Operator.must_change_password,
        seen.correlate(Operator).scalar_subquery().label("seen_at"),
    )
    with services.reading() as db:
        return db.execute(rows.order_by(Operator.name)).all()


def has_support(db: Session) -> bool:
    """True if there is an operator who may not see what people write."""
    return bool(db.scalar(select(select(Operator.id).where(Operator.role != "owner").exists())))


def named(services: Services, name: str) -> Operator:
    """The operator with that name.

    Raises:
        NotFound: there is none.
    """
    with services.reading() as db:
        operator = by_name(db, name)
        names = db.scalars(select(Operator.name).order_by(Operator.name)).all()
    if operator is None:
        raise NotFound(f"There is no operator with the name {name[:40]}. There are: {', '.join(names) or 'none'}.")
    return operator


def by_name(db: Session, name: str) -> Operator | None:
    return db.scalars(select(Operator).where(Operator.name == name.strip().lower())).one_or_none()


def by_id(db: Session, operator_id: int) -> Operator:
    if (operator := db.get(Operator, operator_id)) is None:
        raise NotFound(f"There is no operator with id {operator_id}.")
    return operator


def _new_password() -> tuple[str, str]:
    """A new one-time password, and its hash."""
    password = readable(ONE_TIME_GROUPS)
    return password, hashed(password)


def _first_owner(db: Session) -> Operator | None:
    return db.scalars(select(Operator).where(Operator.role == "owner").order_by(Operator.id).limit(1)).one_or_none()


def _make(db: Session, name: str, role: str, now: datetime) -> Operator:
    operator = Operator(name=name, role=role, password_hash="", created_at=now)
    db.add(operator)
    db.flush()
    return operator


def _keep_password(db: Session, operator: Operator, password_hash: str, *, one_time: bool = False) -> None:
    operator.password_hash = password_hash
    operator.must_change_password = one_time
    guessing.end_waits(db, operator)
    end_sessions_and_logins(db, operator)


def _refuse_unknown_role(role: str) -> None:
    if role not in ROLES:
        raise Refused(f"There is no such role. An operator is one of: {', '.join(ROLES)}.")


def _refuse_last_owner(db: Session, operator: Operator, what: str) -> None:
    owners = db.scalar(select(func.count()).where(Operator.role == "owner"))
    if operator.role == "owner" and owners == 1:
        raise Refused(f"{operator.name} is the only owner and cannot be {what}. Make somebody else an owner first.")
