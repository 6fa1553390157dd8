"""A person's memory in the form the model sees: blocks of facts and rules, and recalled episodes."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import NamedTuple, TypeVar, cast
from xml.sax.saxutils import escape

from sqlalchemy import Table, bindparam, select
from sqlalchemy.orm import Session

from app import prompts
from app.clock import local
from app.memory import facts
from app.memory.facts import KnownFact
from app.memory.facts.categories import PASSING_TOPICS, TOPIC_WORDS, is_constraint
from app.models import Episode, Person, Rule
from app.services import Services
from app.text.secrets import without_despair
from app.text.wording import BEGUN, SAYS_LITTLE, TASTES, contains_phrase, subjects

T = TypeVar("T")


def estimate_tokens(text: str) -> int:
    """Estimated tokens of a text, seldom too few: one per three bytes of UTF-8, as Claude's tokenizer is not published.

    English has about four bytes per token; scripts with three-byte characters have about one token per character.
    """
    return -(-len(text.encode("utf-8", "replace")) // 3)


MEMORY_MAX_TOKENS = 500  # Product F6: memory never crowds out the conversation, nor costs more than a few texts.
LOOKED_AT = 250  # Facts to choose from: four times as many as fit; choosing takes about a millisecond.
PROCEDURES_MAX_TOKENS = 300  # Less than facts get: a rule is a short sentence, and most people have a handful.
RULES_A_LOOK = 4  # Rules added because they matter to a text: with those that always hold, about half of the room.
RULES_KEPT = 8

MOST_CHARACTERS = 16  # Counted of a sentence in a script without spaces.
_UNSPACED = "\u3040"  # The first character of the Chinese, Japanese and Korean scripts.
_TOPIC_OF = {word[:BEGUN]: f"topic {topic}" for topic in sorted(PASSING_TOPICS) for word in TOPIC_WORDS[topic].split()}
_TASTE = "a taste"

_PROCEDURES_FRAME = estimate_tokens("<procedures>\n</procedures>\n")
MOST_EPISODES = 3
EPISODES_MAX_TOKENS = 600
LEAST_OF_NARRATIVE = 60  # Tokens: a shorter piece says nothing that the summary does not.

_EPISODE_FRAME = (
    '  <episode id="ep{number}" timestamp="2026-01-22 09:30">\n    <summary>{summary}</summary>\n'
    "    <narrative>{narrative}</narrative>\n  </episode>\n"
)
_AROUND_EPISODES = estimate_tokens("<relevant_episodes>\n</relevant_episodes>\n")
_MARK = "\n[{left_out:,} characters are left out here, because the text is too long to be shown whole.]\n"
_MARK_TOKENS = estimate_tokens(_MARK.format(left_out=10**9))
_HALF_WORD_CHARS = 100  # A longer run without a space is no word, and is cut at the limit.

_ROWS = cast("Table", Rule.__table__)
_IN_FORCE = (
    select(_ROWS.c.number, _ROWS.c.trigger_kind, _ROWS.c.trigger, _ROWS.c.procedure)
    .where(_ROWS.c.person_id == bindparam("person"), _ROWS.c.retired_at.is_(None), _ROWS.c.state == "active")
    .order_by(_ROWS.c.number)
)
"""It selects from the table and not from the class because every turn runs it twice."""


class InForce(NamedTuple):
    """The fields of a rule in force that a turn needs."""

    number: int
    trigger_kind: str
    trigger: str | None
    procedure: str


@dataclass(frozen=True)
class Preferred:
    """Numbers of facts and rules that matter to a turn's texts, the nearest first; they go first if not all fit."""

    facts: tuple[int, ...] = ()
    rules: tuple[int, ...] = ()


@dataclass(frozen=True)
class Memory:
    """A person's memory at one moment."""

    block: str  # `<user_memory>` in the contract's exact form, followed by `<procedures>` if there are rules.
    timezone: str
    person_key: str
    shown: tuple[KnownFact, ...]  # The facts in the block, by number.
    held: int  # The number of live facts.
    rules: tuple[InForce, ...]  # All rules in force, by number, also those that did not fit into the block.
    preferred: Preferred


def load_memory(services: Services, person_id: int, preferred: Preferred, *, memory_on: bool) -> Memory:
    """The person's memory now: facts within `MEMORY_MAX_TOKENS`, rules within `PROCEDURES_MAX_TOKENS`.

    If not all facts fit, those that lead (pinned ones and constraints) come first, then the preferred, then those that
    matter most. Rules are memory too: with memory off none is in force.
    """
    with services.reading() as db:
        return load_memory_of(db, db.get_one(Person, person_id), services.clock.now(), preferred, memory_on=memory_on)


