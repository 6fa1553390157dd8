"""Recall: memories that answer a question, current ones and earlier versions."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import NamedTuple

import numpy as np
from sqlalchemy import BindParameter, bindparam, case, false, literal, select
from sqlalchemy.orm import Session

from app import people
from app.clock import local
from app.memory import episodes, facts, index
from app.memory.facts import COLUMNS, standing_factor_of
from app.memory.forgotten import findable_parts, without_forgotten
from app.memory.index import Floats, IndexQuery
from app.memory.index.documents import Kind
from app.memory.index.query import Meaning, Query, meaning, prepare
from app.memory.index.ranking import ALONE, BEST, by_words, is_noise, rank
from app.models import Episode, Fact, Message
from app.services import Services

MAX_FOUND = 20
LEAST_NEAR = 0.01  # The least relevance of anything found.
SECONDS = 3.0  # For the query's vector: a search made on purpose waits for it, but less long than for an answer.
KINDS: tuple[Kind, ...] = ("episode", "fact", "message")

_FRESH_AT = case((Episode.last_used_at > Episode.ended_at, Episode.last_used_at), else_=Episode.ended_at)
_OF_EPISODES = (
    Episode.importance,
    literal(1.0).label("confidence"),
    false().label("pinned"),
    _FRESH_AT.label("fresh_at"),
)
_NAMED: BindParameter[list[int]] = bindparam("items", expanding=True)
_FACTS = select(Fact.id, *COLUMNS).where(Fact.person_id == bindparam("person"), Fact.id.in_(_NAMED))
_EPISODES = select(Episode.id, *_OF_EPISODES).where(Episode.person_id == bindparam("person"), Episode.id.in_(_NAMED))
# Built once: a turn that searches runs one of these.
_LIVE_FACTS = _FACTS.where(facts.is_live(bindparam("now")))
_HELD = {"fact": _FACTS.where(Fact.retired_at.is_(None)), "episode": _EPISODES.where(Episode.retired_at.is_(None))}


@dataclass(frozen=True)
class FoundFact:
    """A fact that answers the question, in its held or an earlier version."""

    fact: Fact
    relevance: float  # 0 to 1, higher is nearer.
    archived: bool
    current: bool  # False for an earlier version and for an expired fact.


@dataclass(frozen=True)
class FoundEpisode:
    episode: Episode
    relevance: float


@dataclass(frozen=True)
class FoundMessage:
    message: Message
    words: str  # Word for word, without sentences about things forgotten since.
    relevance: float


@dataclass(frozen=True)
class Recalled:
    """Memories found, the best of each kind first; an empty result is an answer."""

    facts: list[FoundFact] = field(default_factory=list)
    episodes: list[FoundEpisode] = field(default_factory=list)
    messages: list[FoundMessage] = field(default_factory=list)
    timezone: str = "UTC"
    by_words_alone: int = 0  # At most so many memories have no vector: only their words can be found.

    def __bool__(self) -> bool:
        return bool(self.facts or self.episodes or self.messages)


class Hit(NamedTuple):
    """One memory that answers a query."""

    item: int
    score: float  # Above 0, higher is better; only comparable within one ranking.
    cosine: float | None  # −1 to 1, comparable between queries of one embedder; None without a vector.
    shares_words: bool


@dataclass(frozen=True)
class Search:
    """One search of a person's memory, for any kind, at one instant."""

    person_id: int
    query: Query
    meaning: Meaning  # The vector of `query.meaning`; without a vector only words count.
    at: datetime
    limit: int
    since: date | None = None
    until: date | None = None
    """Days on the person's own calendar, both included; other days are left out. Days named in the query only raise
    the rank of their memories."""

    def best(self, db: Session, kind: Kind, *, unasked: bool = False) -> tuple[list[Hit], int]:
        """Memories that answer the query, best first, if `unasked` only live ones; and how many have no vector yet."""
        vector, model = self.meaning.vector, self.meaning.model
        asked = IndexQuery(self.query.words, vector, model, first_day=self.since, last_day=self.until)
        found = index.search(db, self.person_id, kind, asked)
        standing = self._standing(db, kind, found.items.tolist(), unasked=unasked)
        ranked = rank(found, self.query.days, BEST if kind == "message" else ALONE, standing)
        kept = found.within[ranked.order]
        which, scores = ranked.order[kept][: self.limit], ranked.scores[kept][: self.limit]
        columns = (found.items[which], scores, found.cosine[which], found.bm25[which] > 0)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        hits = [Hit(item, score, None if math.isnan(near) else near, shares) for item, score, near, shares in rows]
        return hits, found.unembedded

    def _standing(self, db: Session, kind: Kind, items: list[int], *, unasked: bool) -> Floats | None:
        """The weight of each item by itself, 0 for one no longer there; None for messages, which all weigh the same."""
        if kind == "message":
            return None
        wanted = _LIVE_FACTS if kind == "fact" and unasked else _HELD[kind]
        rows = db.execute(wanted, {"person": self.person_id, "items": items, "now": self.at}).all()
        stands = {row.id: standing_factor_of(row, self.at) for row in rows}
        return np.array([stands.get(item, 0.0) for item in items], np.float64)


