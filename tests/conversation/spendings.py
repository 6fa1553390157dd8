"""The spending of a day, as its rows show it."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import select

from app.conversation.budget import budget_day, spent_cents
from app.models import Alert, Spending
from app.services import Services

# In cents: the reservation for a first short text lies between these two, and its true cost far below.
ONE_CALL = 8
NOT_EVEN_ONE_CALL = 4


def spendings(services: Services) -> Sequence[Spending]:
    with services.reading() as db:
        return db.scalars(select(Spending).order_by(Spending.id)).all()


def spent(services: Services, person_id: int | None = None, *, days_ago: int = 0) -> float:
    """Cents spent on the day."""
    day = budget_day(services, services.clock.now() - timedelta(days=days_ago))
    with services.reading() as db:
        return spent_cents(db, day, person_id)


def already_spent(services: Services, person_id: int, cents: float, **more: bool) -> None:
    """Enter cents that the person's replies have cost today, or with `is_background` other work."""
    now = services.clock.now()
    with services.transaction() as db:
        day = budget_day(services, now)
        db.add(Spending(day=day, person_id=person_id, cents=cents, is_settled=True, at=now, **more))


def alerts(services: Services) -> set[str]:
    """Kinds of the open alerts."""
    with services.reading() as db:
        return set(db.scalars(select(Alert.kind).where(Alert.cleared_at.is_(None))))
