"""Turns, with the model's answers, tool calls and cost."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, UniqueConstraint, false, text, true
from sqlalchemy.orm import Mapped, mapped_column

from app.clock import seconds_between
from app.store.db import Base
from app.store.dialect import partial_index


class Turn(Base):
    """The messages answered together and all that was done to answer them; or one run of a routine."""

    OPEN = text("turns.state IN ('running', 'postponed')")
    UNINDEXED = text("turns.state = 'done' AND turns.kind = 'reply' AND NOT turns.indexed")
    SPOKEN = ("replied", "claim_corrected")
    """Outcomes of turns whose words are the model's; in all others the words are ours."""
    SILENT = "nothing_to_say"  # The outcome of a routine to which the model had nothing to say.

    __tablename__ = "turns"
    __table_args__ = (
        CheckConstraint("state IN ('running', 'postponed', 'done')", name="state"),
        CheckConstraint("kind IN ('reply', 'command', 'routine')", name="kind"),
        # One lane a person, enforced by the database, so it holds between processes too.
        partial_index("uq_turns_open", "person_id", unique=True, where=OPEN),
        Index(None, "person_id", "id"),
        partial_index("ix_turns_unindexed", "person_id", "id", where=UNINDEXED),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    conversation_id: Mapped[int] = mapped_column(ForeignKey("conversations.id"))
    kind: Mapped[str] = mapped_column(default="reply")
    """`command`: answered by code, without the model, and no part of its history. `routine`: nobody texted, a routine
    was due."""
    carrier: Mapped[str]
    state: Mapped[str]
    memory_on: Mapped[bool] = mapped_column(default=True, server_default=true())
    """False: its texts are answered, but never learned from, found, retold or shown once memory is on."""
    owner: Mapped[str]  # The process that answers it, by the token made at its start: `app/store/locks.py`.
    leased_until: Mapped[datetime]  # After this another process may take it over, whatever its owner's state.
    retry_at: Mapped[datetime | None]
    """Next try of a turn that was postponed because the model was out of reach."""
    attempts: Mapped[int] = mapped_column(default=1, server_default="1")
    """Times it was begun; also the fencing number: a process that was overtaken sees it and finishes nothing."""
    outcome: Mapped[str | None]  # `replied`, or the reason of the kind sentence that was sent instead.
    model: Mapped[str | None]
    model_calls: Mapped[int] = mapped_column(default=0, server_default="0")
    input_tokens: Mapped[int] = mapped_column(default=0, server_default="0")
    output_tokens: Mapped[int] = mapped_column(default=0, server_default="0")
    cache_read_tokens: Mapped[int] = mapped_column(default=0, server_default="0")
    cache_write_tokens: Mapped[int] = mapped_column(default=0, server_default="0")
    cost_cents: Mapped[float] = mapped_column(default=0.0, server_default="0")
    model_seconds: Mapped[float] = mapped_column(default=0.0, server_default="0")
    memory_shown: Mapped[str | None]  # The `<user_memory>` of the last request, as the model saw it.
    recall_gate: Mapped[str | None]  # The reason to search memory for it, or not: one of `memory.index.query`.
    recalled: Mapped[list[dict[str, Any]] | None] = mapped_column(JSON(none_as_null=True))
    """Memories that the model was shown because of the texts: `kind` (`episode`, `fact`), `id` (its number), and its
    nearness, as `conversation.recall.Near`. Older rows may hold an entry of the kind `nearest`, without an id."""
    recall_ms: Mapped[float | None]  # Time to decide and to search, in milliseconds.
    memory_tokens: Mapped[int] = mapped_column(default=0, server_default="0")
    """Estimate of what memory added to its last request: memory as it was, as a tool left it, and the episodes."""
    indexed: Mapped[bool] = mapped_column(default=False, server_default=false())
    """True once its words were handed to memory's index, or are to stay out of it."""
    index_after: Mapped[datetime | None]  # Next try of the indexing, after a failure.
    started_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]

    @property
    def seconds(self) -> float | None:
        """Seconds from its start to its end; None while it is open."""
        return None if self.ended_at is None else seconds_between(self.started_at, self.ended_at)


class ModelAnswer(Base):
    """One message of the model, stored before it is acted on: a turn that is run again asks for none twice."""

    __tablename__ = "model_answers"

    turn_id: Mapped[int] = mapped_column(ForeignKey("turns.id"), primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)  # The call of the turn, from 1.
    answer: Mapped[dict[str, Any]] = mapped_column(JSON)  # As the Messages API gave it.
    seconds: Mapped[float] = mapped_column(default=0.0, server_default="0")
    at: Mapped[datetime]


class ToolCall(Base):
    """One function that the model called in a turn, and its result."""

    __tablename__ = "tool_calls"
    __table_args__ = (UniqueConstraint("turn_id", "ordinal"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    turn_id: Mapped[int] = mapped_column(ForeignKey("turns.id"))
    ordinal: Mapped[int]  # The call of the turn, from 1, over all attempts.
    name: Mapped[str]
    input: Mapped[dict[str, Any]] = mapped_column(JSON)
    result: Mapped[str]
    is_error: Mapped[bool]
    at: Mapped[datetime]


class Spending(Base):
    """The most that one call of the model may cost, reserved before the call, and its real cost once that is known.

    A call whose end nobody saw stays counted at its most.
    """

    __tablename__ = "spendings"
    __table_args__ = (Index(None, "day", "person_id", "cents"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    day: Mapped[date]  # The day of the budget, in the budget's own zone.
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    turn_id: Mapped[int | None] = mapped_column(ForeignKey("turns.id"))
    is_background: Mapped[bool] = mapped_column(default=False, server_default=false())
    """True for background work that nobody waits for; False for a reply."""
    cents: Mapped[float]
    is_settled: Mapped[bool] = mapped_column(default=False, server_default=false())
    at: Mapped[datetime]
