"""The categories of facts, and the topics, importance and lifetime that follow from a fact's category and words.

This table drives the tool's description, `/memory work`, and the choice of facts to archive or always show. A fact may
have a category outside the table; then only its name is known.
"""

import re
from dataclasses import dataclass

from app.text.word_files import expressions, read_words
from app.text.wording import negations, normalise, subjects


@dataclass(frozen=True)
class Category:
    name: str
    topic: str | None = None  # The topic of its facts, see `topics`.
    is_constraint: bool = False
    """True if its facts limit what may be said or suggested: they are always shown and never archived."""
    is_named: bool = True  # True if the tool lists it; the model may give the others unasked.


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
NAMED = f"{', '.join(_NAMED[:-1])} or {_NAMED[-1]}"  # The categories that the tool lists, as text.

OF_CONSTRAINTS = 0.9  # Importance of constraints; no other fact has as much.
OF_NO_QUESTION = 0.5  # Importance of facts that answer no single-answer question; none has less.


def _patterns(listed: str) -> dict[str, re.Pattern[str]]:
    """The regular expressions of one table of `words.toml` by name."""
    read = read_words(__file__, "words.toml")
    words = expressions(read[listed], medication=read["medication"].replace("\n", ""))
    return {name: re.compile(one, re.IGNORECASE) for name, one in words.items()}


_FAMILIES = _patterns("answers")  # Single-answer questions: a new answer nearly always replaces the old one.
_CONSTRAINED = _patterns("constrained")  # Facts that must always be shown, by topic: to get one wrong hurts or insults.

TOPIC_WORDS: dict[str, str] = read_words(__file__, "topics.toml")
"""Topics, each with the words that show it."""
_TOPICS_OF = {
    stem: frozenset(topic for topic, words in TOPIC_WORDS.items() if stem in subjects(words))
    for stem in subjects(" ".join(TOPIC_WORDS.values()))
}
CONSTRAINTS = frozenset(_CONSTRAINED)  # Topics of facts that limit what may be said or suggested.
_BEFORE_KIN = frozenset("his her their my the older younger oldest youngest elder eldest big little twin late".split())

PASSING_TOPICS = frozenset({"food", "sport", "music", "stories", "travel", "devices", "vehicle"})
_OF_TASTE = re.compile(read_words(__file__, "words.toml")["of_taste"].replace("\n", ""), re.IGNORECASE)
_MORE_THAN_TASTE = re.compile(r"\b(?:only|too|free)\b", re.IGNORECASE)  # "Prefers lactose-free milk" is no whim.


def topics(sentence: str, category: str | None) -> frozenset[str]:
    """Topics of the sentence that its words or category show: `food`, `family`, `health` and so on."""
    found = {topic for word in subjects(sentence) for topic in _TOPICS_OF.get(word, ())}
    found |= {topic for topic, words in _CONSTRAINED.items() if words.search(sentence)}
    known = _BY_NAME.get((category or "").casefold())
    return frozenset(
        found | {topic for topic in (answered_question(sentence), known.topic if known else None) if topic is not None}
    )


def relative_named(sentence: str) -> str | None:
    """The relative or pet that the sentence begins with, as a stem: *sister* in *Sister Ana lives in Lima*."""
    words = [word for word in normalise(sentence).split()[:3] if word not in _BEFORE_KIN]
    for stem in subjects(words[0]) if words else ():
        if _TOPICS_OF.get(stem, frozenset()) & {"family", "pets"}:
            return stem
    return None


def answered_question(sentence: str) -> str | None:
    """The single-answer question (`home`, `work`, `diet` …) that the sentence answers, if any."""
    return next((name for name, words in _FAMILIES.items() if words.search(sentence)), None)


def question(sentence: str) -> str | None:
    """Same as `answered_question`, but None for a partner: of one, people tell many that rarely replace another."""
    asked = answered_question(sentence)
    return None if asked == "partner" else asked


def same_question(first: str, second: str) -> bool:
    """True if both answer the same single-answer question (where someone lives, what they eat)."""
    return answered_question(first) is not None and answered_question(first) == answered_question(second)


def is_constraint(sentence: str, category: str | None = None) -> bool:
    """True if the fact, by its category or its words, limits what may be said or suggested."""
    known = _BY_NAME.get((category or "").casefold())
    return (known is not None and known.is_constraint) or any(words.search(sentence) for words in _CONSTRAINED.values())


def importance_of(sentence: str, category: str | None) -> float:
    """0 to 1: constraints 0.9, answers to a single-answer question 0.6, the rest 0.5."""
    if is_constraint(sentence, category):
        return OF_CONSTRAINTS
    return 0.6 if answered_question(sentence) else OF_NO_QUESTION


def is_passing(sentence: str, category: str | None) -> bool:
    """True if the sentence is surely only a taste or a pastime, so that it may be archived when unused.

    A mistake would hide an important fact, so it must name nobody, not tell of health, work or home, and limit nothing.
    """
    if _OF_TASTE.match(sentence) is None or _MORE_THAN_TASTE.search(sentence) or negations(sentence):
        return False
    if is_constraint(sentence, category) or answered_question(sentence) or any(char.isupper() for char in sentence[1:]):
        return False
    about = topics(sentence, category)
    return bool(about) and about <= PASSING_TOPICS
