"""The carrier's later reports about texts that went out."""

import logging
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.delivery import carrier_codes, outbox
from app.delivery.sender import LOST
from app.models import Message
from app.models.states import move
from app.routines import outcomes
from app.services import LedgerEntry, Services

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

UNCONFIRMED = "unconfirmed"
"""Our own word for a text that the carrier took and never told the end of; what it tells after all still counts."""

ON_THE_WAY = frozenset({"accepted", "scheduled", "queued", "sending", "sent", "partially_delivered"})
ARRIVED = frozenset({"delivered", "read"})

logger = logging.getLogger(__name__)


def record_status(services: Services, *, key: str | None, sid: str, status: str, error_code: int | None = None) -> None:
    """Keep `status` on the text with this sid or key; what is old, odd or unknown is passed over.

    A callback proves that the carrier accepted the text. So a row whose send ended in doubt, or has not
    returned yet, gets its sid here and counts as sent, and the part of its reply that waits behind it goes out.
    """
    if status not in RANKS:
        logger.warning("A status callback was passed over: %d letters that name no status.", len(status))
        return
    now = services.clock.now()
    with services.transaction() as db:
        row = _find(db, key, sid)
        if row is None:
            return
        was_open = row.sid is None
        if was_open:
            adopt(db, row, sid, now)
        _settle(db, row, status, error_code, now)
    if was_open:
        outbox.wake_if_more(services, row.person_id)


def adopt(db: Session, row: Message, sid: str, now: datetime) -> None:
    """The carrier has the text under this id, whatever became of the call that sent it."""
    move(db, Message, "sent", Message.id == row.id, sid=sid, sent_at=row.sent_at or now, note=None, carrier_code=None)


def record_entry(db: Session, row: Message, entry: LedgerEntry, now: datetime) -> None:
    """Keep what the carrier's books say of the text: how far it came and what it cost."""
    if entry.cost_cents is not None:
        row.cost_cents = entry.cost_cents
    if entry.status in RANKS:
        _settle(db, row, entry.status, entry.error_code, now)


def _find(db: Session, key: str | None, sid: str) -> Message | None:
    by_sid = db.scalar(select(Message).where(Message.sid == sid, Message.direction == "out"))
    if by_sid is not None:
        return by_sid
    # The key stands in the callback's own address: it finds the row also before the sid is saved.
    by_key = db.scalar(select(Message).where(Message.key == key, Message.direction == "out")) if key else None
    if by_key is None:
        logger.warning("A status callback was passed over: its text is none of ours.")
    elif by_key.sid is not None:
        # The row has its text; a second one under the same key would be a text sent twice.
        logger.error("Message %d has an id already, and the carrier reports another for it.", by_key.id)
        return None
    return by_key


def _settle(db: Session, row: Message, status: str, error_code: int | None, now: datetime) -> None:
    if not _rises(row.delivery, status):
        return
    row.delivery = status
    if status in ARRIVED:
        carrier_codes.got_through(db, row, now)
    elif status in LOST:
        row.note = f"The carrier did not deliver it: {status}, {_reason(error_code)}."
        carrier_codes.act_on(db, row, error_code, now)
    if row.purpose == "routine" and (status in ARRIVED or status in LOST):
        outcomes.follow_delivery(db, row.turn_id, None if status in ARRIVED else row.note)


def _rises(before: str | None, after: str) -> bool:
    if before is None or before == UNCONFIRMED:
        return before is None or after not in ON_THE_WAY
    return before not in LOST and RANKS[after] > RANKS.get(before, -1)


def _reason(error_code: int | None) -> str:
    return f"error {error_code}" if error_code else "no error code"
