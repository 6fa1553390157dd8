"""Likeness, subject and contradiction of two sentences that are true of one person: pure.

People correct themselves in words that the old fact does not hold ("two coffees a day" becomes "quit caffeine"), and
the old version stays as history, so that a mistake can be undone. A new sentence is therefore turned away only where
something speaks for another subject, never for want of a shared word.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from app.memory.facts.categories import CONSTRAINTS, is_constraint, topics, whose
from app.models import Fact
from app.text.wording import MEASURES, family, normalise, overlap, same_question, subjects, things, turns

ALIKE = 0.5  # From this likeness on, two facts are shown to the model as perhaps the same thing.
NEARER = 0.5  # Beyond this overlap a known fact, sharing what the one named does not share, is plainly the one meant.

_OF_ONE = frozenset("age birthday home origin pronouns work".split())  # A sister's job says nothing of the person's.
# Verbs that say next to nothing of what follows them: "has a dog", "takes the train".
_VAGUE = subjects("have has had is was want need use go get take make keep plan feel own favorite favourite")
_BEFORE_THE_VERB = frozenset("does do did not no longer never now also really still currently usually often".split())
_FACET = re.compile(r"^(\w+(?: \w+){0,2}) (?:is|are|was) \S", re.IGNORECASE)


class Likeness(NamedTuple):
    """How two facts of one person are to each other."""

    kind: str
    """As `FactPair.kind`."""
    likeness: float


def question(sentence: str) -> str | None:
    """The question with one answer at a time that it answers."""
    asked = family(sentence)
    return None if asked == "partner" else asked  # Much is told of a partner, and little of it replaces the rest.


def alike(first: str, second: str) -> Likeness | None:
    """How two sentences are to each other; None where they have little to do with it."""
    near = overlap(subjects(first), subjects(second))
    if question(first) is not None and question(first) == question(second) and whose(first) == whose(second):
        return Likeness("conflict", near)
    if near < ALIKE:
        return None
    return Likeness("alike" if turns(first) == turns(second) else "conflict", near)


def shares_a_thing(old: str, new: str) -> bool:
    """Whether both name a thing, or answer the same question that has one answer at a time, about the same one."""
    shared = _telling(old) & _telling(new)
    if whose(old) == whose(new):
        return bool(shared) or same_question(old, new)
    return bool(shared - subjects("live work"))


def is_another(old: str, old_category: str | None, new: str, new_category: str | None) -> bool:
    """Whether something speaks for another subject in two sentences that share no thing."""
    before, after = topics(old, old_category), topics(new, new_category)
    if is_constraint(old, old_category):  # Losing one hurts, so it gives way only to a sentence about the same.
        return not before & after & CONSTRAINTS
    if before & after:
        return whose(old) != whose(new) and bool(before & after & _OF_ONE)
    if is_constraint(new, new_category):
        return True
    if _verb(old) is not None and _verb(old) == _verb(new):
        return False
    # "Shoe size is 42" and "favorite color is red" give the value of two things.
    first, second = _FACET.match(old), _FACET.match(new)
    return bool(before and after) or bool(first and second and not things(first[1]) & things(second[1]))


def nearest(new: str, known: Sequence[Fact]) -> Fact | None:
    """Of facts other than the one named, the one that the sentence is plainly about, if there is such a one."""
    said = _telling(new)
    best = max(known, key=lambda fact: overlap(_telling(fact.sentence), said), default=None)
    if best is not None and overlap(_telling(best.sentence), said) > NEARER:
        return best
    if question(new) is None:
        return None
    return next((one for one in known if same_question(one.sentence, new) and shares_a_thing(one.sentence, new)), None)


def _telling(sentence: str) -> frozenset[str]:
    return frozenset(word for word in things(sentence) - MEASURES if not word.isdigit())


def _verb(sentence: str) -> str | None:
    """The verb that the sentence begins with, when it says something."""
    words = [word for word in normalise(sentence).split() if word not in _BEFORE_THE_VERB]
    said = subjects(words[0]) - _VAGUE if words else frozenset()
    return next(iter(said), None)
