"""Texts in and out, their files, and their conversations."""

from datetime import datetime
from string import whitespace

from sqlalchemy import CheckConstraint, ColumnElement, ForeignKey, Index, UniqueConstraint, false, func, text, true
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base
from app.store.dialect import partial_index


class Message(Base):
    """One text, in or out. The outgoing rows are the outbox."""

    HERE = ("phone", "terminal")
    """Carriers that never leave this machine, used by whoever runs it. All other carriers reach people elsewhere."""
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
        # An incoming text has neither yet, and each index would be one more page to write before it is acknowledged.
        partial_index(None, "turn_id", where="turn_id IS NOT NULL"),
        partial_index("uq_messages_key", "key", unique=True, where="key IS NOT NULL"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)  # Also the order of arrival, regardless of the clock.
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    turn_id: Mapped[int | None] = mapped_column(ForeignKey("turns.id"))
    direction: Mapped[str]
    carrier: Mapped[str]  # `twilio`, `phone` or `terminal`: the source of the text, and the way its reply goes.
    sid: Mapped[str | None] = mapped_column(unique=True)
    """The carrier's id; a second delivery of the same text fails on this constraint."""
    key: Mapped[str | None]  # Outgoing: our own key, part of the status callback's address.
    state: Mapped[str]
    """In: waiting → answered; held (the person must be let in first); unanswered (never to be answered); dead
    (given up).
    Out: queued → sending → sent, refused or unknown. The legal steps are in `states.py`."""
    body: Mapped[str]
    media_count: Mapped[int] = mapped_column(default=0, server_default="0")
    forwarded: Mapped[bool] = mapped_column(default=False, server_default=false())
    """True if the carrier says that its sender only forwarded it, as WhatsApp does."""
    part: Mapped[int] = mapped_column(default=1, server_default="1")  # Its part of the reply, from 1.
    note: Mapped[str | None]  # A sentence for the operator: why the text was not answered, or not sent.
    purpose: Mapped[str] = mapped_column(default="reply", server_default="reply")
    """Outgoing: `reply`, `notice` (something is in the way), `farewell` (the one text after an opt-out), `routine`."""
    segments: Mapped[int | None]  # Outgoing: segments that the carrier counts and charges.
    cost_cents: Mapped[float | None]
    """Outgoing: US cents, estimated from the segments until the carrier reports its price."""
    send_at: Mapped[datetime | None]  # Outgoing: its slot with a sender that takes only so many segments a second.
    leased_until: Mapped[datetime | None]  # Outgoing: end of the lease within which it may be handed to the carrier.
    resends: Mapped[int] = mapped_column(default=0, server_default="0")
    """Outgoing: times it was sent again after the carrier proved not to have it."""
    again_of: Mapped[int | None]  # Outgoing: the id of the lost text that this one repeats, and whose place it takes.
    checked_at: Mapped[datetime | None]  # Outgoing: the last time the carrier was asked about its state.
    carrier_code: Mapped[int | None]  # Outgoing: the carrier's error code, if it gave one.
    delivery: Mapped[str | None]  # The carrier's last status of a sent text: `delivered`, `undelivered` …
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    created_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]

    @hybrid_property
    def is_command(self) -> bool:
        """True if it begins with a slash: a handler answers it without the model."""
        return self.body.lstrip().startswith("/")

    @is_command.inplace.expression
    @classmethod
    def _is_command(cls) -> ColumnElement[bool]:
        return func.ltrim(cls.body, whitespace).like("/%")


class Media(Base):
    """One file that came with a text. Its bytes are fetched for the turn that needs them and are not kept."""

    __tablename__ = "media"
    __table_args__ = (UniqueConstraint("message_id", "place"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id"))
    place: Mapped[int]  # Its position among the files of its text, from 0.
    url: Mapped[str]
    content_type: Mapped[str]  # As the carrier claims; the real type is known once the file is fetched.
    note: Mapped[str | None]  # A sentence for the operator: why the model could not be shown it.


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
    """False: until the conversation ends, nothing is shown from memory and nothing is learned."""
    summarised_at: Mapped[datetime | None]
    """The value of `last_at` when everything said was summarised, or judged not worth it; any other `last_at` means
    that something waits. The end of a turn changes `last_at` alone, so no text costs a write for this."""
    summarised_to: Mapped[int] = mapped_column(default=0, server_default="0")
    """The id of the last turn that was considered for an episode."""
    cut_to: Mapped[int] = mapped_column(default=0, server_default="0")
    """The id of the last turn that no further episode covers: everything said later begins an episode of its own."""