def load_memory_of(db: Session, person: Person, now: datetime, preferred: Preferred, *, memory_on: bool) -> Memory:
    """The same as `load_memory`, for a person whose row is loaded."""

    def block(shown: Sequence[KnownFact]) -> str:
        name = person.name if memory_on else None
        sentences = [as_sentence(fact.sentence) for fact in shown]
        return prompts.render("user_memory", name=name, timezone=person.timezone, facts=sentences)

    known = varied(facts.most_important(db, person.id, LOOKED_AT, now)) if memory_on else []
    if preferred.facts and memory_on:
        leading = [one for one in known if one.leads]
        first = {one.id: one for one in (*leading, *facts.known(db, person.id, preferred.facts, now))}
        known = [*first.values(), *(one for one in known if one.id not in first)]
    shown = choose(known, max_tokens=MEMORY_MAX_TOKENS - estimate_tokens(block([])))
    rules = in_force(db, person.id) if memory_on else []
    with_room = _rules_with_room(rules, preferred.rules)
    written = prompts.render("user_rules", rules=with_room) if with_room else ""
    return Memory(
        block="\n".join(filter(None, (block(shown), written))),
        timezone=person.timezone,
        person_key=person.key,
        shown=tuple(shown),
        held=len(known) if len(known) < LOOKED_AT else facts.count_live(db, person.id, now),
        rules=tuple(rules),
        preferred=preferred,
    )


