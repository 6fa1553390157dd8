"""Recall in a turn: episodes that its texts bring back, to stand before them, and the facts that matter to them.

Nothing here may cost the person their answer: without a vector words decide, and whatever else breaks, there is no
memory of the past in this turn, and that is all. Reasons: docs/decisions/0021-recall-in-the-turn.md.
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
from app.memory.index.ranking import RARE_FEW, RARE_SHARE, is_shown, least_cosine, telling_words
from app.memory.recall import Search
from app.models import Episode, Fact, Message, Person, Turn
from app.services import Services

logger = logging.getLogger(__name__)

LOOK_SECONDS = 1.0  # For the vector. Longer, words alone answer sooner than the person loses patience.
LOOKED_THROUGH = 20  # Episodes, the best first, of which those that clear the floor are shown.
WORDS_MAX_CHARS = 1_600  # Of the texts to be searched with: a page that was forwarded is no question.
FACTS_A_LOOK = 8  # Of those that matter to a text: with the ones that always stand, about half of the room.
FACTS_KEPT = 12
ALL_SHOWN = 20  # So many facts are shown whatever the texts are about, as long as their tokens allow it.

# Made once: every turn asks.
_BEFORE = (
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
_HOLDS = select(Person.name, Person.timezone, _HAS_EPISODES, _ONE_FACT_MORE.scalar_subquery().is_not(None)).where(
    Person.id == bindparam("person")
)


Scale = Literal["", "meaning", "words", "days"]


@dataclass(frozen=True)
class Near:
    """How near something was to a text, or to an earlier one of its topic."""

    score: float
    """By `meaning`, a cosine: −1 to 1, higher is nearer. By `words`, a ranking's score: above 0, comparable within one
    look alone. By `days` 0: it happened when the text asks for, and nothing else was asked."""
    scale: Scale = ""  # Empty where it was not noted.
    floor: float | None = None  # What a cosine had to be at the least; None where none was asked.
    carried: bool = False  # Whether it stands there because of a turn before, and nobody looked for it in this one.

    @classmethod
    def carried_on(cls, row: Mapping[str, Any]) -> "Near":
        """What stands on an earlier turn, in this one."""
        return cls(row["score"], row.get("scale", ""), row.get("floor"), carried=True)

    def as_row(self, kind: str, number: int) -> dict[str, Any]:
        """As `Turn.recalled` keeps it."""
        row: dict[str, Any] = {"kind": kind, "id": number, "score": round(self.score, 3), "scale": self.scale}
        if self.floor is not None:
            row["floor"] = round(self.floor, 3)
        return row | ({"carried": True} if self.carried else {})


Scored = Mapping[int, Near]  # Numbers, each with how near it was, the best or the latest found first.
Found = tuple[tuple[Episode, Near], ...]  # Episodes that may be shown, the best first.


@dataclass(frozen=True)
class Recalled:
    """What a turn brought back, and why it looked or did not."""

    gate: str
    episodes: Found = ()  # Those that the conversation still shows are among them.
    facts: Scored = field(default_factory=dict)  # Those that matter to what is talked about.
    rules: Scored = field(default_factory=dict)
    milliseconds: float = 0.0

    @property
    def preferred(self) -> Preferred:
        return Preferred(tuple(self.facts), tuple(self.rules))

    def accounts(self, shown: Collection[int]) -> dict[str, Any]:
        """The columns of the turn that this fills, where the episodes of these numbers were shown."""
        told = [near.as_row("episode", one.number) for one, near in self.episodes if one.number in shown]
        for kind, found in (("fact", self.facts), ("rule", self.rules)):
            told += [near.as_row(kind, number) for number, near in found.items()]
        return {"recall_gate": self.gate, "recalled": told, "recall_ms": round(self.milliseconds, 1)}


NOTHING = Recalled("")


def recall(services: Services, turn: OpenTurn) -> Recalled:
    """What the turn's texts bring back; nothing where something breaks on the way."""
    if not turn.memory_on:
        return Recalled("memory off")
    began = services.clock.monotonic()
    with services.span("recall") as span:
        try:
            past = _recall(services, turn)
        except Exception:  # The person gets an answer, whatever broke: nothing past is worth as much as that.
            logger.exception("Turn %s goes on without what it would have brought back", turn.id)
            past = Recalled("failed")
        span.note(gate=past.gate, episodes=len(past.episodes), facts=len(past.facts), rules=len(past.rules))
    return replace(past, milliseconds=(services.clock.monotonic() - began) * 1000)


