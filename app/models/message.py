from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, false, text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base
from app.store.dialect import partial_index

_UNDER_WAY = "state IN ('waiting', 'queued', 'sending')"
_TROUBLED = "state IN ('unknown', 'dead')"

# For queries: SQLite takes a partial index only where the query itself says the index's condition.
HERE = ("phone", "terminal")
"""Carriers that never leave this machine: whoever runs it sits there. All others reach people out in the world."""

UNDER_WAY = text(f"messages.{_UNDER_WAY}")
TROUBLED = text(f"messages.{_TROUBLED}")


class Message(Base):
    """One text, in or out. Rows going out are the outbox."""

    __tablename__ = "messages"
    __table_args__ = (
        CheckConstraint("direction IN ('in', 'out')", name="direction"),
        CheckConstraint(
            "(direction = 'in' AND state IN ('waiting', 'held', 'unanswered', 'answered', 'dead'))"
            " OR (direction = 'out' AND state IN ('queued', 'sending', 'sent', 'refused', 'unknown'))",
            name="state",
        ),
        CheckConstraint("purpose IN ('reply', 'notice', 'farewell', 'routine')", name="purpose"),
        Index(None, "person_id", "id"),
        partial_index(None, "state", "person_id", where=_UNDER_WAY),
        partial_index("ix_messages_troubled", "state", where=_TROUBLED),
        # A text that comes in has neither yet, and each index is a page more to write before it is acknowledged.
        partial_index(None, "turn_id", where="turn_id IS NOT NULL"),
        partial_index("uq_messages_key", "key", unique=True, where="key IS NOT NULL"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    """Also the order of arrival, whatever the clock does."""
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    turn_id: Mapped[int | None] = mapped_column(ForeignKey("turns.id"))
    direction: Mapped[str]
    carrier: Mapped[str]
    """`twilio`, `phone` or `terminal`: where it came from, and where its reply goes."""
    sid: Mapped[str | None] = mapped_column(unique=True)
    """The carrier's id; a second delivery of one text ends at this constraint."""
    key: Mapped[str | None]
    """Going out: ours, in the status callback's address."""
    state: Mapped[str]
    """In: waiting → answered; held (the person must be let in first); unanswered (never to be answered); dead
    (given up).
    Out: queued → sending → sent, refused or unknown. The legal steps are in `app/models/states.py`."""
    body: Mapped[str]
    media_count: Mapped[int] = mapped_column(default=0, server_default="0")
    forwarded: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether the carrier says that its sender only handed it on: WhatsApp does."""
    part: Mapped[int] = mapped_column(default=1, server_default="1")
    """Which part of its reply this is, from 1."""
    note: Mapped[str | None]
    """Why a text was not answered, or not sent: a sentence for the operator."""
    purpose: Mapped[str] = mapped_column(default="reply", server_default="reply")
    """Going out: `reply`, `notice` (something is in the way), `farewell` (the one text after an opt-out), `routine`."""
    segments: Mapped[int | None]
    """Going out: how many the carrier counts and charges."""
    cost_cents: Mapped[float | None]
    """Going out: US cents, estimated from the segments until the carrier tells its price."""
    send_at: Mapped[datetime | None]
    """Going out: its slot with a sender that takes so many segments a second."""
    leased_until: Mapped[datetime | None]
    """Going out: until when whoever claimed it may still hand it to the carrier."""
    resends: Mapped[int] = mapped_column(default=0, server_default="0")
    """Going out: how often it was sent anew after the carrier was shown not to have it."""
    checked_at: Mapped[datetime | None]
    """Going out: when the carrier was last asked what became of it."""
    carrier_code: Mapped[int | None]
    """Going out: the carrier's error code, where it gave one."""
    delivery: Mapped[str | None]
    """The carrier's last word on a text that was sent: `delivered`, `undelivered` …"""
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    created_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]
