"""Rows of a stretch of time, found by their ids: time needs no index, which every text would have to wait for.

Ids rise with time, so halving finds where a stretch begins, within the question that asks for it.
"""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, ScalarSelect, and_, bindparam, case, cast, func, literal, select
from sqlalchemy.orm import InstrumentedAttribute

from app.store.dialect import Long

SLACK = timedelta(minutes=10)  # By so much a row may be out of its order: a clock was set, a transaction waited.


Span = dict[str, datetime]  # What questions of `Timeline.within` are to be given.


def span(since: datetime, until: datetime) -> Span:
    """Of rows that were made at `since` or later and before `until`."""
    return {"since": since, "until": until, "earliest": since - SLACK, "latest": until + SLACK}


class Timeline:
    """The rows of one table, whose ids rise with time. Made once for each: to build a question takes longer than it.

    `only` these rows are looked at, where others of the table may tell an earlier time than their ids do.
    """

    def __init__(
        self, key: InstrumentedAttribute[int], made_at: InstrumentedAttribute[datetime], *only: ColumnElement[bool]
    ) -> None:
        self._key = key
        self._made_at = made_at
        self._only = only
        self.within = and_(
            key >= self._first_id("earliest"),
            key < self._first_id("latest"),
            made_at >= bindparam("since"),
            made_at < bindparam("until"),
            *only,
        )
        """For questions that are given a `span`."""

    def newest(self, most: int) -> ColumnElement[bool]:
        """Rows of `since`, which the question is to be given, or later; of the newest `most` ids."""
        return and_(self._key >= self._first_id("since", most), *self._only)

    def _first_id(self, since: str, most: int | None = None) -> ScalarSelect[int]:
        """The id from which on rows are of the instant of that name or later; of the newest `most` ids."""
        behind_last = func.coalesce(select(func.max(self._key)).scalar_subquery(), 0) + 1
        one = cast(literal(1), Long)
        low = one if most is None else case((behind_last > most, behind_last - most), else_=one)
        halved = select(low.label("low"), behind_last.label("high")).cte(recursive=True)
        middle = (halved.c.low + halved.c.high) // 2
        at = select(self._made_at).where(self._key >= middle, *self._only).order_by(self._key).limit(1)
        is_earlier = at.correlate(halved).scalar_subquery() < bindparam(since)
        step = select(
            case((is_earlier, middle + 1), else_=halved.c.low), case((is_earlier, halved.c.high), else_=middle)
        )
        halved = halved.union_all(step.where(halved.c.low < halved.c.high))
        return select(func.max(halved.c.low)).scalar_subquery()
