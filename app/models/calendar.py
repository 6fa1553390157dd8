from datetime import datetime

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base


class Calendar(Base):
    """A calendar that is looked at for a person."""

    __tablename__ = "calendars"
    __table_args__ = (UniqueConstraint("person_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    name: Mapped[str]
    """What it is called before the model and the person: `calendar`, `work`."""
    address: Mapped[str]
    """Secret: who has it reads the calendar. It is in no list, log or request of the model."""
    turn_id: Mapped[int | None] = mapped_column(ForeignKey("turns.id"))
    """The turn in which they texted it; None where the operator entered it."""
    added_at: Mapped[datetime]
