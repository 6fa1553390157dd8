from datetime import datetime

from sqlalchemy import ForeignKey, Index, text, true
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base
from app.store.dialect import partial_index

_UNSUMMARISED = "summarised_at IS DISTINCT FROM last_at"

UNSUMMARISED = text(f"conversations.{_UNSUMMARISED}")
"""For queries: SQLite takes a partial index only where the query itself says the index's condition."""


class Conversation(Base):
    """Turns with no long silence between them."""

    __tablename__ = "conversations"
    __table_args__ = (
        Index(None, "person_id", "last_at"),
        partial_index("ix_conversations_unsummarised", "person_id", "last_at", where=_UNSUMMARISED),
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
