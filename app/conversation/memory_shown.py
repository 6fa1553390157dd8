"""A person's memory as the model is shown it: facts and rules in their blocks, and what was recalled of the past."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import NamedTuple, cast
from xml.sax.saxutils import escape

from sqlalchemy import Table, bindparam, select
from sqlalchemy.orm import Session

from app import prompts
from app.clock import local
from app.memory import facts
from app.memory.facts import Known
from app.memory.facts.categories import PASSING_TOPICS, TOPIC_WORDS, is_constraint
from app.models import Episode, Person, Rule
from app.services import Services
from app.text.secrets import without_despair
from app.text.wording import BEGUN, SAYS_LITTLE, TASTES, holds, subjects


def estimate_tokens(text: str) -> int:
    """Tokens of a text, seldom too few: one for three bytes of UTF-8; Claude's tokenizer is not published.

    English has about four bytes a token; scripts of three-byte characters about one token a character.
    """
    return -(-len(text.encode("utf-8", "replace")) // 3)


MEMORY_MAX_TOKENS = 500  # Product F6: memory never crowds out the conversation, nor costs more than a few texts.
LOOKED_AT = 250  # Facts of which those to be shown are chosen: four times as many as have room, in about a millisecond.
PROCEDURES_MAX_TOKENS = 300  # Below what facts get: a rule is a short sentence, and most people have a handful.
RULES_A_LOOK = 4  # Of those that matter to a text: with the ones that always hold, about half of the room.
RULES_KEPT = 8

MOST_CHARACTERS = 16  # Of a sentence that parts no words.
_UNSPACED = "\u3040"  # Where the scripts of China, Japan and Korea begin.
_TOPIC_OF = {word[:BEGUN]: f"topic {topic}" for topic in sorted(PASSING_TOPICS) for word in TOPIC_WORDS[topic].split()}
_TASTE = "a taste"

_PROCEDURES_FRAME = estimate_tokens("<procedures>\n</procedures>\n")
MOST_EPISODES = 3
EPISODES_MAX_TOKENS = 600
LEAST_OF_NARRATIVE = 60  # Tokens: less of it says nothing that the summary does not.

_EPISODE_FRAME = (
    '  <episode id="ep{number}" timestamp="2026-01-22 09:30">\n    <summary>{summary}</summary>\n'
    "    <narrative>{narrative}</narrative>\n  </episode>\n"
)
_AROUND_EPISODES = estimate_tokens("<relevant_episodes>\n</relevant_episodes>\n")
_MARK = "\n[{left_out:,} characters are left out here, because the text is too long to be shown whole.]\n"
_MARK_TOKENS = estimate_tokens(_MARK.format(left_out=10**9))
_HALF_WORD_CHARS = 100  # A longer run without a space is no word, and is cut where the room ends.


_ROWS = cast("Table", Rule.__table__)
_IN_FORCE = (
    select(_ROWS.c.number, _ROWS.c.trigger_kind, _ROWS.c.trigger, _ROWS.c.procedure)
    .where(_ROWS.c.person_id == bindparam("person"), _ROWS.c.retired_at.is_(None), _ROWS.c.state == "active")
    .order_by(_ROWS.c.number)
)
"""On the table and not on the class: every turn asks twice."""


class InForce(NamedTuple):
    """As much of a rule that holds as a turn needs."""

    number: int
    trigger_kind: str
    trigger: str | None
    procedure: str


@dataclass(frozen=True)
class Preferred:
    """Numbers of what matters to the texts of a turn, the nearest first: shown where there is no room for all."""

    facts: tuple[int, ...] = ()
    rules: tuple[int, ...] = ()


NOTHING_PREFERRED = Preferred()


@dataclass(frozen=True)
class Memory:
    """A person's memory at one moment."""

    block: str  # `<user_memory>` in the contract's exact form, and `<procedures>` after it where there are rules.
    timezone: str
    person_key: str
    shown: tuple[Known, ...]  # The facts that stand in the block, by number.
    held: int  # How many are live.
    rules: tuple[InForce, ...]  # All rules that hold, by number, whether they stand in the block or not.
    preferred: Preferred


def remembered(
    services: Services, person_id: int, *, memory_on: bool, preferred: Preferred = NOTHING_PREFERRED
) -> Memory:
    """The person's memory now: built anew after each change, within `MEMORY_MAX_TOKENS`, and the rules within theirs.

    Of more facts than there is room for, those that lead (pinned, and constraints) come first, then the preferred, by
    their numbers, then what matters most. Rules are memory: with memory off none holds.
    """
    with services.reading() as db:
        return remembered_of(db, db.get_one(Person, person_id), services.clock.now(), preferred, memory_on=memory_on)


def remembered_of(
    db: Session, person: Person, now: datetime, preferred: Preferred = NOTHING_PREFERRED, *, memory_on: bool
) -> Memory:
    """As `remembered`, of a person whose row is read already."""

    def block(shown: Sequence[Known]) -> str:
        name = person.name if memory_on else None
        sentences = [as_sentence(fact.sentence) for fact in shown]
        return prompts.render("user_memory", name=name, timezone=person.timezone, facts=sentences)

    known = varied(facts.foremost(db, person.id, LOOKED_AT, now)) if memory_on else []
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


