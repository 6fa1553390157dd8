"""Facts to be archived, rows in: those that expired, that faded, and the weakest of a person who holds many.

An archived fact stays held and is found when it is searched for; it is never shown unasked. No change is recorded, for
nobody made one: what `/undo` takes back is the last thing that somebody did.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam, case, func, select, update
from sqlalchemy.orm import Session

from app.clock import days_between
from app.memory.facts.categories import OF_CONSTRAINTS
from app.memory.index.ranking import HALF_LIFE_DAYS, standing
from app.models import Fact
from app.services import Services

MOST_LIVE = 1000  # Of one person. What a new fact may contradict is sought among all of them, at each new fact.
FADED_HALF_LIVES = 8  # About two years; then it has lost 99.6 % of what disuse can take from it.
FACTS_AT_ONCE = 200  # For so long, some milliseconds, a text that comes in waits for the database.

_FADED_AFTER = timedelta(days=FADED_HALF_LIVES * HALF_LIFE_DAYS)
_NOT_ARCHIVED = (Fact.retired_at.is_(None), Fact.archived_at.is_(None))
# Made once: each new fact asks.
_HOW_MANY = select(func.count(Fact.id)).where(Fact.person_id == bindparam("person"), *_NOT_ARCHIVED)

COLUMNS = (Fact.importance, Fact.confidence, Fact.pinned, Fact.fresh_at)
"""The columns that a fact's standing is told by."""
FactRow = Row[int, datetime | None, float, float, bool, datetime]  # Id, `expires_at`, and `COLUMNS`.


def standing_of(row: Row[*tuple[Any, ...]], at: datetime) -> float:
    """As `ranking.standing`, of a row that has the columns `COLUMNS` among others."""
    return standing(row.importance, row.confidence, row.pinned, days_between(row.fresh_at, at))


def hold_to_limit(db: Session, person_id: int, now: datetime, *, but: Collection[int] = ()) -> None:
    """Have the person's weakest facts archived where more than `MOST_LIVE` are live; none with the numbers `but`."""
    over = (db.scalar(_HOW_MANY, {"person": person_id}) or 0) - MOST_LIVE
    if over <= 0:
        return
    theirs = select(Fact.id, Fact.expires_at, *COLUMNS).where(Fact.person_id == person_id, *_NOT_ARCHIVED)
    rows = db.execute(theirs.where(Fact.number.not_in(but))).all()
    _archive(db, _weakest_first(rows, now)[:over], now)


def archive_some(services: Services) -> int:
    """How many facts were archived that expired or faded, `FACTS_AT_ONCE` at most; 0 once there are none left."""
    now = services.clock.now()
    with services.reading() as db:  # Mostly there is none, and a look costs no writer's turn.
        if not _due(db, now, 1):
            return 0
    with services.transaction() as db:
        due = _due(db, now, FACTS_AT_ONCE)
        _archive(db, due, now)
    return len(due)


def _due(db: Session, now: datetime, limit: int) -> Sequence[int]:
    expired = select(Fact.id).where(*_NOT_ARCHIVED, Fact.expires_at <= now).order_by(Fact.expires_at)
    faded = select(Fact.id).where(Fact.FADING, Fact.fresh_at <= now - _FADED_AFTER).order_by(Fact.fresh_at)
    return db.scalars(expired.limit(limit)).all() or db.scalars(faded.limit(limit)).all()


def _weakest_first(rows: Sequence[FactRow], now: datetime) -> list[int]:
    """Ids by their standing; before all others what has expired, behind them what limits, and last what is pinned."""

    def strength(row: FactRow) -> tuple[bool, bool, bool, float, int]:
        is_expired = row.expires_at is not None and row.expires_at <= now
        return (not is_expired, row.pinned, row.importance >= OF_CONSTRAINTS, standing_of(row, now), row.id)

    return [row.id for row in sorted(rows, key=strength)]


def _archive(db: Session, ids: Sequence[int], now: datetime) -> None:
    since = case((Fact.expires_at <= now, Fact.expires_at), else_=now)  # Of an expired one it has been so all along.
    db.execute(update(Fact).where(Fact.id.in_(ids)).values(archived_at=since))
