from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base


class ModelAnswer(Base):
    """One message of the model, kept before anything is done with it: a turn that is run again asks for none twice."""

    __tablename__ = "model_answers"

    turn_id: Mapped[int] = mapped_column(ForeignKey("turns.id"), primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    """Which call of the turn, from 1."""
    answer: Mapped[dict[str, Any]] = mapped_column(JSON)
    """As the Messages API gave it."""
    seconds: Mapped[float] = mapped_column(default=0.0, server_default="0")
    """How long it took."""
    at: Mapped[datetime]
