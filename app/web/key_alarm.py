"""Tells the operator of webhooks whose signing key is not known here."""

from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from app.errors import DatabaseError
from app.operations.alerts import clear, open_alerts, raise_alert
from app.services import Services

KIND = "webhook_key"
SENTENCE = (
    "A webhook named a signing key or an algorithm that is not set here, and was refused. If Twilio's console shows a "
    "shared key for webhooks, put its id and secret into TWILIO_SHARED_KEYS; if it shows none, somebody is trying."
)
SELDOM = timedelta(minutes=1)  # Anybody may post here: a flood of forgeries costs a look each, and no write each.
OVER = timedelta(hours=1)


def unknown_key(services: Services) -> None:
    """Raise the alert, unless that was done within the last minute."""
    now = services.clock.now()
    with suppress(DatabaseError, SQLAlchemyError):  # The request is refused anyway.
        with services.reading() as db:
            if _was_told(db, now):
                return
        with services.transaction() as db:
            if not _was_told(db, now):  # Another request may have been quicker.
                raise_alert(db, KIND, SENTENCE, now)


def clear_when_quiet(db: Session, now: datetime) -> None:
    """Close the alert once no such webhook has come for an hour."""
    if any(alert.kind == KIND and now - alert.last_at > OVER for alert in open_alerts(db)):
        clear(db, KIND, now)


def _was_told(db: Session, now: datetime) -> bool:
    return any(alert.kind == KIND and now - alert.last_at < SELDOM for alert in open_alerts(db))
