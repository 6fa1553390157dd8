from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base
from app.store.dialect import partial_index

_WAITING = "state = 'waiting'"
_OPEN = "state IN ('waiting', 'said')"

# For queries: SQLite takes a partial index only where the query itself says the index's condition.
WAITING = text(f"suggestions.{_WAITING}")
OPEN = text(f"suggestions.{_OPEN}")


class Suggestion(Base):
    """A routine or a rule that the assistant would make of what a person does again and again, and what they said."""

    __tablename__ = "suggestions"
    __table_args__ = (
        CheckConstraint("kind IN ('routine', 'rule')", name="kind"),
        CheckConstraint(
            "state IN ('waiting', 'said', 'accepted', 'declined', 'silent', 'dropped')",
            name="state",
        ),
        CheckConstraint("(kind = 'routine') = (schedule IS NOT NULL)", name="schedule"),
        # One at a time of each person, whatever number of processes look.
        partial_index("uq_suggestions_open", "person_id", unique=True, where=_OPEN),
        partial_index("ix_suggestions_waiting", "run_at", where=_WAITING),
        Index(None, "person_id", "id"),
        partial_index(None, "turn_id", where="turn_id IS NOT NULL"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    kind: Mapped[str]
    words: Mapped[str]
    """The person's own: what they wish for, or how they correct."""
    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id"))
    """The text with these words."""
    times: Mapped[int]
    """How often it was said, as far as was looked back."""
    schedule: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """Of a routine, as `Schedule.as_dict` makes it."""
    procedure: Mapped[str | None]
    """Of a rule."""
    manner: Mapped[str | None]
    """Of a rule: the key of how the person wants to be answered."""
    state: Mapped[str]
    """waiting → said → accepted, declined or silent (they said neither); dropped: it was not to be said, or did not
    arrive. The legal steps are in `app/models/states.py`."""
    reason: Mapped[str | None]
    """Why it waits or was dropped: a sentence."""
    run_at: Mapped[datetime]
    """When it is to be looked at whether it may be said."""
    turn_id: Mapped[int | None] = mapped_column(ForeignKey("turns.id"))
    """The turn in which it was said."""
    said_at: Mapped[datetime | None]
    answered_at: Mapped[datetime | None]
    answer_message_id: Mapped[int | None] = mapped_column(ForeignKey("messages.id"))
    """The text that said yes or no."""
    made_number: Mapped[int | None]
    """The number of the routine or the rule that came of it."""
    created_at: Mapped[datetime]
