"""Rows of a stretch of time, found by their ids: time needs no index, which every text would have to wait for."""

from datetime import datetime, timedelta
from typing import TypedDict

from sqlalchemy import ColumnElement, and_, bindparam, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

SLACK = timedelta(minutes=10)
"""By so much a row may be out of its order: a clock was set, a transaction waited."""


class Span(TypedDict):
    """What `Timeline.within` is to be given: of these ids, and of this time."""

    first_id: int
    end_id: int
    since: datetime
    until: datetime


class Timeline:
    """The rows of one table, whose ids rise with time. Made once for each: to build a question takes longer than it.

    `only` these rows are looked at, where others of the table may tell an earlier time than their ids do.
    """

    def __init__(
        self,
        key: InstrumentedAttribute[int],
        made_at: InstrumentedAttribute[datetime],
        *only: ColumnElement[bool],
    ) -> None:
        self._newest = select(func.max(key))
        self._at = select(made_at).where(key >= bindparam("from_id"), *only).order_by(key).limit(1)
        self.within = and_(
            key >= bindparam("first_id"),
            key < bindparam("end_id"),
            made_at >= bindparam("since"),
            made_at < bindparam("until"),
            *only,
        )
        """For questions that are given a `Span`."""

    def first_id(self, db: Session, since: datetime, most: int | None = None) -> int:
        """The id from which on rows are of `since` or later, `most` of them at most."""
        high = (db.scalar(self._newest) or 0) + 1
        low = max(high - most, 1) if most is not None else 1
        while low < high:
            middle = (low + high) // 2
            at = db.scalar(self._at, {"from_id": middle})
            if at is not None and at < since:
                low = middle + 1
            else:
                high = middle
        return low

    def span(self, db: Session, since: datetime, until: datetime) -> Span | None:
        """Of rows that were made at `since` or later and before `until`; None where there can be none."""
        first, end = self.first_id(db, since - SLACK), self.first_id(db, until + SLACK)
        return Span(first_id=first, end_id=end, since=since, until=until) if first < end else None
