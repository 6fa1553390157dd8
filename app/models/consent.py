from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base


class Consent(Base):
    """One word of a person on being texted, as the law wants it kept: who, when, how, in which words."""

    __tablename__ = "consents"
    __table_args__ = (
        CheckConstraint(
            "how IN ('texted_first', 'carrier_word', 'own_words', 'carrier_refusal', 'operator')", name="how"
        ),
        Index(None, "person_id", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    agrees: Mapped[bool]
    how: Mapped[str]
    words: Mapped[str | None]
    """The text in which it was said; none where the carrier told us."""
    message_id: Mapped[int | None] = mapped_column(ForeignKey("messages.id"))
    at: Mapped[datetime]
