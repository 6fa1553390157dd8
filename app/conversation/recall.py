"""Recall in a turn: episodes to show before the texts that bring them back, and facts and rules that matter to them.

A failure here never costs the person their answer: without a vector, words decide, and after any other error the turn
goes on without recall. Reasons: docs/decisions/0021-recall-in-the-turn.md.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Literal

from sqlalchemy import bindparam, exists, func, or_, select
from sqlalchemy.orm import Session

from app.clock import local
from app.conversation.claim import OpenTurn
from app.conversation.memory_shown import RULES_KEPT, Preferred, all_rules_fit, in_force, rules_about
from app.memory import episodes, index
from app.memory.facts import is_live
from app.memory.index import query
from app.memory.index.ranking import RARE_FEW, RARE_SHARE, distinctive_words, is_shown, least_cosine
from app.memory.recall import Search
from app.models import Episode, Fact, Message, Person, Turn
from app.services import Services

logger = logging.getLogger(__name__)

LOOK_SECONDS = 1.0  # The longest wait for the vector; after that words alone decide, before the person loses patience.
LOOKED_THROUGH = 20  # Best episodes to check against the floor.
WORDS_MAX_CHARS = 1_600  # Of the texts to search with: a forwarded page is no question.
FACTS_A_LOOK = 8  # Facts added because they matter to a text: with those always shown, about half of the room.
FACTS_KEPT = 12
ALL_SHOWN = 20  # This many facts are shown whatever the texts are about, if their tokens fit.

# Built once: every turn runs these.
_EARLIER_TURNS = (
    select(Turn.id, Turn.recall_gate, Turn.recalled, Turn.started_at, func.aggregate_strings(Message.body, "\n"))
    .join(Message, Message.turn_id == Turn.id)
    .where(Turn.person_id == bindparam("person"), Turn.id < bindparam("turn"), Turn.kind == "reply")
    .where(
        Turn.conversation_id == bindparam("conversation"),
        Turn.state == "done",
        Message.direction == "in",
        Turn.memory_on,
    )
    .group_by(Turn.id)
    .order_by(Turn.id.desc())
    .limit(query.WINDOW_TURNS)
)
_HAS_EPISODES = exists().where(
    Episode.person_id == bindparam("person"),
    Episode.retired_at.is_(None),
    or_(Episode.conversation_id != bindparam("conversation"), Episode.trigger != "compaction"),
)
_ONE_FACT_MORE = (
    select(Fact.id).where(Fact.person_id == bindparam("person"), is_live(bindparam("now"))).limit(1).offset(ALL_SHOWN)
)
_PERSON = select(Person.name, Person.timezone, _HAS_EPISODES, _ONE_FACT_MORE.scalar_subquery().is_not(None)).where(
    Person.id == bindparam("person")
)

Scale = Literal["", "meaning", "words", "days"]


@dataclass(frozen=True)
class Near:
    """The distance of a remembered thing from a text, or from an earlier text on the same topic."""

    score: float
    """By `meaning`, a cosine: −1 to 1, higher is nearer. By `words`, a ranking's score: above 0, comparable within one
    look only. By `days` always 0: it happened on the days that the text asks about, and nothing else was asked."""
    scale: Scale = ""  # Empty if it was not stored.
    floor: float | None = None  # The lowest cosine that was accepted; None if there was no floor.
    carried: bool = False  # True if an earlier turn found it and this one did not.

    @classmethod
    def carried_over(cls, row: Mapping[str, Any]) -> "Near":
        """The distance stored with an earlier turn, for use in this one."""
        return cls(row["score"], row.get("scale", ""), row.get("floor"), carried=True)

    def as_row(self, kind: str, number: int) -> dict[str, Any]:
        """The form in which `Turn.recalled` stores it."""
        row: dict[str, Any] = {"kind": kind, "id": number, "score": round(self.score, 3), "scale": self.scale}
        if self.floor is not None:
            row["floor"] = round(self.floor, 3)
        return row | ({"carried": True} if self.carried else {})


Scored = Mapping[int, Near]  # By number, the best or the latest found first.
Found = tuple[tuple[Episode, Near], ...]  # Episodes that may be shown, the best first.


@dataclass(frozen=True)
class Recalled:
    """The result of a turn's recall, with the gate's reason to search or not."""

    gate: str
    episodes: Found = ()  # They include those whose texts the conversation still shows.
    facts: Scored = field(default_factory=dict)  # Facts that matter to the topic.
    rules: Scored = field(default_factory=dict)
    milliseconds: float = 0.0

    @property
    def preferred(self) -> Preferred:
        return Preferred(tuple(self.facts), tuple(self.rules))

    def columns(self, shown: Collection[int]) -> dict[str, Any]:
        """Values for the turn's columns, given the numbers of the episodes that were shown."""
        told = [near.as_row("episode", one.number) for one, near in self.episodes if one.number in shown]
        for kind, found in (("fact", self.facts), ("rule", self.rules)):
            told += [near.as_row(kind, number) for number, near in found.items()]
        return {"recall_gate": self.gate, "recalled": told, "recall_ms": round(self.milliseconds, 1)}


