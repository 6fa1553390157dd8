from datetime import datetime

from sqlalchemy import CheckConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base


class Person(Base):
    """Someone who texts."""

    __tablename__ = "people"
    __table_args__ = (
        CheckConstraint("access IN ('allowed', 'waiting', 'blocked')", name="access"),
        CheckConstraint("timezone_source IN ('unknown', 'guessed', 'told')", name="timezone_source"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    address: Mapped[str] = mapped_column(unique=True)
    """As the carrier writes it: `+1…`, `whatsapp:+1…`."""
    key: Mapped[str] = mapped_column(unique=True)
    """Opaque; what the model's vendor is told instead of a number."""
    name: Mapped[str | None]
    timezone: Mapped[str]
    """An IANA zone; UTC while nothing better is known."""
    timezone_source: Mapped[str] = mapped_column(default="unknown")
    access: Mapped[str]
    told_to_wait: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether the one reply that an unknown number gets has been sent."""
    opted_out_at: Mapped[datetime | None]
    last_fact_number: Mapped[int] = mapped_column(default=0, server_default="0")
    """The highest number a fact of this person ever had: numbers are never used twice."""
    created_at: Mapped[datetime]