def varied(facts: Sequence[Known]) -> list[Known]:
    """The facts so that those that say much the same as better ones stand after those that say something new.

    `facts` stand by how much they matter, and those that lead stay first. Each other has a level, by how often on
    average its words stand in facts before it: 0, 1, 2 to 3, 4 to 7 and so on. A taste counts as one more taste, and as
    one more of its topic, so that a latte comes after espressos.

    Source: H. Lin and J. Bilmes, A Class of Submodular Functions for Document Summarization, 2011.
    """
    told: defaultdict[str, int] = defaultdict(int)
    keys_of: dict[str, tuple[str, ...]] = {}
    leading, levels = [], list[list[Known]]()
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
    """What a word is counted as: its beginning, and what it is a taste of; its characters where they are not parted."""
    if word[0] >= _UNSPACED:
        return tuple(word[:MOST_CHARACTERS])
    begun = word[:BEGUN]
    if begun in TASTES:
        return (_TASTE,)
    if begun in SAYS_LITTLE:
        return ()
    return (begun, _TOPIC_OF[begun]) if begun in _TOPIC_OF else (begun,)


def choose(facts: Sequence[Known], *, max_tokens: int) -> list[Known]:
    """The facts to show within `max_tokens`: each that has room, those that matter most first.

    They stand by number, whatever their rank, so that the model's cached prefix survives from turn to turn.
    """
    room = max_tokens
    chosen = []
    for fact in facts:
        cost = estimate_tokens(escape(fact.sentence) + ". ")  # As the prompt writes it: `&` takes five characters.
        if cost <= room:
            room -= cost
            chosen.append(fact)
    return sorted(chosen, key=lambda fact: fact.number)


def as_sentence(sentence: str) -> str:
    """A fact as it stands in the block."""
    return sentence if sentence.endswith((".", "!", "?", "…")) else sentence + "."


def in_force(db: Session, person_id: int) -> list[InForce]:
    """The rules that hold now, by number: neither paused ones nor those that wait for a yes."""
    return [InForce(*row) for row in db.connection().execute(_IN_FORCE, {"person": person_id})]


def _rules_with_room(rules: Sequence[InForce], preferred: Sequence[int]) -> list[InForce]:
    """The rules that have room in the block: those that always hold first, then the others, each by number.

    Where there is no room for all, what must never be missed leads (allergies, "never suggest …"), then the
    `preferred`, by their numbers, then the latest. The order of what is shown does not depend on that, so that the
    model's cached prefix survives from turn to turn.
    """
    place = {number: at for at, number in enumerate(preferred)}

    def weight(rule: InForce) -> tuple[bool, bool, int, int]:
        order = place.get(rule.number, len(place))
        return rule.trigger_kind != "always", not is_constraint(rule.procedure), order, -rule.number

    room = PROCEDURES_MAX_TOKENS - _PROCEDURES_FRAME
    chosen = []
    for rule in sorted(rules, key=weight):
        cost = _rule_cost(rule)
        if cost <= room:
            room -= cost
            chosen.append(rule)
    return sorted(chosen, key=lambda rule: (rule.trigger_kind != "always", rule.number))


def all_rules_fit(rules: Sequence[InForce]) -> bool:
    return sum(map(_rule_cost, rules)) <= PROCEDURES_MAX_TOKENS - _PROCEDURES_FRAME


def rules_called_for(rules: Sequence[InForce], words: str) -> list[InForce]:
    """The rules whose phrase these words hold, by number."""
    return [rule for rule in rules if rule.trigger_kind == "phrase" and holds(words, rule.trigger or "")]


def rules_about(rules: Sequence[InForce], words: str) -> list[tuple[int, float]]:
    """Numbers of the rules that share a word with a text, each with the share of its words, 0 to 1; the best first."""
    said, shares = subjects(words), []
    for rule in rules:
        of_rule = subjects(f"{rule.trigger or ''} {rule.procedure}")
        if of_rule & said:
            shares.append((rule.number, len(of_rule & said) / len(of_rule)))
    return sorted(shares, key=lambda one: (-one[1], one[0]))[:RULES_A_LOOK]


def _rule_cost(rule: InForce) -> int:
    """Tokens of the rule's line, as the prompt writes it."""
    trigger = f' {rule.trigger_kind}="{prompts.attribute(rule.trigger)}"' if rule.trigger else ""
    return estimate_tokens(f"  <rule{trigger}>{escape(rule.procedure)}</rule>\n")


@dataclass(frozen=True)
class ShownEpisode:
    """An episode, and what of it the prompt shows."""

    episode: Episode
    fields: dict[str, str]
    tokens: int  # What that takes, estimated.


def episodes_with_room(found: Sequence[Episode], timezone: str) -> list[ShownEpisode]:
    """The best of them that fit, without what was said in despair; too long a narrative is shown by its ends."""
    room = EPISODES_MAX_TOKENS - _AROUND_EPISODES
    chosen: list[ShownEpisode] = []
    for episode in found:
        summary, narrative = map(without_despair, (episode.summary, episode.narrative))
        left = room - _episode_cost(episode, summary, "")
        written = estimate_tokens(escape(narrative))
        if written > left:  # As much of it as takes that room once it is escaped.
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
    """Tokens, as the prompt writes it: `&` takes five characters there."""
    return estimate_tokens(
        _EPISODE_FRAME.format(number=episode.number, summary=escape(summary), narrative=escape(narrative))
    )


def shortened(text: str, max_tokens: int) -> str:
    """The text whole when it takes at most `max_tokens`; else as much of both its ends, and what is left out between.

    Half the room goes to either end: "Sum this up:" stands before what was forwarded, "What do you think?" after it.
    Words are not cut: half of a number would be read as another number.
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
