from datetime import date, datetime

from sqlalchemy import ForeignKey, Index, false
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base


class Spending(Base):
    """What one call of the model may cost, from before it is made, and what it did cost once that is known.

    A call whose end nobody saw stays counted at all that it may have cost.
    """

    __tablename__ = "spendings"
    __table_args__ = (Index(None, "day", "person_id", "cents"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    day: Mapped[date]
    """The day of the budget, in the budget's own zone."""
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    turn_id: Mapped[int | None] = mapped_column(ForeignKey("turns.id"))
    is_background: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether it was for work that nobody waits for, and no reply."""
    cents: Mapped[float]
    is_settled: Mapped[bool] = mapped_column(default=False, server_default=false())
    at: Mapped[datetime]
