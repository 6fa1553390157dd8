from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base


class Notice(Base):
    """When a person was last told that something is in the way, so that they are told once and not each time."""

    __tablename__ = "notices"
    __table_args__ = (CheckConstraint("kind IN ('wait', 'model_down', 'rate', 'budget')", name="kind"),)

    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime]
