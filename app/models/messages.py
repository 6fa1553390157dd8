"""Texts in and out, their files, and the conversations they make."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, false, text, true
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base
from app.store.dialect import partial_index


class Message(Base):
    """One text, in or out. Rows going out are the outbox."""

    HERE = ("phone", "terminal")
    """Carriers that never leave this machine: whoever runs it sits there. All others reach people out in the world."""
    UNDER_WAY = text("messages.state IN ('waiting', 'queued', 'sending')")
    TROUBLED = text("messages.state IN ('unknown', 'dead')")

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
        partial_index(None, "state", "person_id", where=UNDER_WAY),
        partial_index("ix_messages_troubled", "state", where=TROUBLED),
        # A text that comes in has neither yet, and each index is a page more to write before it is acknowledged.
        partial_index(None, "turn_id", where="turn_id IS NOT NULL"),
        partial_index("uq_messages_key", "key", unique=True, where="key IS NOT NULL"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)  # Also the order of arrival, whatever the clock does.
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    turn_id: Mapped[int | None] = mapped_column(ForeignKey("turns.id"))
    direction: Mapped[str]
    carrier: Mapped[str]  # `twilio`, `phone` or `terminal`: where it came from, and where its reply goes.
    sid: Mapped[str | None] = mapped_column(unique=True)
    """The carrier's id; a second delivery of one text ends at this constraint."""
    key: Mapped[str | None]  # Going out: ours, in the status callback's address.
    state: Mapped[str]
    """In: waiting → answered; held (the person must be let in first); unanswered (never to be answered); dead
    (given up).
    Out: queued → sending → sent, refused or unknown. The legal steps are in `states.py`."""
    body: Mapped[str]
    media_count: Mapped[int] = mapped_column(default=0, server_default="0")
    forwarded: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether the carrier says that its sender only handed it on: WhatsApp does."""
    part: Mapped[int] = mapped_column(default=1, server_default="1")  # Which part of its reply this is, from 1.
    note: Mapped[str | None]  # Why a text was not answered, or not sent: a sentence for the operator.
    purpose: Mapped[str] = mapped_column(default="reply", server_default="reply")
    """Going out: `reply`, `notice` (something is in the way), `farewell` (the one text after an opt-out), `routine`."""
    segments: Mapped[int | None]  # Going out: how many the carrier counts and charges.
    cost_cents: Mapped[float | None]
    """Going out: US cents, estimated from the segments until the carrier tells its price."""
    send_at: Mapped[datetime | None]  # Going out: its slot with a sender that takes so many segments a second.
    leased_until: Mapped[datetime | None]  # Going out: until when whoever claimed it may still hand it to the carrier.
    resends: Mapped[int] = mapped_column(default=0, server_default="0")
    """Going out: how often it was sent anew after the carrier was shown not to have it."""
    checked_at: Mapped[datetime | None]  # Going out: when the carrier was last asked what became of it.
    carrier_code: Mapped[int | None]  # Going out: the carrier's error code, where it gave one.
    delivery: Mapped[str | None]  # The carrier's last word on a text that was sent: `delivered`, `undelivered` …
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    created_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]


class Media(Base):
    """One file that came with a text. Its bytes are fetched for the turn that needs them, and not kept."""

    __tablename__ = "media"
    __table_args__ = (UniqueConstraint("message_id", "place"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id"))
    place: Mapped[int]  # Which file of its text, from 0.
    url: Mapped[str]
    content_type: Mapped[str]  # As the carrier claims; what it is shows when it is fetched.
    note: Mapped[str | None]  # Why it could not be shown to the model: a sentence for the operator.


class Conversation(Base):
    """Turns with no long silence between them."""

    UNSUMMARISED = text("conversations.summarised_at IS DISTINCT FROM conversations.last_at")

    __tablename__ = "conversations"
    __table_args__ = (
        Index(None, "person_id", "last_at"),
        partial_index("ix_conversations_unsummarised", "person_id", "last_at", where=UNSUMMARISED),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    started_at: Mapped[datetime]
    last_at: Mapped[datetime]
    memory_on: Mapped[bool] = mapped_column(default=True, server_default=true())
    """Off: nothing is shown from memory and nothing is learned, until the conversation ends."""
    summarised_at: Mapped[datetime | None]
    """What `last_at` was when all that had been said was summarised, or judged not worth it; any other `last_at` means
    that something waits. Whoever ends a turn changes `last_at` alone, and no text costs a write for this."""
    summarised_to: Mapped[int] = mapped_column(default=0, server_default="0")
    """The id of the last turn that was looked at for an episode."""
    cut_to: Mapped[int] = mapped_column(default=0, server_default="0")
    """The id of the last turn that is in no further episode: what was said later begins one of its own."""
