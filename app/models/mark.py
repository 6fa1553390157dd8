from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base


class Mark(Base):
    """One thing that the installation remembers of itself: how far it has looked, since when something is down."""

    __tablename__ = "marks"

    name: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    number: Mapped[int] = mapped_column(default=0, server_default="0")
    note: Mapped[str | None]
