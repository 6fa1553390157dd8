"""Rows about the installation itself: alerts and counts."""

from datetime import datetime

from sqlalchemy import JSON, CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base
from app.store.dialect import partial_index


class Alert(Base):
    """Something the operator has to see: raised once until it is over, however often it happens."""

    __tablename__ = "alerts"
    __table_args__ = (partial_index("uq_alerts_open", "kind", unique=True, where="cleared_at IS NULL"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    sentence: Mapped[str]  # The problem and the remedy, without anybody's words or number.
    times: Mapped[int] = mapped_column(default=1, server_default="1")
    raised_at: Mapped[datetime]
    last_at: Mapped[datetime]
    cleared_at: Mapped[datetime | None]


class CountedHour(Base):
    """One counted hour, and when it was counted; the hour is counted again if something arrives late."""

    __tablename__ = "counted_hours"
    __table_args__ = ({"sqlite_with_rowid": False},)

    began: Mapped[str] = mapped_column(primary_key=True)  # In UTC, as `2026-11-22T14`.
    day: Mapped[str]  # The day it was added to, as `2026-11-22` on the budget's clock.
    counted_at: Mapped[datetime]


class Count(Base):
    """One figure of the whole installation for an hour, a day or a month; it holds no data about a single person."""

    __tablename__ = "counts"
    __table_args__ = (CheckConstraint("unit IN ('hour', 'day', 'month')", name="unit"), {"sqlite_with_rowid": False})

    unit: Mapped[str] = mapped_column(primary_key=True)
    began: Mapped[str] = mapped_column(primary_key=True)
    """`2026-11-22T14` in UTC; `2026-11-22` and `2026-11` on the budget's clock."""
    figure: Mapped[str] = mapped_column(primary_key=True)
    label: Mapped[str] = mapped_column(primary_key=True)
    times: Mapped[int]  # The number of events; for a share, the number of all cases.
    total: Mapped[float] = mapped_column(default=0.0, server_default="0")
    """The sum of the measured values; for a share, the number of cases that count."""
    shape: Mapped[dict[str, int] | None] = mapped_column(JSON(none_as_null=True))
    """Number of values in each bucket of `app.operations.numbers.figures`; only for measured values."""


class PersonSpend(Base):
    """Cost of one person in one day or month, by purpose."""

    __tablename__ = "person_spends"
    __table_args__ = (CheckConstraint("unit IN ('day', 'month')", name="unit"), {"sqlite_with_rowid": False})

    unit: Mapped[str] = mapped_column(primary_key=True)
    began: Mapped[str] = mapped_column(primary_key=True)  # As in `Count`.
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)
    spent_on: Mapped[str] = mapped_column(primary_key=True)  # The model, or `background`.
    cents: Mapped[float]
