"""Rows on the installation itself: alerts, marks, counts."""

from datetime import datetime

from sqlalchemy import JSON, CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base
from app.store.dialect import partial_index


class Alert(Base):
    """Something that the operator has to see: raised once, however often it happens, until it is over."""

    __tablename__ = "alerts"
    __table_args__ = (partial_index("uq_alerts_open", "kind", unique=True, where="cleared_at IS NULL"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    sentence: Mapped[str]  # What is wrong and what to do: nobody's words or number.
    times: Mapped[int] = mapped_column(default=1, server_default="1")
    raised_at: Mapped[datetime]
    last_at: Mapped[datetime]
    cleared_at: Mapped[datetime | None]


class Mark(Base):
    """One thing that the installation remembers of itself: how far it has looked, since when something is down."""

    __tablename__ = "marks"

    name: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    number: Mapped[int] = mapped_column(default=0, server_default="0")
    note: Mapped[str | None]


class CountedHour(Base):
    """One hour that was counted, and when: what comes late is counted by counting its hour again."""

    __tablename__ = "counted_hours"
    __table_args__ = ({"sqlite_with_rowid": False},)

    began: Mapped[str] = mapped_column(primary_key=True)  # In UTC, as `2026-11-22T14`.
    day: Mapped[str]  # The day to which it was added, as `2026-11-22` on the budget's clock.
    counted_at: Mapped[datetime]


class Count(Base):
    """What one figure of the installation came to in one hour, day or month. Nothing in it is of one person."""

    __tablename__ = "counts"
    __table_args__ = (CheckConstraint("unit IN ('hour', 'day', 'month')", name="unit"), {"sqlite_with_rowid": False})

    unit: Mapped[str] = mapped_column(primary_key=True)
    began: Mapped[str] = mapped_column(primary_key=True)
    """`2026-11-22T14` in UTC; `2026-11-22` and `2026-11` on the budget's clock."""
    figure: Mapped[str] = mapped_column(primary_key=True)
    label: Mapped[str] = mapped_column(primary_key=True)
    times: Mapped[int]  # How often it happened; of a share, how many there were in all.
    total: Mapped[float] = mapped_column(default=0.0, server_default="0")
    """The sum of what was measured; of a share, how many of them it is of."""
    shape: Mapped[dict[str, int] | None] = mapped_column(JSON(none_as_null=True))
    """How many values fell into which bucket of `app.operations.numbers.figures`; of what is measured alone."""


class PersonSpend(Base):
    """What one person cost in one day or month, by what it was spent on."""

    __tablename__ = "person_spends"
    __table_args__ = (CheckConstraint("unit IN ('day', 'month')", name="unit"), {"sqlite_with_rowid": False})

    unit: Mapped[str] = mapped_column(primary_key=True)
    began: Mapped[str] = mapped_column(primary_key=True)  # As of a count.
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)
    spent_on: Mapped[str] = mapped_column(primary_key=True)  # The model, or `background`.
    cents: Mapped[float]
