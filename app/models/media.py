from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base


class Media(Base):
    """One file that came with a text. Its bytes are fetched for the turn that needs them, and not kept."""

    __tablename__ = "media"
    __table_args__ = (UniqueConstraint("message_id", "place"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id"))
    place: Mapped[int]
    """Which file of its text, from 0."""
    url: Mapped[str]
    content_type: Mapped[str]
    """As the carrier claims; what it is shows when it is fetched."""
    note: Mapped[str | None]
    """Why it could not be shown to the model: a sentence for the operator."""
