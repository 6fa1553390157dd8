"""What becomes of known facts when the person says something else: corrections, endings, opposites."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.clients.offline.listing import parts, without
from app.clients.offline.matching import (
    bare,
    denies,
    holds,
    kinds_of,
    over,
    same,
    same_several,
    shares_words,
    slots,
    taste,
    tells_of,
)
from app.clients.offline.statements import Said
from app.clients.offline.tables.health import AN_ALLERGY, ANY_ALLERGY
from app.clients.offline.tables.work import ANY_JOB
from app.clients.offline.topics import OWN_ALLERGY

# Endings that name no fact: whatever is known of the kind is over.
_ENDS_ANY = {
    ANY_JOB: re.compile(r"Works (?:as|at|for) "),
    ANY_ALLERGY: re.compile(rf"(?!Is (?:not|no longer)\b){OWN_ALLERGY}"),
    AN_ALLERGY: re.compile(rf"(?!Is (?:not|no longer)\b){OWN_ALLERGY}"),
}
_ENDS_ONE = frozenset({AN_ALLERGY})
# What somebody cannot eat is told in many ways, and is over when they can.
_BAN = re.compile(
    r"(?:Cannot|Does not) (?:eat|drink|have|tolerate|digest)\b|Is (?:\w+ )?allergic to\b|"
    r"Has an? .*\b(?:allergy|intolerance)$|Is .*(?:[ -]free|[ -]intolerant)$|No longer (?:eats|drinks)\b"
)
_EATING = re.compile(
    r"\b(?:Can|Cannot|Is allergic to|Eats|Drinks|Does not|eat|drink|have|tolerate|digest)\b", re.IGNORECASE
)

_SAME_FOOD = re.compile(r"\b(?:lactose|milk|dairy products)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Change:
    """What one fact becomes."""

    index: int
    sentence: str
    beside: bool
    """Whether what was said is a fact of its own beside it."""


def changes(said: Said, facts: Sequence[str]) -> list[Change]:
    """What the facts become through `said`; none where it adds to what is known, or several could be meant."""
    ended = {index: gone for index, fact in enumerate(facts) if (gone := _parts_where(_ended, said, fact))}
    if ended and not (said.only_known or denies(said.sentence) or said.ends in _ENDS_ANY):
        # Something else takes the place of one: of just the one that the words name, or of the first.
        named = next((index for index in ended if same(facts[index], said.ends or "")), min(ended))
        ended = {named: ended[named]}
    if ended:
        return [] if meant(said, facts) else _endings(said, facts, ended)
    for test in (_opposite, _same_slot, _refined, _corrected):
        for index, fact in enumerate(facts):
            gone = _parts_where(test, said, fact)
            if gone:
                rest = without(fact, gone)
                return [Change(index, rest or _merged(said.sentence, fact), beside=rest is not None)]
    return []


def known_already(sentence: str, facts: Sequence[str]) -> bool:
    """Whether the facts say all of the sentence, be it among other things."""
    known = [*facts, *(part for fact in facts for part in parts(fact))]
    more = sentence.lower() + " named "
    return any(same(sentence, fact) or fact.lower().startswith(more) for fact in facts) or all(
        any(same(part, one) for one in known) for part in parts(sentence)
    )


def meant(said: Said, facts: Sequence[str]) -> list[str]:
    """The statements of which only one is over, where the words do not tell which."""
    if said.ends not in _ENDS_ONE:
        return []
    found = [part for fact in facts for part in _parts_where(_ended, said, fact)]
    return found if len(found) > 1 else []


def _endings(said: Said, facts: Sequence[str], ended: dict[int, list[str]]) -> list[Change]:
    found: list[Change] = []
    for index, gone in ended.items():
        rest = without(facts[index], gone)
        named = said.ends not in _ENDS_ANY
        first = named and not any(change.sentence == said.sentence or change.beside for change in found)
        found.append(
            Change(index, rest or (said.sentence if first else over(facts[index])), rest is not None and named)
        )
    return found


def _parts_where(test: Callable[[Said, str], bool], said: Said, fact: str) -> list[str]:
    return [part for part in parts(fact) if not same(said.sentence, part) and test(said, part)]


def _ended(said: Said, part: str) -> bool:
    if said.ends is None:
        return False
    if said.ends in _ENDS_ANY:
        return _ENDS_ANY[said.ends].match(part) is not None
    return any(
        (_BAN.match(one) and _BAN.match(part) and holds(_food(part), _food(_EATING.sub(" ", one))))
        or (not denies(part) and tells_of(one, part))
        for one in parts(said.ends)
    )


def _food(words: str) -> str:
    """The words with one name for a food that has several, so that who can have dairy is not lactose intolerant."""
    return _SAME_FOOD.sub("dairy", words)


def _opposite(said: Said, part: str) -> bool:
    return any(_opposes(one, part) for one in parts(said.sentence)) or _restates(said.sentence, part)


def _opposes(sentence: str, part: str) -> bool:
    mine, theirs = taste(sentence), taste(part)
    if mine and theirs:
        return mine[0] != theirs[0] and bool(mine[1]) and mine[1] <= theirs[1]
    return denies(sentence) != denies(part) and bare(sentence) == bare(part)


def _restates(sentence: str, part: str) -> bool:
    """`Loves coffee` in the place of `Likes coffee`."""
    mine, theirs = taste(sentence), taste(part)
    return mine is not None and mine == theirs


def _same_slot(said: Said, part: str) -> bool:
    return bool(slots(said.sentence) & slots(part))


def _refined(said: Said, part: str) -> bool:
    """`Has a dog` is said better by `Has a dog named Rex`."""
    return said.sentence.lower().startswith((part.lower() + " named ", part.lower() + " who "))


def _corrected(said: Said, part: str) -> bool:
    if not said.corrects:
        return False
    if kinds_of(said.sentence) & kinds_of(part) or same_several(said.sentence, part):
        return True
    return shares_words(said.sentence, part)


def _merged(sentence: str, fact: str) -> str:
    """A new employer keeps the job that the old fact names: `Works as a cook at Roma` → `Works as a cook at Luna`."""
    place = re.match(r"Works (?:at|for) (?P<place>.+)", sentence)
    job = re.match(r"(?P<job>Works as .+?) (?P<word>at|for) .+", fact)
    return f"{job['job']} {job['word']} {place['place']}" if place and job else sentence
