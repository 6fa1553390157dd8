"""Recall: what is remembered that answers a question, now and as it was before."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import NamedTuple

import numpy as np
from sqlalchemy import case, false, literal, select
from sqlalchemy.orm import Session

from app import people
from app.clock import local
from app.memory import episodes, facts, index
from app.memory.facts import COLUMNS, standing_of
from app.memory.forgotten import findable, untouched
from app.memory.index import Floats, IndexQuery
from app.memory.index.documents import Kind
from app.memory.index.query import Meaning, Query, meaning, prepare
from app.memory.index.ranking import ALONE, BEST, by_words, is_noise, rank
from app.models import Episode, Fact, Message
from app.services import Services

MAX_FOUND = 20
LEAST_NEAR = 0.01  # Of what was found at all.
SECONDS = 3.0  # For the query's vector: who searches on purpose waits for it, but not as long as for an answer.
KINDS: tuple[Kind, ...] = ("episode", "fact", "message")


_FRESH_AT = case((Episode.last_used_at > Episode.ended_at, Episode.last_used_at), else_=Episode.ended_at)
_OF_EPISODES = (
    Episode.importance,
    literal(1.0).label("confidence"),
    false().label("pinned"),
    _FRESH_AT.label("fresh_at"),
)


@dataclass(frozen=True)
class FoundFact:
    """A fact that answers the question, as it is or as it was."""

    fact: Fact
    relevance: float  # 0 to 1, higher is nearer.
    archived: bool
    current: bool  # Whether it still holds: neither an earlier version, nor past its expiry.


@dataclass(frozen=True)
class FoundEpisode:
    episode: Episode
    relevance: float


@dataclass(frozen=True)
class FoundMessage:
    message: Message
    words: str  # Word for word, without what speaks of a thing that was forgotten since.
    relevance: float


@dataclass(frozen=True)
class Recalled:
    """What was found, of each kind the best first; empty is an answer."""

    facts: list[FoundFact] = field(default_factory=list)
    episodes: list[FoundEpisode] = field(default_factory=list)
    messages: list[FoundMessage] = field(default_factory=list)
    timezone: str = "UTC"
    by_words_alone: int = 0  # How many memories of these kinds, at most, could be found by their words alone.

    def __bool__(self) -> bool:
        return bool(self.facts or self.episodes or self.messages)


class Hit(NamedTuple):
    """One memory that answers a query."""

    item: int
    score: float  # Above 0, higher is better; only comparable within one ranking.
    cosine: float | None  # −1 to 1, comparable between questions of one embedder; None where there is no vector of it.
    shares_words: bool


@dataclass(frozen=True)
class Search:
    """One search of a person's memory, of any kind, at an instant."""

    person_id: int
    query: Query
    meaning: Meaning  # Of the query's own `meaning`; without a vector words decide alone.
    at: datetime
    limit: int
    since: date | None = None
    until: date | None = None
    """On the person's own calendar, both included: all else is left out. Days that the question names itself only lift
    what is of them."""

    def best(self, db: Session, kind: Kind, *, unasked: bool = False) -> tuple[list[Hit], int]:
        """The memories that answer the query, best first, `unasked` no archived one; and how many words alone find."""
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
        """How much each matters by itself, 0 for what is there no more; None for messages, which all stand alike."""
        if kind == "message":
            return None
        if kind == "fact":
            held = facts.is_live(self.at) if unasked else Fact.retired_at.is_(None)
            wanted = select(Fact.id, *COLUMNS).where(Fact.person_id == self.person_id, Fact.id.in_(items), held)
        else:
            live = (Episode.person_id == self.person_id, Episode.id.in_(items), Episode.retired_at.is_(None))
            wanted = select(Episode.id, *_OF_EPISODES).where(*live)
        rows = db.execute(wanted).all()
        stands = {row.id: standing_of(row, self.at) for row in rows}
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
    """Of each kind at most `limit` (1 to `MAX_FOUND`) memories that answer the query, by its words and its meaning.

    Archived facts are among them, and earlier versions of facts, found by their words: "where did I live before?".

    `since` and `until`, on the person's own calendar and both included, leave out all else but episodes that name one
    of these days. `deadline`, an instant of the clock in seconds, bounds how long the query's vector is waited for.
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
    earlier = untouched(db, search.person_id, facts.earlier(db, search.person_id))
    before = [one for one in earlier if _was_true(one, search, timezone)]
    # By the words of all together: how much a word tells depends on how many hold it.
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
    """Whether an earlier version was true at any time within the search's days."""
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
    # What was told on other days of what happened in these was looked for by nobody.
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
    said = {one.message_id: one.words for one in findable(db, search.person_id, Message.id.in_(by_id))}
    relevance = _relevance(search, hits, said, with_neighbours=True)
    return [FoundMessage(by_id[item], said[item], near) for item, near in relevance.items()]


def _relevance(
    search: Search, hits: Sequence[Hit], texts: Mapping[int, str], *, with_neighbours: bool = False
) -> dict[int, float]:
    """How near each is, 0 to 1, in the order of the ranking; what has nothing to do with the query is left out.

    The best is as near as its words or its meaning, the others as their scores are to its own. With neighbours, what
    stands beside an answer is kept though it shares nothing with the query.
    """
    there = [hit for hit in hits if hit.item in texts]
    shares = by_words(search.query.words, [texts[hit.item] for hit in there])
    bounded = search.since is not None or search.until is not None  # Then the days are what was asked for.
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
