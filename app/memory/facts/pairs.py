"""Pairs of facts that may be one, or contradict each other: found once, and kept until one of them goes.

For each fact those are looked at that share most words with it, by the index, and those that answer the same question.
Nobody waits for it: a job looks at what was learned since it last looked.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import delete, false, or_, select
from sqlalchemy.orm import Session

from app.memory import index
from app.memory.facts.categories import OF_NO_QUESTION
from app.memory.facts.conflicts import Likeness, alike
from app.memory.index import IndexQuery
from app.models import Fact, FactPair
from app.operations import marks
from app.services import Services
from app.text.wording import family

LOOKED = "facts_paired"
"""The mark whose number is the last version of a fact that was looked at."""
FACTS_AT_ONCE = 100  # Looked at in one go, some tens of milliseconds; a text that comes in waits that long at most.
POOL = 20  # Of facts by their words: what says the same thing shares most of them.


class _Known(NamedTuple):
    id: int
    sentence: str


def pair_some(services: Services) -> int:
    """How many versions of facts were looked at, `FACTS_AT_ONCE` at most; 0 once all were."""
    with services.reading() as db:
        upto, fresh = _fresh(db)
        if not upto:
            return 0
        found = [pair for person_id, new in fresh.items() for pair in _pairs(db, person_id, new)]
    with services.transaction() as db:
        ids = {fact_id for pair in found for fact_id in (pair.fact_id, pair.other_id)}
        db.execute(delete(FactPair).where(FactPair.fact_id.in_(ids), FactPair.other_id.in_(ids)))
        held = set(db.scalars(select(Fact.id).where(Fact.id.in_(ids), Fact.retired_at.is_(None))))
        db.add_all(pair for pair in found if {pair.fact_id, pair.other_id} <= held)
        marks.put(db, LOOKED, services.clock.now(), number=upto)
    return sum(map(len, fresh.values()))


def of_fact(db: Session, fact: Fact) -> list[tuple[FactPair, Fact]]:
    """The pairs that it is in, each with the other fact, the likest first."""
    pairs = select(FactPair, Fact).join(Fact, Fact.id == FactPair.other_id).where(FactPair.fact_id == fact.id)
    rows = db.execute(pairs.where(Fact.retired_at.is_(None)).order_by(FactPair.likeness.desc(), Fact.number))
    return [(pair, other) for pair, other in rows]


def part(services: Services, fact_id: int, other_id: int) -> None:
    """Have both stand side by side: somebody looked at them, and they are neither one nor in each other's way."""
    with services.transaction() as db:
        both = FactPair.fact_id.in_((fact_id, other_id)), FactPair.other_id.in_((fact_id, other_id))
        db.execute(delete(FactPair).where(*both))


def _fresh(db: Session) -> tuple[int, dict[int, list[_Known]]]:
    """Held facts of each person that were not looked at, and the last version with them; 0 where there is none."""
    mark = marks.read(db, LOOKED)
    rows = select(Fact.id, Fact.person_id, Fact.sentence, Fact.retired_at).where(Fact.id > (mark.number if mark else 0))
    found = db.execute(rows.order_by(Fact.id).limit(FACTS_AT_ONCE)).all()
    fresh: defaultdict[int, list[_Known]] = defaultdict(list)
    for row in found:
        if row.retired_at is None:
            fresh[row.person_id].append(_Known(row.id, row.sentence))
    return (found[-1].id if found else 0), dict(fresh)


def _pairs(db: Session, person_id: int, new: Sequence[_Known]) -> list[FactPair]:
    known = _to_compare(db, person_id, new)
    found: dict[tuple[int, int], Likeness] = {}
    for one in new:
        for other in known[one.id]:
            if likeness := alike(one.sentence, other.sentence):
                found[one.id, other.id] = found[other.id, one.id] = likeness
    return [
        FactPair(fact_id=first, other_id=second, person_id=person_id, kind=like.kind, likeness=like.likeness)
        for (first, second), like in found.items()
    ]


def _to_compare(db: Session, person_id: int, new: Sequence[_Known]) -> dict[int, list[_Known]]:
    """By each new fact, those that share words with it and those that answer its question."""
    theirs = {
        one.id: index.search(db, person_id, "fact", IndexQuery(one.sentence, pool=POOL, reach=0)).items.tolist()
        for one in new
    }
    wanted = {item for items in theirs.values() for item in items}
    rows = select(Fact.id, Fact.sentence).where(Fact.person_id == person_id, Fact.retired_at.is_(None))
    # What has one answer at a time is of more than usual importance, and nobody has much of it.
    answers = Fact.importance > OF_NO_QUESTION if any(family(one.sentence) for one in new) else false()
    held = {row.id: _Known(row.id, row.sentence) for row in db.execute(rows.where(or_(Fact.id.in_(wanted), answers)))}
    answering = {one.id for one in held.values() if family(one.sentence) is not None}
    return {
        one.id: [held[item] for item in sorted({*theirs[one.id], *answering} - {one.id}) if item in held] for one in new
    }
