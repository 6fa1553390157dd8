"""The column beside a person's thread, in short: what is remembered of them, what comes, what they cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import BindParameter, Select, bindparam, func, select
from sqlalchemy.orm import Session

from app.models import Episode, Routine, Rule
from app.models.routine import STANDING
from app.web.admin import queries
from app.web.admin.known_queries import FactsKnown

FACTS_SHOWN = 6
OTHERS_SHOWN = 3

# Made once: to build a question takes longer than to answer it.
_person: BindParameter[int] = bindparam("person")
_count = func.count().over()
_EPISODES = select(Episode, _count).where(Episode.person_id == _person, Episode.retired_at.is_(None))
_EPISODES = _EPISODES.order_by(Episode.ended_at.desc()).limit(OTHERS_SHOWN)
_RULES = select(Rule, _count).where(Rule.person_id == _person, Rule.retired_at.is_(None))
_RULES = _RULES.order_by(Rule.number.desc()).limit(OTHERS_SHOWN)
_ROUTINES = select(Routine, _count).where(Routine.person_id == _person, Routine.state.in_(STANDING))
_ROUTINES = _ROUTINES.order_by(Routine.next_due_at.is_(None), Routine.next_due_at).limit(OTHERS_SHOWN)


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


def beside(db: Session, person_id: int, known: FactsKnown, month: Sequence[date]) -> Beside:
    live = [one for one in known.versions[:FACTS_SHOWN] if one.is_live]
    return Beside(
        InShort(live, known.live_count),
        _in_short(db, _EPISODES, person_id),
        _in_short(db, _RULES, person_id),
        _in_short(db, _ROUTINES, person_id),
        queries.spent_by(db, [person_id], month).get(person_id, 0.0),
    )


def _in_short(db: Session, rows: Select[Any, int], person_id: int) -> InShort:
    found = db.execute(rows, {"person": person_id}).all()
    return InShort([row[0] for row in found], found[0][1] if found else 0)
