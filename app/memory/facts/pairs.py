"""Pairs of facts that may be one, or contradict each other: the tests on sentences, and the stored pairs.

People correct themselves in words that the old fact does not hold ("two coffees a day" becomes "quit caffeine"). A new
sentence is therefore refused only if something indicates another subject, never for lack of a shared word.

A job finds pairs once, among facts that share words or answer the same question; a pair stays until one fact goes.
"""

import re
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Row, delete, false, or_, select
from sqlalchemy.orm import Session

from app.memory import index
from app.memory.facts.categories import (
    CONSTRAINTS,
    OF_NO_QUESTION,
    answered_question,
    is_constraint,
    question,
    relative_named,
    same_question,
    topics,
)
from app.memory.index import IndexQuery
from app.models import Fact, FactPair, marks
from app.services import Services
from app.text.wording import ALIKE, MEASURES, negations, normalise, overlap, subjects, things

NEARER = 0.5  # Above this overlap, another known fact is plainly the one meant.
LOOKED = "facts_paired"  # The mark that holds the id of the last version of a fact looked at.
FACTS_AT_ONCE = 100  # Per run, some tens of milliseconds, in which an incoming text may wait.
POOL = 20  # Search results by words: a fact that says the same shares most words.

_OF_ONE = frozenset("age birthday home origin pronouns work".split())  # A sister's job is not the person's job.
# Verbs that say almost nothing about their object: "has a dog", "takes the train".
_VAGUE = subjects("have has had is was want need use go get take make keep plan feel own favorite favourite")
_BEFORE_THE_VERB = frozenset("does do did not no longer never now also really still currently usually often".split())
_FACET = re.compile(r"^(\w+(?: \w+){0,2}) (?:is|are|was) \S", re.IGNORECASE)

FactRow = Row[int, int, str, datetime | None]  # Id, person, sentence and `retired_at` of a version.


def alike(first: str, second: str) -> tuple[str, float] | None:
    """Kind and likeness of two sentences, as in `FactPair`; None if they have little in common."""
    near = overlap(subjects(first), subjects(second))
    asked = question(first)
    if asked is not None and asked == question(second) and relative_named(first) == relative_named(second):
        return ("conflict", near)
    if near < ALIKE:
        return None
    return ("alike" if negations(first) == negations(second) else "conflict", near)


def share_a_subject(old: str, new: str) -> bool:
    """True if both are about the same thing, or answer the same single-answer question about the same person."""
    shared = _telling(old) & _telling(new)
    if relative_named(old) == relative_named(new):
        return bool(shared) or same_question(old, new)
    return bool(shared - subjects("live work"))


def has_other_subject(old: str, old_category: str | None, new: str, new_category: str | None) -> bool:
    """True if two sentences that share no thing seem to be about different subjects."""
    before, after = topics(old, old_category), topics(new, new_category)
    if is_constraint(old, old_category):  # Losing one is harmful, so only a sentence about the same may replace it.
        return not before & after & CONSTRAINTS
    if before & after:
        return relative_named(old) != relative_named(new) and bool(before & after & _OF_ONE)
    if is_constraint(new, new_category):
        return True
    if _verb(old) is not None and _verb(old) == _verb(new):
        return False
    # "Shoe size is 42" and "favorite color is red" give values of two different things.
    first, second = _FACET.match(old), _FACET.match(new)
    return bool(before and after) or bool(first and second and not things(first[1]) & things(second[1]))


def nearest(new: str, known: Sequence[Fact]) -> Fact | None:
    """The fact that the sentence is plainly about, of facts other than the given one; None if unclear."""
    said = _telling(new)
    best = max(known, key=lambda fact: overlap(_telling(fact.sentence), said), default=None)
    if best is not None and overlap(_telling(best.sentence), said) > NEARER:
        return best
    if question(new) is None:
        return None
    return next((one for one in known if same_question(one.sentence, new) and share_a_subject(one.sentence, new)), None)


def _telling(sentence: str) -> frozenset[str]:
    return frozenset(word for word in things(sentence) - MEASURES if not word.isdigit())


