"""What stands beside a person's thread, in short: what is remembered of them, what comes, what they cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from app.memory.facts import is_live
from app.models import Episode, Fact, Routine, Rule
from app.models.routine import STANDING
from app.web.admin import queries

FACTS_SHOWN = 6
OTHERS_SHOWN = 3


@dataclass(frozen=True)
class InShort:
    """The first few of one kind, and how many there are."""

    rows: Sequence[object]
    count: int


@dataclass(frozen=True)
class Beside:
    """A person in short."""

    facts: InShort
    episodes: InShort
    rules: InShort
    routines: InShort
    spent_cents: float
    """In the month."""


def beside(db: Session, person_id: int, now: datetime, month: Sequence[date]) -> Beside:
    count = func.count().over()
    facts = select(Fact, count).where(Fact.person_id == person_id, is_live(now))
    episodes = select(Episode, count).where(Episode.person_id == person_id, Episode.retired_at.is_(None))
    rules = select(Rule, count).where(Rule.person_id == person_id, Rule.retired_at.is_(None))
    routines = select(Routine, count).where(Routine.person_id == person_id, Routine.state.in_(STANDING))
    return Beside(
        _first(db, facts.order_by(Fact.pinned.desc(), Fact.number.desc()).limit(FACTS_SHOWN)),
        _first(db, episodes.order_by(Episode.ended_at.desc()).limit(OTHERS_SHOWN)),
        _first(db, rules.order_by(Rule.number.desc()).limit(OTHERS_SHOWN)),
        _first(db, routines.order_by(Routine.next_due_at.is_(None), Routine.next_due_at).limit(OTHERS_SHOWN)),
        queries.spent_by(db, [person_id], month).get(person_id, 0.0),
    )


def _first(db: Session, rows: Select[Any, int]) -> InShort:
    found = db.execute(rows).all()
    return InShort([row[0] for row in found], found[0][1] if found else 0)
