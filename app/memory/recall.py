"""Recall: what is remembered that answers a question, now and as it was before."""

from dataclasses import dataclass

from app.memory import facts
from app.memory.ranking import by_words
from app.models import Fact
from app.services import Services

MAX_FOUND = 20


@dataclass(frozen=True)
class FoundFact:
    """A fact that answers the question, as it is or as it was."""

    fact: Fact
    relevance: float
    """0 to 1, higher is nearer."""

    @property
    def current(self) -> bool:
        return self.fact.retired_at is None


@dataclass(frozen=True)
class Recalled:
    """What was found, best first; empty is an answer."""

    facts: list[FoundFact]


def recall(services: Services, person_id: int, query: str, limit: int = 5) -> Recalled:
    """At most `limit` (1 to `MAX_FOUND`) facts that share words with the query.

    Earlier versions are among them, so that "where did I live before?" has an answer: an earlier version is as
    relevant as its fact is in any version, because a query names what it is about and not always what it was.
    """
    with services.reading() as db:
        known = facts.live(db, person_id) + facts.earlier(db, person_id)
    scores = by_words(query, [fact.sentence for fact in known])
    best: dict[int, float] = {}
    for fact, score in zip(known, scores, strict=True):
        best[fact.number] = max(score, best.get(fact.number, 0.0))
    found = [FoundFact(fact, best[fact.number]) for fact in known if best[fact.number] > 0]
    found.sort(key=lambda one: (-one.relevance, one.fact.number, not one.current, -one.fact.version))
    return Recalled(found[: max(1, min(limit, MAX_FOUND))])
