"""The memories of one kind that answer a question best: searched for and ranked, rows in."""

from dataclasses import dataclass
from datetime import date, datetime

import numpy as np
from sqlalchemy import case, false, literal, select
from sqlalchemy.orm import Session

from app.memory import index
from app.memory.facts import is_live
from app.memory.facts.archive import COLUMNS, standing_of
from app.memory.index import Floats, IndexQuery
from app.memory.index.documents import Kind
from app.memory.index.query import Meaning, Query
from app.memory.index.ranking import ALONE, BEST, rank
from app.models import Episode, Fact

_FRESH_AT = case((Episode.last_used_at > Episode.ended_at, Episode.last_used_at), else_=Episode.ended_at)
_OF_EPISODES = (
    Episode.importance,
    literal(1.0).label("confidence"),
    false().label("pinned"),
    _FRESH_AT.label("fresh_at"),
)


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


def best(
    db: Session,
    person_id: int,
    kind: Kind,
    query: Query,
    means: Meaning,
    at: datetime,
    limit: int,
    *,
    since: date | None = None,
    until: date | None = None,
    unasked: bool = False,
) -> Best:
    """At most `limit` of the person's messages, facts or episodes, at the instant `at`.

    `means` is what the query's own `meaning` came to; without a vector words decide alone. The days, on the person's
    own calendar and both included, leave out all else; those that the question names itself only lift what is of them.
    What is found `unasked` is to be shown as it is: no archived fact is among it.
    """
    asked = IndexQuery(query.words, means.vector, means.model, first_day=since, last_day=until)
    found = index.search(db, person_id, kind, asked)
    standing = _standing(db, person_id, kind, found.items.tolist(), at, unasked=unasked)
    ranked = rank(found, query.days, BEST if kind == "message" else ALONE, standing)
    kept = found.within[ranked.order]
    which, scores = ranked.order[kept][:limit], ranked.scores[kept][:limit]
    cosines = [None if np.isnan(one) else float(one) for one in found.cosine[which]]
    return Best(found.items[which].tolist(), scores.tolist(), cosines, found.bm25[which].tolist(), found.unembedded)


def _standing(
    db: Session, person_id: int, kind: Kind, items: list[int], at: datetime, *, unasked: bool
) -> Floats | None:
    """How much each matters by itself, 0 for what is there no more; None for messages, which all stand alike."""
    if kind == "message":
        return None
    if kind == "fact":
        held = is_live(at) if unasked else Fact.retired_at.is_(None)
        wanted = select(Fact.id, *COLUMNS).where(Fact.person_id == person_id, Fact.id.in_(items), held)
    else:
        live = (Episode.person_id == person_id, Episode.id.in_(items), Episode.retired_at.is_(None))
        wanted = select(Episode.id, *_OF_EPISODES).where(*live)
    rows = db.execute(wanted).all()
    stands = dict(zip([row.id for row in rows], standing_of(rows, at), strict=True))
    return np.array([stands.get(item, 0.0) for item in items], np.float64)
