"""The judgement whether a new sentence may stand in the place of an old fact: pure.

People correct themselves in words that the old fact does not hold ("two coffees a day" becomes "quit caffeine"), and
the old version stays as history, so that a mistake can be undone. A new sentence is therefore turned away only where
something speaks for another subject, never for want of a shared word.
"""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

from app.memory.facts.categories import is_constraint, topic_of
from app.models import Fact
from app.text.wording import (
    MEASURES,
    MEDICATION,
    family,
    normalise,
    overlap,
    same_question,
    subjects,
    things,
)

NEARER = 0.5  # Beyond this overlap a known fact, sharing what the one named does not share, is plainly the one meant.

TOPIC_WORDS: dict[str, str] = tomllib.loads(Path(__file__).with_name("topics.toml").read_text(encoding="utf-8"))
"""What facts are about, by words that give it away."""

_TOPICS_OF = {
    stem: frozenset(topic for topic, words in TOPIC_WORDS.items() if stem in subjects(words))
    for stem in subjects(" ".join(TOPIC_WORDS.values()))
}

# What a constraint constrains. Losing one hurts, so it gives way only to a sentence about the same.
_CONSTRAINED = {
    topic: re.compile(words, re.IGNORECASE)
    for topic, words in {
        "allergy": r"\b(allerg\w*|intoleran\w*|anaphyla\w*|coeliac|celiac|"
        r"(cannot|can['’]?t|do(es)?( not|n['’]?t)) (eat|have|drink))\b",
        "diet": r"\b(vegan|vegetarian|pescatarian|halal|kosher|diet|keto|"
        r"(cannot|can['’]?t|do(es)?( not|n['’]?t)) eat)\b",
        "health": rf"\b(?:diabet\w*|wheelchair|pregnan\w*)\b|{MEDICATION.pattern}",
        "contact": r"\b(quiet hours|(do(es)? not|never) (call|text|mention))\b",
    }.items()
}
_CONSTRAINTS = frozenset({*_CONSTRAINED, "pronouns"})
_OF_ONE = frozenset("age birthday home origin pronouns work".split())  # A sister's job says nothing of the person's.

# Verbs that say next to nothing of what follows them: "has a dog", "takes the train".
_VAGUE = subjects("have has had is was want need use go get take make keep plan feel own favorite favourite")
_BEFORE_THE_VERB = frozenset("does do did not no longer never now also really still currently usually often".split())

_BEFORE_KIN = frozenset("his her their my the older younger oldest youngest elder eldest big little twin late".split())
_FACET = re.compile(r"^(\w+(?: \w+){0,2}) (?:is|are|was) \S", re.IGNORECASE)


def shares_a_thing(old: str, new: str) -> bool:
    """Whether both name a thing, or answer the same question that has one answer at a time, about the same one."""
    shared = _telling(old) & _telling(new)
    if whose(old) == whose(new):
        return bool(shared) or same_question(old, new)
    return bool(shared - subjects("live work"))


def is_another(old: str, old_category: str | None, new: str, new_category: str | None) -> bool:
    """Whether something speaks for another subject in two sentences that share no thing."""
    before, after = topics(old, old_category), topics(new, new_category)
    if is_constraint(old, old_category):
        return not before & after & _CONSTRAINTS
    if before & after:
        return whose(old) != whose(new) and bool(before & after & _OF_ONE)
    if is_constraint(new, new_category):
        return True
    if _verb(old) is not None and _verb(old) == _verb(new):
        return False
    return bool(before and after) or _other_facet(old, new)


def topics(sentence: str, category: str | None) -> frozenset[str]:
    """What the sentence is about: `food`, `family`, `health` and so on, as far as its words give that away."""
    found = {topic for word in subjects(sentence) for topic in _TOPICS_OF.get(word, ())}
    found |= {topic for topic, words in _CONSTRAINED.items() if words.search(sentence)}
    given = {family(sentence), topic_of(category)}
    return frozenset(topic for topic in found | given if topic is not None)


def nearest(new: str, known: Sequence[Fact]) -> Fact | None:
    """Of facts other than the one named, the one that the sentence is plainly about, if there is such a one."""
    said = _telling(new)
    best = max(known, key=lambda fact: overlap(_telling(fact.sentence), said), default=None)
    if best is not None and overlap(_telling(best.sentence), said) > NEARER:
        return best
    if family(new) == "partner":  # Much is told of a partner, and little of it replaces the rest.
        return None
    return next((one for one in known if same_question(one.sentence, new) and shares_a_thing(one.sentence, new)), None)


def _telling(sentence: str) -> frozenset[str]:
    return frozenset(word for word in things(sentence) - MEASURES if not word.isdigit())


def whose(sentence: str) -> str | None:
    """Who in the person's life the sentence begins with: *sister* in *Sister Ana lives in Lima*."""
    words = [word for word in normalise(sentence).split()[:3] if word not in _BEFORE_KIN]
    for stem in subjects(words[0]) if words else ():
        if _TOPICS_OF.get(stem, frozenset()) & {"family", "pets"}:
            return stem
    return None


def _verb(sentence: str) -> str | None:
    """The verb that the sentence begins with, when it says something."""
    words = [word for word in normalise(sentence).split() if word not in _BEFORE_THE_VERB]
    said = subjects(words[0]) - _VAGUE if words else frozenset()
    return next(iter(said), None)


def _other_facet(old: str, new: str) -> bool:
    """Whether both give the value of something, each of something else: *shoe size is 42*, *favorite color is red*."""
    before, after = _FACET.match(old), _FACET.match(new)
    return before is not None and after is not None and not things(before[1]) & things(after[1])
