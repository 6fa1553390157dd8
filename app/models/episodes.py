"""Episodes, and the texts on their way into one."""

from datetime import datetime

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import ANEW, Base
from app.store.dialect import partial_index


class Episode(Base):
    """One version of what happened in one conversation, or in a part of it.

    `number` names the episode for life (`ep3`); whenever it is made anew, because more was said, a row with the next
    `version` is added and the one before is retired.
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
    """Why it was made: the conversation went `quiet`, was `ended` by the person's words, reached a `count` of messages,
    or outgrew the history, so that this is the summary that stands there in the place of the texts (`compaction`)."""
    summary: Mapped[str]  # One or two sentences.
    narrative: Mapped[str]
    topics: Mapped[list[str]] = mapped_column(JSON)
    key_facts: Mapped[list[str]] = mapped_column(JSON)
    importance: Mapped[float]  # 0 to 1, higher is more important.
    message_count: Mapped[int]
    started_at: Mapped[datetime]
    ended_at: Mapped[datetime]
    written_by: Mapped[str]  # The model that wrote it, or `extractive`: then it is made of the person's own sentences.
    note: Mapped[str | None]
    """Why it was not written by the model, where it should have been: a sentence for the operator."""
    recorded_at: Mapped[datetime] = mapped_column(info=ANEW)
    retired_at: Mapped[datetime | None] = mapped_column(info=ANEW)
    use_count: Mapped[int] = mapped_column(default=0, server_default="0")  # In how many turns it was recalled.
    last_used_at: Mapped[datetime | None]

    @property
    def name(self) -> str:
        """As the model and the person see it: `ep3`."""
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
    """Somebody's claim on a conversation whose texts become an episode, until that is kept.

    There is none for most conversations: what waits to be summarised is told by the conversation itself.
    """

    __tablename__ = "batches"

    conversation_id: Mapped[int] = mapped_column(ForeignKey("conversations.id"), primary_key=True)
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    """How often it was taken in hand; also the fencing number, by which who was overtaken is known."""
    failures: Mapped[int] = mapped_column(default=0, server_default="0")  # How often nobody could write it.
    leased_until: Mapped[datetime]  # After this another process may take it over.
    retry_at: Mapped[datetime | None]
