"""The categories of facts, and what follows from a fact's category and words: topics, weight, how long it stays.

The description of the tool, `/memory work`, what is archived and what is always shown follow from this table. A fact
may have another category, in a word of its own: nothing but its name is known of it then.
"""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from app.text.wording import CONSTRAINED, family, normalise, subjects, turns
from app.text.wording import is_constraint as says_constraint


@dataclass(frozen=True)
class Category:
    name: str
    topic: str | None = None  # What its facts are about, as `topics` names it.
    is_constraint: bool = False
    """Whether its facts limit what may be said or suggested: they are always shown and never archived."""
    is_named: bool = True  # Whether the model is told of it; the others are names that it might give.


CATEGORIES = (
    Category("personal"),
    Category("work", "work"),
    Category("family", "family"),
    Category("pets", "pets"),
    Category("food", "food"),
    Category("allergy", "allergy", is_constraint=True),
    Category("diet", "diet", is_constraint=True),
    Category("health", "health"),
    Category("places"),
    Category("preferences"),
    Category("dates"),
    Category("travel", "travel", is_named=False),
    Category("allergies", "allergy", is_constraint=True, is_named=False),
    Category("dietary", "diet", is_constraint=True, is_named=False),
    Category("medication", is_constraint=True, is_named=False),
    Category("medicine", is_constraint=True, is_named=False),
    Category("pronouns", "pronouns", is_constraint=True, is_named=False),
    Category("quiet hours", "contact", is_constraint=True, is_named=False),
    Category("constraint", is_constraint=True, is_named=False),
)
_BY_NAME = {one.name: one for one in CATEGORIES}
_NAMED = [one.name for one in CATEGORIES if one.is_named]
NAMED = f"{', '.join(_NAMED[:-1])} or {_NAMED[-1]}"  # Those that the model is told of, as its tool lists them.

OF_CONSTRAINTS = 0.9  # The importance of constraints; nothing else has as much.
OF_NO_QUESTION = 0.5  # The importance of what has no one answer at a time; nothing has less.

TOPIC_WORDS: dict[str, str] = tomllib.loads(Path(__file__).with_name("topics.toml").read_text(encoding="utf-8"))
"""What facts are about, by words that give it away."""
_TOPICS_OF = {
    stem: frozenset(topic for topic, words in TOPIC_WORDS.items() if stem in subjects(words))
    for stem in subjects(" ".join(TOPIC_WORDS.values()))
}
CONSTRAINTS = frozenset(CONSTRAINED)  # The topics of what limits what may be said or suggested.
_BEFORE_KIN = frozenset("his her their my the older younger oldest youngest elder eldest big little twin late".split())

PASSING_TOPICS = frozenset({"food", "sport", "music", "stories", "travel", "devices", "vehicle"})
_OF_TASTE = re.compile(
    r"(?:(?:really|still|usually|often|sometimes|also) )?"
    r"(?:likes?|loves?|enjoys?|prefers?|is into|is fond of|is a fan of|favou?rite|drinks|watches|reads|listens to|"
    r"(?:wants|plans|hopes|would like) to (?:try|learn|see|read|watch|visit|cook|buy|get))\b",
    re.IGNORECASE,
)
_MORE_THAN_TASTE = re.compile(r"\b(?:only|too|free)\b", re.IGNORECASE)  # "Prefers lactose-free milk" is no whim.


def topics(sentence: str, category: str | None) -> frozenset[str]:
    """What the sentence is about: `food`, `family`, `health` and so on, as far as its words give that away."""
    found = {topic for word in subjects(sentence) for topic in _TOPICS_OF.get(word, ())}
    found |= {topic for topic, words in CONSTRAINED.items() if words.search(sentence)}
    known = _BY_NAME.get((category or "").casefold())
    return frozenset(
        found | {topic for topic in (family(sentence), known.topic if known else None) if topic is not None}
    )


def whose(sentence: str) -> str | None:
    """Who in the person's life the sentence begins with: *sister* in *Sister Ana lives in Lima*."""
    words = [word for word in normalise(sentence).split()[:3] if word not in _BEFORE_KIN]
    for stem in subjects(words[0]) if words else ():
        if _TOPICS_OF.get(stem, frozenset()) & {"family", "pets"}:
            return stem
    return None


def is_constraint(sentence: str, category: str | None) -> bool:
    """True where the fact, by its category or its words, limits what may be said or suggested."""
    known = _BY_NAME.get((category or "").casefold())
    return (known is not None and known.is_constraint) or says_constraint(sentence)


def importance_of(sentence: str, category: str | None) -> float:
    """0 to 1: constraints 0.9, what has one answer at a time 0.6, the rest 0.5."""
    if is_constraint(sentence, category):
        return OF_CONSTRAINTS
    return 0.6 if family(sentence) else OF_NO_QUESTION


def is_passing(sentence: str, category: str | None) -> bool:
    """Whether the sentence is surely no more than a taste or a pastime: that may be archived for want of use.

    A mistake puts away what matters: it names nobody, says nothing of health, work or home, and limits nothing.
    """
    if _OF_TASTE.match(sentence) is None or _MORE_THAN_TASTE.search(sentence) or turns(sentence):
        return False
    if is_constraint(sentence, category) or family(sentence) or any(char.isupper() for char in sentence[1:]):
        return False
    about = topics(sentence, category)
    return bool(about) and about <= PASSING_TOPICS
