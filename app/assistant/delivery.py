"""What the carrier says, later, about texts that went out."""

import logging

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.models import Message
from app.services import Services
from app.states import move

RANKS = {
    "accepted": 0,
    "scheduled": 0,
    "queued": 1,
    "sending": 2,
    "sent": 3,
    "partially_delivered": 4,
    "delivered": 5,
    "undelivered": 5,
    "failed": 5,
    "canceled": 5,
    "read": 6,
}
"""Callbacks come in any order and twice, so a text only ever rises.

Source of the names: twilio-oai, message_enum_status; of the lack of order:
https://www.twilio.com/docs/messaging/guides/track-outbound-message-status
"""

LOST = frozenset({"undelivered", "failed", "canceled"})

logger = logging.getLogger(__name__)


def record_status(services: Services, *, key: str | None, sid: str, status: str, error_code: int | None = None) -> None:
    """Keep `status` on the text with this sid or key; what is old, odd or unknown is passed over.

    A callback proves that the carrier accepted the text. So a row whose send ended in doubt, or has not
    returned yet, gets its sid here and counts as sent.
    """
    if status not in RANKS:
        logger.warning("A status callback was passed over: %d letters that name no status.", len(status))
        return
    with services.transaction() as db:
        row = _find(db, key, sid)
        if row is None:
            return
        if row.sid is None:
            _adopt(db, services, row, sid)
        if _rises(row.delivery, status):
            row.delivery = status
            if status in LOST:
                row.note = f"The carrier did not deliver it: {status}, {_reason(error_code)}."


def _find(db: Session, key: str | None, sid: str) -> Message | None:
    by_sid = db.scalar(select(Message).where(Message.sid == sid, Message.direction == "out"))
    if by_sid is not None or not key:
        return by_sid
    by_key = db.scalar(select(Message).where(Message.key == key, Message.direction == "out"))
    if by_key is not None and by_key.sid is not None:
        # The row has its text; a second one under the same key would be a text sent twice.
        logger.error("Message %d has an id already, and the carrier reports another for it.", by_key.id)
        return None
    return by_key


def _adopt(db: Session, services: Services, row: Message, sid: str) -> None:
    sent_at = row.sent_at or services.clock.now()
    move(db, Message, "sent", Message.id == row.id, sid=sid, sent_at=sent_at, note=None)


def _rises(before: str | None, after: str) -> bool:
    return before is None or (before not in LOST and RANKS[after] > RANKS.get(before, -1))


def _reason(error_code: int | None) -> str:
    return f"error {error_code}" if error_code else "no error code"