def recall(services: Services, turn: OpenTurn) -> Recalled:
    """The memories that the turn's texts bring back; none if anything fails."""
    if not turn.memory_on:
        return Recalled("memory off")
    began = services.clock.monotonic()
    with services.span("recall") as span:
        try:
            past = _recall(services, turn)
        except Exception:  # An answer without recall is better than none.
            logger.exception("Turn %s goes on without what it would have brought back", turn.id)
            past = Recalled("failed")
        span.note(gate=past.gate, episodes=len(past.episodes), facts=len(past.facts), rules=len(past.rules))
    return replace(past, milliseconds=(services.clock.monotonic() - began) * 1000)


def _recall(services: Services, turn: OpenTurn) -> Recalled:
    now = services.clock.now()
    words = turn.words[:WORDS_MAX_CHARS]
    here = {"person": turn.person_id, "turn": turn.id, "conversation": turn.conversation_id, "now": now}
    with services.reading() as db:
        name, timezone, has_episodes, has_many_facts = db.execute(_PERSON, here).one()
        before = db.execute(_EARLIER_TURNS, here).all()
        held_rules = in_force(db, turn.person_id)
        crowded = [] if all_rules_fit(held_rules) else held_rules
        recalled_before = [tuple(row.recalled or ()) for row in before]
        facts, rules_ = (_carried(recalled_before, kind) for kind in ("fact", "rule"))
        if not (has_episodes or has_many_facts or crowded):
            return Recalled("nothing kept", facts=facts, rules=rules_)
        local_now = local(now, timezone)
        sought = query.prepare(words, [name or ""], local_now)
        gate = query.recall_reason(
            turn.words,
            [query.EarlierTurn(said, (now - at).total_seconds(), reason or "") for _, reason, _, at, said in before],
            days=sought.days,
            today=local_now.toordinal(),
        )
        if gate not in query.LOOKED:
            again = _shown_shortly_before(db, turn, recalled_before) if gate in query.HELD else ()
            return Recalled(gate, again, facts=facts, rules=rules_)
    said_of = {number: Near(share, "words") for number, share in rules_about(crowded, words)}
    rules_ = _merged(rules_, said_of, RULES_KEPT)
    if not (has_episodes or has_many_facts):
        return Recalled(gate, facts=facts, rules=rules_)
    if turn.deadline - services.clock.monotonic() <= query.LEAST_SECONDS:
        return Recalled("no time", facts=facts, rules=rules_)
    means = query.meaning(services, sought.meaning, seconds=LOOK_SECONDS, until=turn.deadline - query.LEAST_SECONDS)
    asked_for = gate in query.ASKED_FOR
    with services.reading() as db:
        look = _Look(db, turn, sought, means, now)
        shown = (look.of_asked_days(timezone) if asked_for else ()) or (
            look.episodes(asked_for=asked_for) if has_episodes else ()
        )
        facts = _merged(facts, look.facts() if has_many_facts else {}, FACTS_KEPT)
    return Recalled(gate, shown, facts, rules_)


