from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base


class Reviewed(Base):
    """How far an operator has looked at what was learned: everything of a kind up to a row."""

    __tablename__ = "reviewed"
    __table_args__ = (CheckConstraint("kind IN ('fact', 'episode', 'rule')", name="kind"), {"sqlite_with_rowid": False})

    operator_id: Mapped[int] = mapped_column(ForeignKey("operators.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    upto_id: Mapped[int]
    """The id of the last version of a fact, an episode or a rule of which all before it have been looked at, too."""
    at: Mapped[datetime]


class ReviewedAhead(Base):
    """One memory behind that row that the operator has looked at, too; gone once the row has caught up."""

    __tablename__ = "reviewed_ahead"
    __table_args__ = (CheckConstraint("kind IN ('fact', 'episode', 'rule')", name="kind"), {"sqlite_with_rowid": False})

    operator_id: Mapped[int] = mapped_column(ForeignKey("operators.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    item_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