def recall(
    services: Services,
    person_id: int,
    query: str,
    limit: int = 5,
    *,
    kinds: Collection[Kind] = KINDS,
    since: date | None = None,
    until: date | None = None,
    deadline: float | None = None,
) -> Recalled:
    """At most `limit` (1 to `MAX_FOUND`) memories of each kind that answer the query, by its words and its meaning.

    They include archived facts, and earlier versions of facts, found by words: "where did I live before?".

    `since` and `until`, on the person's own calendar and both included, leave out other days, except for episodes that
    name one of these days. `deadline`, in seconds of the clock, ends the wait for the query's vector.
    """
    now = services.clock.now()
    with services.reading() as db:
        person = people.by_id(db, person_id)
        name, timezone = person.name or "", person.timezone
    asked = prepare(query, [name], local(now, timezone))
    means = meaning(services, asked.meaning, seconds=SECONDS, until=deadline)
    search = Search(person_id, asked, means, now, max(1, min(limit, MAX_FOUND)), since, until)
    with services.reading() as db:
        found = {kind: search.best(db, kind) for kind in KINDS if kind in kinds}
        return Recalled(
            facts=_facts(db, search, found["fact"][0], timezone) if "fact" in found else [],
            episodes=_episodes(db, search, found["episode"][0], timezone) if "episode" in found else [],
            messages=_messages(db, search, found["message"][0]) if "message" in found else [],
            timezone=timezone,
            by_words_alone=sum(unembedded for _, unembedded in found.values()) if services.embedder is not None else 0,
        )


def _facts(db: Session, search: Search, hits: Sequence[Hit], timezone: str) -> list[FoundFact]:
    theirs = select(Fact).where(Fact.person_id == search.person_id)
    by_id = {fact.id: fact for fact in db.scalars(theirs.where(Fact.id.in_([hit.item for hit in hits])))}
    earlier = without_forgotten(db, search.person_id, facts.earlier_versions(db, search.person_id))
    before = [one for one in earlier if _was_true(one, search, timezone)]
    # Scored together, since the weight of a word depends on how many sentences hold it.
    near = by_words(search.query.words, [one.sentence for one in (*by_id.values(), *before)])[len(by_id) :]
    shares = [(one, share) for one, share in zip(before, near, strict=True) if share]
    sentences = {fact.id: fact.sentence for fact in by_id.values()}
    relevance = {by_id[item].number: near for item, near in _relevance(search, hits, sentences).items()}
    missing = {one.number for one, _ in shares} - set(relevance)
    if missing:
        now_held = theirs.where(Fact.number.in_(missing), Fact.retired_at.is_(None))
        by_id |= {one.id: one for one in db.scalars(now_held)}
    for one, share in shares:
        relevance[one.number] = max(share, relevance.get(one.number, 0.0))
    found = [
        FoundFact(
            one,
            relevance[one.number],
            archived=facts.is_archived(one, search.at),
            current=one.retired_at is None and not facts.is_expired(one, search.at),
        )
        for one in (*by_id.values(), *before)
        if one.number in relevance
    ]
    found.sort(key=lambda one: (-one.relevance, one.fact.number, not one.current, -one.fact.version))
    return found[: search.limit]


def _was_true(fact: Fact, search: Search, timezone: str) -> bool:
    """True if an earlier version was true at any time within the search's days."""
    first = local(fact.valid_from or fact.recorded_at, timezone).date()
    last = local(fact.valid_to, timezone).date() if fact.valid_to else None
    too_early = search.since is not None and last is not None and last < search.since
    return not (too_early or (search.until is not None and first > search.until))


def _episodes(db: Session, search: Search, hits: Sequence[Hit], timezone: str) -> list[FoundEpisode]:
    by_id = {one.id: one for one in episodes.by_ids(db, search.person_id, [hit.item for hit in hits])}
    relevance = _relevance(search, hits, {item: episodes.text_of(one) for item, one in by_id.items()})
    found = [FoundEpisode(by_id[item], near) for item, near in relevance.items()]
    if search.since is None or search.until is None:
        return found
    # Add the episodes of these days, or that name one of them, that the search did not find.
    there = episodes.of_days(db, search.person_id, search.since, search.until, timezone)
    more = [one for one in there if one.id not in relevance]
    shares = by_words(search.query.words, [episodes.text_of(one) for one in more])
    found += [FoundEpisode(one, max(LEAST_NEAR, share)) for one, share in zip(more, shares, strict=True)]
    return sorted(found, key=lambda one: -one.relevance)[: search.limit]


def _messages(db: Session, search: Search, hits: Sequence[Hit]) -> list[FoundMessage]:
    if not hits:
        return []
    items = [hit.item for hit in hits]
    rows = db.scalars(select(Message).where(Message.person_id == search.person_id, Message.id.in_(items)))
    by_id = {one.id: one for one in rows}
    said = {one.message_id: one.words for one in findable_parts(db, search.person_id, Message.id.in_(by_id))}
    relevance = _relevance(search, hits, said, with_neighbours=True)
    return [FoundMessage(by_id[item], said[item], near) for item, near in relevance.items()]


def _relevance(
    search: Search, hits: Sequence[Hit], texts: Mapping[int, str], *, with_neighbours: bool = False
) -> dict[int, float]:
    """Relevance of each hit, 0 to 1, in the order of the ranking; hits unrelated to the query are left out.

    The best hit gets the larger of its word and meaning scores; the others get it in proportion to their rank scores.
    With neighbours, hits that share nothing with the query are kept as long as one hit answers it.
    """
    there = [hit for hit in hits if hit.item in texts]
    shares = by_words(search.query.words, [texts[hit.item] for hit in there])
    bounded = search.since is not None or search.until is not None  # Then the days are the question.
    fits = [bounded or not is_noise(search.meaning.model, hit.cosine, hit.shares_words) for hit in there]
    near = [
        (hit.item, hit.score, max(share, hit.cosine or 0.0))
        for hit, share, fit in zip(there, shares, fits, strict=True)
        if fit or (with_neighbours and any(fits))
    ]
    if not near:
        return {}
    top = min(1.0, max(strength for _, _, strength in near))
    return {item: max(LEAST_NEAR, top * score / near[0][1]) for item, score, _ in near}
