"""Episodes of a few days: told on them, or told on others of what happened on them."""

from collections.abc import Sequence
from datetime import date, timedelta

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from app.clock import end_of_day
from app.memory.index.asked_days import names_one_of
from app.models import Episode

DAYS_MOST = 7  # Of a week the weightiest tell much; of more days they would be any.
TOLD_WITHIN = timedelta(days=92)  # Of a day: who tells of one by its date does so in the months around it.


def of_days(db: Session, person_id: int, first: date, last: date, timezone: str) -> Sequence[Episode]:
    """The episodes that were held between the two days or that name one of them, the weightiest first.

    None of more than `DAYS_MOST` days. The days are those of the IANA zone `timezone`.
    """
    if not 0 <= (last - first).days < DAYS_MOST:
        return []
    begin, end = end_of_day(first - timedelta(days=1), timezone), end_of_day(last, timezone)
    around = (
        select(Episode, and_(Episode.ended_at >= begin, Episode.started_at < end))
        .where(Episode.person_id == person_id, Episode.retired_at.is_(None))
        .where(Episode.ended_at >= begin - TOLD_WITHIN, Episode.started_at < end + TOLD_WITHIN)
        .order_by(Episode.importance.desc(), Episode.number.desc())
    )
    return [
        one for one, then in db.execute(around) if then or names_one_of(f"{one.summary} {one.narrative}", first, last)
    ]
