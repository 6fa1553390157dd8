"""When what was put off is due, and what somebody took in hand is free again.

A clock that is set back leaves such instants far ahead, and nobody is to wait until it has caught up. So one that lies
further ahead than anything puts it has come.
"""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, SQLColumnExpression, and_, or_

from app.models import Turn

PUT_OFF_LONGEST = timedelta(minutes=1)  # Turns are put off by seconds: what keeps people for hours is a rest.
LEASE_LONGEST = timedelta(minutes=6)  # The longest turn that may be set, 300 s, and the minute beyond it.


def has_come(instant: datetime, now: datetime, longest: timedelta) -> bool:
    """Whether the instant, which was put `longest` ahead at most, is not to be waited for any more."""
    return not now < instant <= now + longest


def have_come(
    instant: SQLColumnExpression[datetime] | SQLColumnExpression[datetime | None], now: datetime, longest: timedelta
) -> ColumnElement[bool]:
    """The same of a column."""
    return or_(instant <= now, instant > now + longest)


def was_long_ago(noted: SQLColumnExpression[datetime], now: datetime, at_least: timedelta) -> ColumnElement[bool]:
    """Whether something was noted so long ago; a note from further ahead than that was made before a clock's step."""
    return or_(noted <= now - at_least, noted > now + at_least)


def was_long_ago_at(noted: datetime, now: datetime, at_least: timedelta) -> bool:
    """The same of one instant."""
    return not now - at_least < noted <= now + at_least


def is_put_off_no_longer(now: datetime) -> ColumnElement[bool]:
    """Which postponed turns may be taken up."""
    may_be = or_(Turn.retry_at.is_(None), have_come(Turn.retry_at, now, PUT_OFF_LONGEST))
    return and_(Turn.state == "postponed", may_be)


def is_left(now: datetime) -> ColumnElement[bool]:
    """Which running turns were not ended in the time that their process had."""
    return and_(Turn.state == "running", have_come(Turn.leased_until, now, LEASE_LONGEST))
