"""Logins that wait for a second factor: for minutes, once, and bound to the operator's state."""

import secrets
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.errors import Refused
from app.models import LoginStep, Operator
from app.operators.passwords import digest

PATIENCE = timedelta(minutes=5)  # Time to fetch a phone from another room.
MAX_NAMELESS = 1000  # Anybody may begin a login by passkey; beyond so many the oldest is dropped.
CHALLENGE_BYTES = 64


def begin(db: Session, operator: Operator | None, now: datetime) -> tuple[str, bytes]:
    """The token of a new step, and what a passkey would have to sign for it."""
    db.execute(delete(LoginStep).where(LoginStep.begun_at <= now - PATIENCE))
    nameless = select(LoginStep).where(LoginStep.operator_id.is_(None)).order_by(LoginStep.begun_at.desc())
    for too_many in db.scalars(nameless.offset(MAX_NAMELESS - 1)):
        db.delete(too_many)
    token, challenge = secrets.token_urlsafe(32), secrets.token_bytes(CHALLENGE_BYTES)
    db.add(
        LoginStep(
            token_hash=digest(token),
            operator_id=operator.id if operator else None,
            generation=operator.generation if operator else None,
            challenge=challenge,
            begun_at=now,
        )
    )
    return token, challenge


def found(db: Session, token: str, now: datetime) -> tuple[LoginStep, Operator | None]:
    """The step of that token, and whose it is, if that is known yet.

    Raises:
        Refused: it took too long, was done already, or something changed meanwhile.
    """
    step = db.get(LoginStep, digest(token))
    operator = db.get(Operator, step.operator_id) if step and step.operator_id else None
    if (
        step is None
        or now >= step.begun_at + PATIENCE
        or (step.operator_id is not None and (operator is None or operator.generation != step.generation))
    ):
        raise Refused("That took longer than five minutes, or was done already. Begin again.")
    return step, operator
