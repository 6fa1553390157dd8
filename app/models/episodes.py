"""Episodes, and the texts that are becoming one."""

from datetime import datetime

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import ANEW, Base
from app.store.dialect import partial_index


class Episode(Base):
    """One version of an episode: a conversation, or a part of it, in a few sentences.

    `number` names the episode for life (`ep3`). Rewriting it, because more was said, adds a row with the next
    `version` and retires the one before.
    """

    __tablename__ = "episodes"
    __table_args__ = (
        CheckConstraint("trigger IN ('quiet', 'ended', 'count', 'compaction')", name="trigger"),
        UniqueConstraint("person_id", "number", "version"),
        partial_index("uq_episodes_live_number", "person_id", "number", unique=True, where="retired_at IS NULL"),
        Index(None, "person_id", "ended_at"),
        Index(None, "conversation_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True, info=ANEW)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    number: Mapped[int]  # Small, counted for each person, never used twice.
    version: Mapped[int] = mapped_column(info=ANEW)
    conversation_id: Mapped[int] = mapped_column(ForeignKey("conversations.id"))
    upto_turn_id: Mapped[int] = mapped_column(ForeignKey("turns.id"))  # The last turn that it covers.
    trigger: Mapped[str]
    """The reason it was made: the conversation went `quiet`, was `ended` by the person's words, reached a `count` of
    messages, or outgrew the history, where this summary now stands in place of the texts (`compaction`)."""
    summary: Mapped[str]  # One or two sentences.
    narrative: Mapped[str]
    topics: Mapped[list[str]] = mapped_column(JSON)
    key_facts: Mapped[list[str]] = mapped_column(JSON)
    importance: Mapped[float]  # 0 to 1, higher is more important.
    message_count: Mapped[int]
    started_at: Mapped[datetime]
    ended_at: Mapped[datetime]
    written_by: Mapped[str]  # The model that wrote it, or `extractive` if it consists of the person's own sentences.
    note: Mapped[str | None]
    """A sentence for the operator that says why the model did not write it; None if nothing went wrong."""
    recorded_at: Mapped[datetime] = mapped_column(info=ANEW)
    retired_at: Mapped[datetime | None] = mapped_column(info=ANEW)
    use_count: Mapped[int] = mapped_column(default=0, server_default="0")  # Turns in which it was recalled.
    last_used_at: Mapped[datetime | None]

    @property
    def name(self) -> str:
        """The name that the model and the person see: `ep3`."""
        return f"ep{self.number}"


class EpisodeMessage(Base):
    """One message that a version of an episode covers."""

    __tablename__ = "episode_messages"
    __table_args__ = (Index(None, "message_id"), {"sqlite_with_rowid": False})

    episode_id: Mapped[int] = mapped_column(ForeignKey("episodes.id"), primary_key=True)
    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id"), primary_key=True)


class EpisodeFact(Base):
    """One version of a fact that was learned in the texts of an episode, or from the episode itself."""

    __tablename__ = "episode_facts"
    __table_args__ = (Index(None, "fact_id"), {"sqlite_with_rowid": False})

    episode_id: Mapped[int] = mapped_column(ForeignKey("episodes.id"), primary_key=True)
    fact_id: Mapped[int] = mapped_column(ForeignKey("facts.id"), primary_key=True)


class Batch(Base):
    """A lease on a conversation whose texts are becoming an episode; deleted once the episode is kept.

    Most conversations have none: the conversation row itself says that it waits to be summarised.
    """

    __tablename__ = "batches"

    conversation_id: Mapped[int] = mapped_column(ForeignKey("conversations.id"), primary_key=True)
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    """Times it was claimed; also the fencing number that shows a process that it was overtaken."""
    failures: Mapped[int] = mapped_column(default=0, server_default="0")  # Times that it could not be written.
    leased_until: Mapped[datetime]  # After this another process may take it over.
    retry_at: Mapped[datetime | None]
