"""What work in the background may cost: set aside before each call of the model, true after it, as for replies.

It yields to them: a part of each day's budget is the replies' alone.
"""

from datetime import date, datetime

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session

from app.clock import local
from app.models import Spending
from app.settings import Settings

SHARE = 0.75  # Of each day's budget, with all that replies have cost: the last quarter is theirs.
ROUNDING_CENTS = 1e-6  # Sums of fractions of a cent are not exact.


def set_aside(db: Session, settings: Settings, person_id: int, cents: float, now: datetime) -> int | None:
    """The row of the cents set aside; None when the day, the person's or everybody's, has no room for them."""
    day = local(now, settings.budget_timezone).date()
    everybody = _has_room(db, settings.daily_budget_cents, cents, Spending.day == day)
    if not everybody or not _has_room(db, settings.person_daily_budget_cents, cents, *_of(day, person_id)):
        return None
    spending = Spending(day=day, person_id=person_id, cents=cents, at=now)
    db.add(spending)
    db.flush()
    return spending.id


def settle(db: Session, spending_id: int, cents: float) -> None:
    """The true cost in the place of what was set aside."""
    db.execute(update(Spending).where(Spending.id == spending_id).values(cents=cents, is_settled=True))


def _of(day: date, person_id: int) -> tuple[ColumnElement[bool], ...]:
    return Spending.day == day, Spending.person_id == person_id


def _has_room(db: Session, budget: int, cents: float, *which: ColumnElement[bool]) -> bool:
    counted = db.scalar(select(func.coalesce(func.sum(Spending.cents), 0.0)).where(*which)) or 0.0
    return float(counted) + cents <= budget * SHARE + ROUNDING_CENTS
