from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base
from app.store.dialect import partial_index


class Alert(Base):
    """Something that the operator has to see: raised once, however often it happens, until it is over."""

    __tablename__ = "alerts"
    __table_args__ = (partial_index("uq_alerts_open", "kind", unique=True, where="cleared_at IS NULL"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    sentence: Mapped[str]
    """What is wrong and what to do: nobody's words or number."""
    times: Mapped[int] = mapped_column(default=1, server_default="1")
    raised_at: Mapped[datetime]
    last_at: Mapped[datetime]
    cleared_at: Mapped[datetime | None]
