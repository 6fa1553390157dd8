"""Rows of a stretch of time, found by their ids, since an index on time would slow down every text.

Ids rise with time, so binary search finds where a stretch begins, inside the query itself.
"""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, ScalarSelect, and_, bindparam, case, cast, func, literal, select
from sqlalchemy.orm import InstrumentedAttribute

from app.store.dialect import Long

SLACK = timedelta(minutes=10)  # A row may be out of order by this much: a clock was set, a transaction waited.

Span = dict[str, datetime]  # Parameters for queries with `Timeline.within`.


def span(since: datetime, until: datetime) -> Span:
    """Parameters for rows that were made at `since` or later and before `until`."""
    return {"since": since, "until": until, "earliest": since - SLACK, "latest": until + SLACK}


class Timeline:
    """The rows of one table, whose ids rise with time. Build it once: building a query takes longer than running it.

    `only` limits it to these rows, if others in the table may have an earlier time than their ids suggest.
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
        """Condition for queries that are given a `span`."""

    def newest(self, most: int) -> ColumnElement[bool]:
        """Condition for rows made at the query's parameter `since` or later, among the newest `most` ids."""
        return and_(self._key >= self._first_id("since", most), *self._only)

    def _first_id(self, since: str, most: int | None = None) -> ScalarSelect[int]:
        """The first id whose row was made at the parameter `since` or later, among the newest `most` ids."""
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
