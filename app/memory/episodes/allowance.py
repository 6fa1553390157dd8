"""The money for work in the background: set aside before each call of the model, true after it, as for replies.

It yields to them. It has a small share of each day's budget, whatever waits to be done, and it leaves the last part of
the day's money alone even where it has spent nothing itself.
"""

from datetime import datetime

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session

from app.clock import local
from app.models import Spending
from app.settings import Settings

OWN_SHARE = 0.25
"""Of each day's budget, a person's and everybody's: a backlog of weeks is told in as many days as that takes."""
SHARE_WITH_REPLIES = 0.75
"""The same with all that replies have cost that day: the last quarter is theirs."""
ROUNDING_CENTS = 1e-6  # Sums of fractions of a cent are not exact.


def set_aside(db: Session, settings: Settings, person_id: int, cents: float, now: datetime) -> int | None:
    """The row of the cents set aside; None when the day, the person's or everybody's, has no room for them."""
    day = local(now, settings.budget_timezone).date()
    everybody = (Spending.day == day,)
    person = (*everybody, Spending.person_id == person_id)
    if not _has_room(db, settings.daily_budget_cents, cents, *everybody):
        return None
    if not _has_room(db, settings.person_daily_budget_cents, cents, *person):
        return None
    spending = Spending(day=day, person_id=person_id, is_background=True, cents=cents, at=now)
    db.add(spending)
    db.flush()
    return spending.id


def settle(db: Session, spending_id: int, cents: float) -> None:
    """The true cost in the place of what was set aside."""
    db.execute(update(Spending).where(Spending.id == spending_id).values(cents=cents, is_settled=True))


def _has_room(db: Session, budget: int, cents: float, *which: ColumnElement[bool]) -> bool:
    own, both = _sum(db, *which, Spending.is_background.is_(True)), _sum(db, *which)
    # The first of a day may be larger than the share: of a small budget nothing would ever be told otherwise.
    is_within = own == 0.0 or own + cents <= budget * OWN_SHARE + ROUNDING_CENTS
    return is_within and both + cents <= budget * SHARE_WITH_REPLIES + ROUNDING_CENTS


def _sum(db: Session, *which: ColumnElement[bool]) -> float:
    return float(db.scalar(select(func.coalesce(func.sum(Spending.cents), 0.0)).where(*which)) or 0.0)