def _verb(sentence: str) -> str | None:
    """The stem of the verb that the sentence begins with; None if the verb says almost nothing."""
    words = [word for word in normalise(sentence).split() if word not in _BEFORE_THE_VERB]
    said = subjects(words[0]) - _VAGUE if words else frozenset()
    return next(iter(said), None)


def pair_some(services: Services) -> int:
    """Find pairs for at most `FACTS_AT_ONCE` new versions; how many were looked at, 0 once all were."""
    with services.reading() as db:  # Mostly there is none, and reading blocks no writer.
        if not _fresh(db):
            return 0
    with services.transaction() as db:  # Exclusive, so that no concurrent writer can still commit a lower id.
        fresh = _fresh(db)
    held = [row for row in fresh if row.retired_at is None]
    with services.reading() as db:
        people = {row.person_id for row in held}
        found = [pair for one in people for pair in _pairs(db, one, [row for row in held if row.person_id == one])]
    with services.transaction() as db:
        if not fresh or _fresh(db)[:1] != fresh[:1]:
            return 0  # Another process has looked at them meanwhile.
        ids = {fact_id for pair in found for fact_id in (pair.fact_id, pair.other_id)}
        db.execute(delete(FactPair).where(FactPair.fact_id.in_(ids), FactPair.other_id.in_(ids)))
        left = set(db.scalars(select(Fact.id).where(Fact.id.in_(ids), Fact.retired_at.is_(None))))
        db.add_all(pair for pair in found if {pair.fact_id, pair.other_id} <= left)
        marks.put(db, LOOKED, services.clock.now(), number=fresh[-1].id)
    return len(fresh)


def of_fact(db: Session, fact: Fact) -> list[tuple[FactPair, Fact]]:
    """Pairs of the fact, each with the other fact, most alike first."""
    pairs = select(FactPair, Fact).join(Fact, Fact.id == FactPair.other_id).where(FactPair.fact_id == fact.id)
    rows = db.execute(pairs.where(Fact.retired_at.is_(None)).order_by(FactPair.likeness.desc(), Fact.number))
    return [(pair, other) for pair, other in rows]


def delete_pair(services: Services, fact_id: int, other_id: int) -> None:
    """Delete a pair: an operator looked at both facts and found them neither the same nor contradictory."""
    with services.transaction() as db:
        both = FactPair.fact_id.in_((fact_id, other_id)), FactPair.other_id.in_((fact_id, other_id))
        db.execute(delete(FactPair).where(*both))


def _fresh(db: Session) -> Sequence[FactRow]:
    """Versions of all people's facts that were not looked at yet, oldest first."""
    mark = marks.read(db, LOOKED)
    rows = select(Fact.id, Fact.person_id, Fact.sentence, Fact.retired_at).where(Fact.id > (mark.number if mark else 0))
    return db.execute(rows.order_by(Fact.id).limit(FACTS_AT_ONCE)).all()


def _pairs(db: Session, person_id: int, new: Sequence[FactRow]) -> list[FactPair]:
    """Pairs of the new facts with facts that share words or answer the same question, in both directions."""
    sharing = {
        one.id: index.search(db, person_id, "fact", IndexQuery(one.sentence, pool=POOL, reach=0)).items.tolist()
        for one in new
    }
    wanted = {item for items in sharing.values() for item in items}
    # Answers to single-answer questions have raised importance, and nobody has many of them.
    answers = Fact.importance > OF_NO_QUESTION if any(answered_question(one.sentence) for one in new) else false()
    rows = select(Fact.id, Fact.sentence).where(Fact.person_id == person_id, Fact.retired_at.is_(None))
    known = {row.id: row.sentence for row in db.execute(rows.where(or_(Fact.id.in_(wanted), answers)))}
    answering = {item for item, sentence in known.items() if answered_question(sentence) is not None}
    found: dict[tuple[int, int], tuple[str, float]] = {}
    for one in new:
        for other in known.keys() & {*sharing[one.id], *answering} - {one.id}:
            if pair := alike(one.sentence, known[other]):
                found[one.id, other] = found[other, one.id] = pair
    return [
        FactPair(fact_id=first, other_id=second, person_id=person_id, kind=kind, likeness=likeness)
        for (first, second), (kind, likeness) in found.items()
    ]