def _recall(services: Services, turn: OpenTurn) -> Recalled:
    now = services.clock.now()
    words = turn.words[:WORDS_MAX_CHARS]
    here = {"person": turn.person_id, "turn": turn.id, "conversation": turn.conversation_id, "now": now}
    with services.reading() as db:
        name, timezone, has_episodes, has_many_facts = db.execute(_HOLDS, here).one()
        before = db.execute(_BEFORE, here).all()
        held_rules = in_force(db, turn.person_id)
        crowded = [] if all_rules_fit(held_rules) else held_rules
        recalled_before = [tuple(row.recalled or ()) for row in before]
        facts, rules_ = (_carried(recalled_before, kind) for kind in ("fact", "rule"))
        local_now = local(now, timezone)
        sought = query.prepare(words, [name or ""], local_now)
        gate = query.to_recall(
            turn.words,
            [query.Before(said, (now - at).total_seconds(), reason or "") for _, reason, _, at, said in before],
            days=sought.days,
            today=local_now.toordinal(),
            holds_anything=has_episodes or has_many_facts or bool(crowded),
        )
        if gate not in query.LOOKED:
            again = _shown_shortly_before(db, turn, recalled_before) if gate in query.HELD else ()
            return Recalled(gate, again, facts=facts, rules=rules_)
    said_of = {number: Near(share, "words") for number, share in rules_about(crowded, words)}
    rules_ = _extended(rules_, said_of, RULES_KEPT)
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
        facts = _extended(facts, look.facts() if has_many_facts else {}, FACTS_KEPT)
    return Recalled(gate, shown, facts, rules_)


def _carried(recalled_before: Sequence[Sequence[Mapping[str, Any]]], kind: str) -> Scored:
    """What of a kind mattered in the turn before: it stays until other is found, so that what is cached stays."""
    last = recalled_before[0] if recalled_before else ()
    return {one["id"]: Near.carried_on(one) for one in last if one["kind"] == kind}


def _extended(kept: Scored, found: Scored, most: int) -> Scored:
    return dict(list({**found, **kept, **found}.items())[:most])


def _shown_shortly_before(db: Session, turn: OpenTurn, recalled_before: Sequence[Sequence[Mapping[str, Any]]]) -> Found:
    """What was shown for this topic, as it is now: what was forgotten meanwhile is not among it."""
    for recalled in recalled_before:
        near = {one["id"]: Near.carried_on(one) for one in recalled if one["kind"] == "episode"}
        if near:
            found = [(one, near[one.number]) for one in episodes.by_numbers(db, turn.person_id, near)]
            return tuple(sorted(found, key=lambda one: -one[1].score))
    return ()


@dataclass(frozen=True)
class _Look:
    """One look through what a person's memory holds."""

    db: Session
    turn: OpenTurn
    sought: query.Query
    means: query.Meaning
    now: datetime

    def episodes(self, *, asked_for: bool) -> Found:
        """The episodes that clear the floor, the best first."""
        person_id, model = self.turn.person_id, self.means.model
        hits, _ = Search(person_id, self.sought, self.means, self.now, LOOKED_THROUGH).best(self.db, "episode")
        held = {one.id: one for one in episodes.by_ids(self.db, person_id, [hit.item for hit in hits])}
        words = telling_words(self.sought.words)
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
            else:  # Where words decide, what shares fewer of them is there by chance beside what shares more.
                near, is_near = Near(score, "words"), is_near and shared == most_shared
            if is_near:
                found.append((held[item], near))
        return tuple(found)

    def of_asked_days(self, timezone: str) -> Found:
        """What happened in a few days that are past, the weightiest first, where a question asks for nothing else.

        That is what was told on them, and what was told on others and names one of them: "the plumber came yesterday".
        Such a question shares neither words nor a meaning with its answer.
        """
        today, days = local(self.now, timezone).toordinal(), self.sought.days
        if days is None or days[0] >= today or not query.asks_of_days_alone(self.sought.words):
            return ()
        first, last = date.fromordinal(days[0]), date.fromordinal(min(days[1], today))
        found = episodes.of_days(self.db, self.turn.person_id, first, last, timezone)
        found = [one for one in found if not self._heads_the_history(one)]
        return tuple((one, Near(0.0, "days")) for one in found[:LOOKED_THROUGH])

    def facts(self) -> Scored:
        """Those that matter to the texts, the nearest first."""
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
