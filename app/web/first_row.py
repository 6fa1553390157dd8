"""Where a stretch of time begins in a table whose ids rise with time."""

from datetime import datetime

from sqlalchemy import ScalarSelect, case, func, literal, select
from sqlalchemy.orm import InstrumentedAttribute


def first_id(
    key: InstrumentedAttribute[int], made_at: InstrumentedAttribute[datetime], since: datetime, most: int
) -> ScalarSelect[int]:
    """The id from which on rows are of `since` or later, `most` of them at most: a part of the query that needs it.

    Halving finds it within the query: time itself needs no index, which every text would have to wait for.
    """
    after_last = func.coalesce(select(func.max(key)).scalar_subquery(), 0) + 1
    low = case((after_last > most, after_last - most), else_=literal(1))
    halving = select(low.label("low"), after_last.label("high")).cte("halving", recursive=True)
    middle = (halving.c.low + halving.c.high) // 2
    at = select(made_at).where(key >= middle).order_by(key).limit(1).correlate(halving).scalar_subquery()
    halved = select(
        case((at < since, middle + 1), else_=halving.c.low), case((at < since, halving.c.high), else_=middle)
    ).where(halving.c.low < halving.c.high)
    halving = halving.union_all(halved)
    return select(func.max(halving.c.low)).scalar_subquery()
