"""The memories of one kind that answer a question best: searched for and ranked, rows in."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.clock import days_between
from app.memory import index
from app.memory.facts import is_live
from app.memory.facts.archive import COLUMNS, standing_of
from app.memory.index import POOL, IndexQuery
from app.memory.index.query import Query
from app.memory.index.ranking import ALONE, BEST, Weights, rank, standing
from app.memory.index.row_ids import Kind
from app.memory.index.vectors import Vector
from app.models import Episode, Fact

Floats = NDArray[np.float64]

_WEIGHTS: Mapping[Kind, Weights] = MappingProxyType({"message": BEST, "fact": ALONE, "episode": ALONE})


@dataclass(frozen=True)
class Best:
    """The best first; all lists are of one length."""

    items: list[int]
    """Row ids."""
    scores: list[float]
    """Above 0, higher is better; only comparable within one ranking."""
    cosines: list[float | None]
    """−1 to 1, comparable between questions of one embedder; None where there is no vector of it."""
    bm25: list[float]
    """0 where no word is shared."""
    unembedded: int
    """How many, at most, could be found by their words alone."""

    def __len__(self) -> int:
        return len(self.items)


def ranked(
    db: Session,
    person_id: int,
    kind: Kind,
    query: Query,
    *,
    vector: Vector | None = None,
    model: str | None = None,
    at: datetime,
    limit: int,
    first_day: date | None = None,
    last_day: date | None = None,
    pool: int = POOL,
    unasked: bool = False,
) -> Best:
    """At most `limit` of the person's messages, facts or episodes, at the instant `at`.

    `vector` is the query's by the embedder named `model`; without them words decide alone. The days, on the person's
    own calendar and both included, leave out all else; those that the question names itself only lift what is of them.
    What is found `unasked` is to be shown as it is: no archived fact is among it.
    """
    asked = IndexQuery(query.words, vector, model, pool=pool, first_day=first_day, last_day=last_day)
    found = index.search(db, person_id, kind, asked)
    stands = _standing(db, person_id, kind, found.items.tolist(), at, unasked=unasked)
    order = rank(found, query.days, _WEIGHTS[kind], stands)
    kept = found.within[order.order]
    which, scores = order.order[kept][:limit], order.scores[kept][:limit]
    cosines = [None if np.isnan(one) else float(one) for one in found.cosine[which]]
    return Best(found.items[which].tolist(), scores.tolist(), cosines, found.bm25[which].tolist(), found.unembedded)


def _standing(
    db: Session, person_id: int, kind: Kind, items: list[int], at: datetime, *, unasked: bool
) -> Floats | None:
    """How much each matters by itself, 0 for what is there no more; None for messages, which all stand alike."""
    match kind:
        case "message":
            return None
        case "fact":
            stands = _of_facts(db, person_id, items, at, live_only=unasked)
        case "episode":
            stands = _of_episodes(db, person_id, items, at)
    return np.array([stands.get(item, 0.0) for item in items], np.float64)


def _of_facts(db: Session, person_id: int, items: list[int], at: datetime, *, live_only: bool) -> dict[int, float]:
    stays = is_live(at) if live_only else Fact.retired_at.is_(None)
    rows = db.execute(select(Fact.id, *COLUMNS).where(Fact.person_id == person_id, Fact.id.in_(items), stays)).all()
    return dict(zip([row.id for row in rows], standing_of(rows, at), strict=True))


def _of_episodes(db: Session, person_id: int, items: list[int], at: datetime) -> dict[int, float]:
    rows = db.execute(
        select(Episode.id, Episode.importance, Episode.last_used_at, Episode.ended_at).where(
            Episode.person_id == person_id, Episode.id.in_(items), Episode.retired_at.is_(None)
        )
    ).all()
    unused = [days_between(max(row.last_used_at or row.ended_at, row.ended_at), at) for row in rows]
    factors = standing(
        np.array([row.importance for row in rows], np.float64),
        np.ones(len(rows)),
        np.zeros(len(rows), bool),
        np.array(unused, np.float64),
    )
    return dict(zip([row.id for row in rows], factors.tolist(), strict=True))