def _carried(recalled_before: Sequence[Sequence[Mapping[str, Any]]], kind: str) -> Scored:
    """Things of one kind that mattered in the turn before; they stay until others are found, to keep the cache."""
    last = recalled_before[0] if recalled_before else ()
    return {one["id"]: Near.carried_over(one) for one in last if one["kind"] == kind}


def _merged(kept: Scored, found: Scored, most: int) -> Scored:
    return dict(list({**found, **kept, **found}.items())[:most])


def _shown_shortly_before(db: Session, turn: OpenTurn, recalled_before: Sequence[Sequence[Mapping[str, Any]]]) -> Found:
    """Episodes last shown for this topic, as they are now; those forgotten meanwhile are left out."""
    for recalled in recalled_before:
        near = {one["id"]: Near.carried_over(one) for one in recalled if one["kind"] == "episode"}
        if near:
            found = [(one, near[one.number]) for one in episodes.by_numbers(db, turn.person_id, near)]
            return tuple(sorted(found, key=lambda one: -one[1].score))
    return ()


@dataclass(frozen=True)
class _Look:
    """One search of a person's memory."""

    db: Session
    turn: OpenTurn
    sought: query.Query
    means: query.Meaning
    now: datetime

    def episodes(self, *, asked_for: bool) -> Found:
        """Episodes that clear the floor, the best first."""
        person_id, model = self.turn.person_id, self.means.model
        hits, _ = Search(person_id, self.sought, self.means, self.now, LOOKED_THROUGH).best(self.db, "episode")
        held = {one.id: one for one in episodes.by_ids(self.db, person_id, [hit.item for hit in hits])}
        words = distinctive_words(self.sought.words)
        rare = index.sharing_rare_words(self.db, person_id, "episode", words, share=RARE_SHARE, few=RARE_FEW)
        most_shared = max((rare.get(hit.item, 0) for hit in hits), default=0)
        found = []
        for item, score, cosine, _ in hits:
            if item not in held or self._heads_the_history(held[item]):
                continue
            shared = rare.get(item, 0)
            is_near = is_shown(model, cosine, shared, asked_for=asked_for)
            if cosine is not None:
                near = Near(cosine, "meaning", least_cosine(model, shared, asked_for=asked_for))
            else:  # If words decide, an episode that shares fewer rare ones than the best is there by chance.
                near, is_near = Near(score, "words"), is_near and shared == most_shared
            if is_near:
                found.append((held[item], near))
        return tuple(found)

    def of_asked_days(self, timezone: str) -> Found:
        """Episodes of the past days that a question asks about, the weightiest first; none if it asks for more.

        They were told on those days, or told later and name one of them: "the plumber came yesterday".
        Such a question shares neither words nor meaning with its answer.
        """
        today, days = local(self.now, timezone).toordinal(), self.sought.days
        if days is None or days[0] >= today or not query.asks_only_of_days(self.sought.words):
            return ()
        first, last = date.fromordinal(days[0]), date.fromordinal(min(days[1], today))
        found = episodes.of_days(self.db, self.turn.person_id, first, last, timezone)
        found = [one for one in found if not self._heads_the_history(one)]
        return tuple((one, Near(0.0, "days")) for one in found[:LOOKED_THROUGH])

    def facts(self) -> Scored:
        """Facts that matter to the texts, the nearest first."""
        person_id = self.turn.person_id
        hits, _ = Search(person_id, self.sought, self.means, self.now, FACTS_A_LOOK).best(self.db, "fact", unasked=True)
        held = select(Fact.id, Fact.number).where(Fact.person_id == person_id, Fact.id.in_([hit.item for hit in hits]))
        numbers = dict(self.db.execute(held).all())
        return {
            numbers[item]: Near(score, "words") if cosine is None else Near(cosine, "meaning")
            for item, score, cosine, _ in hits
            if item in numbers
        }

    def _heads_the_history(self, episode: Episode) -> bool:
        return episode.conversation_id == self.turn.conversation_id and episode.trigger == "compaction"