def varied(facts: Sequence[KnownFact]) -> list[KnownFact]:
    """The facts reordered: those that repeat better ones come after those that say something new.

    `facts` are sorted by how much they matter, and leading ones stay first. Every other gets a level from the average
    number of times its words occur in the facts before it: 0, 1, 2 to 3, 4 to 7 and so on. A taste also counts as its
    topic, so that a latte comes after espressos.

    Source: H. Lin and J. Bilmes, A Class of Submodular Functions for Document Summarization, 2011.
    """
    told: defaultdict[str, int] = defaultdict(int)
    keys_of: dict[str, tuple[str, ...]] = {}
    leading, levels = [], list[list[KnownFact]]()
    for fact in facts:
        times = count = 0
        for word in fact.normalised.split():
            keys = keys_of.get(word)
            if keys is None:
                keys = keys_of[word] = _keys(word)
            for key in keys:
                times += told[key]
                told[key] += 1
                count += 1
        if fact.leads:
            leading.append(fact)
            continue
        level = (times // count).bit_length() if count else 0
        while len(levels) <= level:
            levels.append([])
        levels[level].append(fact)
    return [*leading, *chain.from_iterable(levels)]


def _keys(word: str) -> tuple[str, ...]:
    """Keys to count a word by: its beginning and its topic; its characters, in a script without spaces."""
    if word[0] >= _UNSPACED:
        return tuple(word[:MOST_CHARACTERS])
    begun = word[:BEGUN]
    if begun in TASTES:
        return (_TASTE,)
    if begun in SAYS_LITTLE:
        return ()
    return (begun, _TOPIC_OF[begun]) if begun in _TOPIC_OF else (begun,)


def choose(facts: Sequence[KnownFact], *, max_tokens: int) -> list[KnownFact]:
    """The facts that fit into `max_tokens`, taken in the given order.

    They are returned by number, whatever their rank, so that the model's cached prefix survives from turn to turn.
    """
    # The prompt escapes a sentence: `&` takes five characters.
    chosen = _that_fit(facts, lambda fact: estimate_tokens(escape(fact.sentence) + ". "), max_tokens)
    return sorted(chosen, key=lambda fact: fact.number)


def _that_fit(ones: Iterable[T], tokens_of: Callable[[T], int], max_tokens: int) -> list[T]:
    """Those that fit into `max_tokens`, taken in the given order; after one that does not fit, others still may."""
    chosen = []
    for one in ones:
        if (tokens := tokens_of(one)) <= max_tokens:
            max_tokens -= tokens
            chosen.append(one)
    return chosen


def as_sentence(sentence: str) -> str:
    """The fact with a full stop, as the block shows it."""
    return sentence if sentence.endswith((".", "!", "?", "…")) else sentence + "."


def in_force(db: Session, person_id: int) -> list[InForce]:
    """The rules in force, by number; paused ones and those that wait for a yes are not."""
    return [InForce(*row) for row in db.connection().execute(_IN_FORCE, {"person": person_id})]


def _rules_with_room(rules: Sequence[InForce], preferred: Sequence[int]) -> list[InForce]:
    """The rules that fit into the block: those that always hold first, then the others, both by number.

    If not all fit, rules that must never be missed win (allergies, "never suggest …"), then the `preferred`, then the
    latest. The order shown does not depend on that, so that the model's cached prefix survives from turn to turn.
    """
    place = {number: at for at, number in enumerate(preferred)}

    def weight(rule: InForce) -> tuple[bool, bool, int, int]:
        order = place.get(rule.number, len(place))
        return rule.trigger_kind != "always", not is_constraint(rule.procedure), order, -rule.number

    chosen = _that_fit(sorted(rules, key=weight), _rule_cost, PROCEDURES_MAX_TOKENS - _PROCEDURES_FRAME)
    return sorted(chosen, key=lambda rule: (rule.trigger_kind != "always", rule.number))


def all_rules_fit(rules: Sequence[InForce]) -> bool:
    return sum(map(_rule_cost, rules)) <= PROCEDURES_MAX_TOKENS - _PROCEDURES_FRAME


def triggered_rules(rules: Sequence[InForce], words: str) -> list[InForce]:
    """Rules whose trigger phrase occurs in these words, by number."""
    return [rule for rule in rules if rule.trigger_kind == "phrase" and contains_phrase(words, rule.trigger or "")]


def rules_about(rules: Sequence[InForce], words: str) -> list[tuple[int, float]]:
    """Numbers of rules that share words with a text, each with the share of its own words, 0 to 1; best first."""
    said, shares = subjects(words), []
    for rule in rules:
        of_rule = subjects(f"{rule.trigger or ''} {rule.procedure}")
        if of_rule & said:
            shares.append((rule.number, len(of_rule & said) / len(of_rule)))
    return sorted(shares, key=lambda one: (-one[1], one[0]))[:RULES_A_LOOK]


def _rule_cost(rule: InForce) -> int:
    """Estimated tokens of the rule's line in the prompt."""
    trigger = f' {rule.trigger_kind}="{prompts.attribute(rule.trigger)}"' if rule.trigger else ""
    return estimate_tokens(f"  <rule{trigger}>{escape(rule.procedure)}</rule>\n")


@dataclass(frozen=True)
class ShownEpisode:
    """An episode, and the parts of it that the prompt shows."""

    episode: Episode
    fields: dict[str, str]
    tokens: int  # The estimated size of those parts.


def episodes_with_room(found: Sequence[Episode], timezone: str) -> list[ShownEpisode]:
    """The best episodes that fit, without words of despair; a narrative that is too long keeps its two ends."""
    room = EPISODES_MAX_TOKENS - _AROUND_EPISODES
    chosen: list[ShownEpisode] = []
    for episode in found:
        summary, narrative = map(without_despair, (episode.summary, episode.narrative))
        left = room - _episode_cost(episode, summary, "")
        written = estimate_tokens(escape(narrative))
        if written > left:  # Shortened so that it fits once it is escaped.
            narrative = shortened(narrative, left * estimate_tokens(narrative) // written)
            narrative = narrative if left >= LEAST_OF_NARRATIVE else ""
        cost = _episode_cost(episode, summary, narrative)
        if len(chosen) == MOST_EPISODES or not summary or not narrative or cost > room:
            continue
        room -= cost
        at = local(episode.started_at, timezone)
        fields = {"id": episode.name, "timestamp": f"{at:%Y-%m-%d %H:%M}", "summary": summary}
        chosen.append(ShownEpisode(episode, {**fields, "narrative": narrative}, cost))
    return chosen


def _episode_cost(episode: Episode, summary: str, narrative: str) -> int:
    """Estimated tokens of the episode in the prompt, where `&` takes five characters."""
    return estimate_tokens(
        _EPISODE_FRAME.format(number=episode.number, summary=escape(summary), narrative=escape(narrative))
    )


def shortened(text: str, max_tokens: int) -> str:
    """The whole text if it takes at most `max_tokens`; else its two ends, with a mark for the part left out.

    Each end gets half the room: "Sum this up:" stands before a forwarded page, "What do you think?" after it.
    Words are not cut, because half a number would read as another number.
    """
    if estimate_tokens(text) <= max_tokens:
        return text
    room = max(max_tokens - _MARK_TOKENS, 0) // 2
    head = re.sub(rf"\S{{1,{_HALF_WORD_CHARS}}}$", "", _beginning(text, room)).rstrip()
    tail = re.sub(rf"^\S{{1,{_HALF_WORD_CHARS}}}", "", _beginning(text[::-1], room)[::-1]).lstrip()
    return head + _MARK.format(left_out=len(text) - len(head) - len(tail)) + tail


def _beginning(text: str, max_tokens: int) -> str:
    fits = bisect_right(range(len(text) + 1), max_tokens, key=lambda chars: estimate_tokens(text[:chars]))
    return text[: fits - 1]
