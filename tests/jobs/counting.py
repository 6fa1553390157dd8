"""A world whose hours are counted, and what became of them."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from app.memory import Origin
from app.models import Count, Message, PersonSpend, Spending, Turn
from app.services import Services
from tests.turns import add_ended_turn

HOUR = "2026-11-21T17"
"""The hour at whose beginning the tests' clock stands."""
TOLD = Origin("person", "explicit")


def add_turn(services: Services, person_id: int, *, seconds: float = 4.0, **columns: Any) -> Turn:
    """A text that was answered now, after so many seconds."""
    now = services.clock.now()
    with services.transaction() as db:
        turn = add_ended_turn(db, person_id, now, **{"outcome": "replied", **columns})
        of = {"person_id": person_id, "turn_id": turn.id, "carrier": "phone"}
        db.add(Message(**of, direction="in", state="answered", body="hi", created_at=now))
        db.flush()
        sent = now + timedelta(seconds=seconds)
        db.add(Message(**of, direction="out", state="sent", body="ho", created_at=sent, sent_at=sent))
    return turn


def counts(services: Services, unit: str = "hour", began: str = HOUR) -> dict[str, Any]:
    """How often, and the sum, of each figure with its label."""
    with services.reading() as db:
        rows = db.scalars(select(Count).where(Count.unit == unit, Count.began == began))
        return {f"{row.figure} {row.label}".strip(): (row.times, pytest.approx(row.total)) for row in rows}


def spent(services: Services, unit: str) -> dict[tuple[str, int, str], Any]:
    with services.reading() as db:
        rows = db.scalars(select(PersonSpend).where(PersonSpend.unit == unit))
        return {(row.began, row.person_id, row.spent_on): pytest.approx(row.cents) for row in rows}


def add_spending(services: Services, person_id: int, cents: float, turn: Turn | None = None, *, day: int = 21) -> None:
    with services.transaction() as db:
        of = {"day": date(2026, 11, day), "person_id": person_id, "cents": cents, "at": services.clock.now()}
        db.add(Spending(**of, turn_id=turn.id if turn else None, is_background=turn is None))
