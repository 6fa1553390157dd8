from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base


class ToolCall(Base):
    """One function that the model called in a turn, and what came back."""

    __tablename__ = "tool_calls"
    __table_args__ = (UniqueConstraint("turn_id", "ordinal"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    turn_id: Mapped[int] = mapped_column(ForeignKey("turns.id"))
    ordinal: Mapped[int]
    """Which call of the turn, from 1, whatever attempt it was made in."""
    name: Mapped[str]
    input: Mapped[dict[str, Any]] = mapped_column(JSON)
    result: Mapped[str]
    is_error: Mapped[bool]
    at: Mapped[datetime]
