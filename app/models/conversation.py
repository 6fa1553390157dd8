from datetime import datetime

from sqlalchemy import ForeignKey, Index, true
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base


class Conversation(Base):
    """Turns with no long silence between them."""

    __tablename__ = "conversations"
    __table_args__ = (Index(None, "person_id", "last_at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    started_at: Mapped[datetime]
    last_at: Mapped[datetime]
    memory_on: Mapped[bool] = mapped_column(default=True, server_default=true())
    """Off: nothing is shown from memory and nothing is learned, until the conversation ends."""
