"""Texts that the carrier took and then said no more of: asked about once, and then left."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.orm import Session

from app.delivery.reconcile import books_failed
from app.delivery.reports import ON_THE_WAY, UNCONFIRMED, record_entry
from app.errors import CarrierError
from app.models import Message
from app.operations import marks
from app.services import Ledger, Services
from app.store.faultpoints import reach

SILENCE = timedelta(hours=6)  # Receipts come within minutes, or from some carriers never.
MAX_ASKED = 20  # For one run, so that a long outage of the callbacks is caught up with gently.
MARK = "deliveries_known"
"""The number is the id below which nothing more will be heard of any text: rows that need no second look."""


def ask_about_silent(services: Services) -> None:
    """Ask the carrier once about each text it has said nothing final of for `SILENCE`."""
    if services.ledger is None:
        return
    now = services.clock.now()
    with services.transaction() as db:
        silent = _silent(db, services.ledger.carrier, now)
    for message_id, sid in silent:
        try:
            _ask(services, services.ledger, message_id, sid)
        except CarrierError as error:
            books_failed(services, error)


def _silent(db: Session, carrier: str, now: datetime) -> Sequence[tuple[int, str]]:
    """Ids of the texts to be asked about, the oldest first; rows whose end is known are never read again."""
    mark = marks.read(db, MARK)
    known = mark.number if mark else 0
    unended = (Message.id > known, Message.direction == "out", Message.carrier == carrier, _unended())
    oldest = db.scalar(select(Message.id).where(*unended).order_by(Message.id).limit(1))
    ended = oldest - 1 if oldest is not None else db.scalar(select(func.max(Message.id))) or 0
    if ended > known:
        marks.put(db, MARK, now, number=ended)
    due = select(Message.id, Message.sid).where(*unended, Message.state == "sent", Message.sent_at <= now - SILENCE)
    return [(row.id, str(row.sid)) for row in db.execute(due.order_by(Message.id).limit(MAX_ASKED))]


def _unended() -> ColumnElement[bool]:
    on_the_way = or_(Message.delivery.is_(None), Message.delivery.in_(ON_THE_WAY))
    return or_(Message.state.in_(("queued", "sending", "unknown")), and_(Message.state == "sent", on_the_way))


def _ask(services: Services, ledger: Ledger, message_id: int, sid: str) -> None:
    entry = ledger.look_up(sid)
    reach("silent.asked")
    now = services.clock.now()
    with services.transaction() as db:
        row = db.get_one(Message, message_id)
        row.checked_at = now
        if entry is not None:
            record_entry(db, row, entry, now)
        if row.delivery is None or row.delivery in ON_THE_WAY:  # A callback may have ended it meanwhile.
            row.delivery = UNCONFIRMED
