"""Texts that come long after they were sent, since the carrier could not bring them: answered with an apology, or not.

Up to `LATE` nobody wonders: phones are slow too. Up to `TOO_LATE` the text is answered, after a line that says why only
now. Beyond, an answer would come out of nowhere, to a question that is settled or was asked again: the text is kept,
and the operator can see it.
"""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.delivery import outbox
from app.models import Message
from app.text import kind_words

LATE = timedelta(minutes=30)
TOO_LATE = timedelta(hours=12)
ONE_APOLOGY = timedelta(hours=1)  # For all the texts that one outage held up.

KEPT_ONLY = "It reached us more than 12 hours after it was sent, too late for an answer."


def is_too_late(sent_at: datetime | None, now: datetime) -> bool:
    """Whether a text sent then is not to be answered any more."""
    return sent_at is not None and now - sent_at > TOO_LATE


def apologise_if_late(db: Session, person_id: int, carrier: str, sent_at: datetime | None, now: datetime) -> None:
    """Have the person told, before the answer, that their text came late; once for texts that came late together."""
    if sent_at is None or now - sent_at <= LATE:
        return
    told = select(Message.id).where(
        Message.person_id == person_id,
        Message.direction == "out",
        Message.purpose == "notice",
        Message.body == kind_words.CAME_LATE,
        Message.created_at > now - ONE_APOLOGY,
    )
    if db.scalar(told.limit(1)) is None:
        outbox.queue(db, person_id, None, carrier, [kind_words.CAME_LATE], now, purpose="notice")
