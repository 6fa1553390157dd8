"""The weight of a conversation, computed from the person's own words before a model writes an episode: pure.

Greetings, thanks, the weather and mere requests to the assistant count for nothing. The rest is weighed by its length,
by whether it is about the person's life, and by weighty themes. Words: significance.toml, life_changes.toml.

Source of the scale: T. H. Holmes and R. H. Rahe, The Social Readjustment Rating Scale, Journal of Psychosomatic
Research 11, 1967: life change units, 100 for the death of a spouse, as 394 people rated them. A change that the scale
lacks is placed beside its nearest: a quarrel with anybody beside *arguments with spouse* (35), an allergy between an
illness (53) and *change in eating habits* (15), a strong feeling a little below *trouble with boss* (23). Units also
depend on the person concerned: a death has 100 for a spouse, 63 for close family and 37 for a close friend; an illness
53 for one's own and 44 for one in the family.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.text.telling import tells_something
from app.text.word_files import expressions, read_words
from app.text.wording import WITHOUT_SPACES, sentences, subjects

MOST = 100.0  # Life change units.
_DOUBTED = 0.3  # The share that counts of something supposed, dreamt, feared, or seen in a film.
_ASKED = 0.7
ENOUGH = 1.0  # Points; chosen on half of the conversations in tests/data, and it holds on the other half.
ENOUGH_TO_ADD = 0.25  # To extend an existing episode: anything but mere politeness.
OF_ANY_TEXT = 0.5  # Taken off each text, so that an evening of chatter does not add up to an episode.
OF_UNITS = 0.05  # Points per life change unit, so that a blow told in a few words is worth an episode.
TALK_UNITS = 8.0  # The most that mere talk counts, however long: less than the 12 of a feast.
LEAST, BEND = 0.2, 0.6
"""Importance is `LEAST + (1 - LEAST) * (units / 100) ** BEND`.

This matches the prompt of the summariser: an errand is 0.2, something that matters this month, such as moving house
(20 units), 0.5, and something that changes a life, such as losing a parent (63 units), 0.8.
"""

_READ = read_words(__file__, "significance.toml")
_SMALL = subjects(_READ["small"]) | subjects(_READ["small_elsewhere"])

_SAYS = expressions(_READ["expressions"])
_OWN, _ASKS_AN_ALMANAC, _ONESELF, _DOUBTS, _THINGS = (
    re.compile(_SAYS[name], re.IGNORECASE) for name in ("own", "asks_an_almanac", "oneself", "doubts", "things")
)
_WEIGHTY = {
    name: re.compile(rf"\b(?:{'|'.join(words.splitlines())})", re.IGNORECASE)
    for name, words in _READ["weighty"].items()
}
_DETAIL = re.compile(_SAYS["detail"])
_LETTERS_OF_A_WORD = 3  # Shorter words say little in any language.
_CHARACTERS_OF_A_WORD = 2  # In Chinese, Japanese and Korean.

_LEVELS = ("partner", "own", "family", "friend", "other")


def _of_table(table: Mapping[str, Any]) -> re.Pattern[str]:
    spaced = "|".join(table["words"].strip().splitlines())
    unspaced = f"|{table['unspaced']}" if "unspaced" in table else ""
    return re.compile(rf"\b(?:{spaced}){unspaced}", re.IGNORECASE)


_CHANGES = read_words(__file__, "life_changes.toml")
_WHOSE = {whose: _of_table(table) for whose, table in _CHANGES["whose"].items()}
_KINDS = {
    kind: (dict(zip(_LEVELS, map(float, table["units"]), strict=True)), _of_table(table))
    for kind, table in _CHANGES["kinds"].items()
}


@dataclass(frozen=True)
class Significance:
    is_enough: bool
    importance: float
    """0 to 1, by the greatest life change told; an episode gets it if its summariser gives no importance."""
    reason: str  # For the operator; holds no words of the person.


def weigh(texts: Sequence[str], *, enough: float = ENOUGH) -> Significance:
    """The weight of a person's own texts of one conversation; `enough` points make them worth an episode."""
    points, themes, seen, changes = 0.0, set[str](), set[str](), dict[str, float]()
    for text in texts:
        of_text = 0.0
        for sentence in sentences(text):
            of_text += _points(sentence, themes, seen, changes)
        points += max(0.0, of_text - OF_ANY_TEXT)
    units = min(MOST, combined_weight(changes) + min(points, TALK_UNITS))
    importance = round(LEAST + (1 - LEAST) * (units / MOST) ** BEND, 2)
    if points >= enough:
        told = ", ".join(sorted(themes | changes.keys()))
        return Significance(True, importance, f"{points:.1f} points{f': {told}' if told else ''}")
    return Significance(False, importance, f"small talk: {points:.1f} points of {enough:g}")


def _points(sentence: str, themes: set[str], seen: set[str], changes: dict[str, float]) -> float:
    """Points that a sentence adds to the ones before it; adds to `themes`, `seen` and `changes`."""
    words = content_words(sentence) - seen
    if not words or not tells_something(sentence):
        return 0.0
    seen |= words
    own = bool(_OWN.search(sentence))
    if asks_common_knowledge(sentence) and not own:
        return min(len(words), 6) * 0.1
    held = {name for name, pattern in _WEIGHTY.items() if pattern.search(sentence)}
    points = min(len(words), 8) * 0.25 + len(_DETAIL.findall(sentence)) * 0.25 + (0.5 if own else 0.0)
    points += 1.25 * len(held - themes) + 0.5 * len(held & themes)
    themes |= held
    told = {name: units for name, units in life_changes(sentence).items() if units > changes.get(name, 0.0)}
    points += OF_UNITS * sum(units - changes.get(name, 0.0) for name, units in told.items())
    changes |= told
    return points


def content_words(sentence: str) -> set[str]:
    """Words of a sentence beyond politeness; in scripts without spaces, pairs of characters."""
    characters = WITHOUT_SPACES.findall(sentence)
    said = subjects(WITHOUT_SPACES.sub(" ", sentence)) - _SMALL
    words = {word for word in said if len(word) >= _LETTERS_OF_A_WORD}
    ends = range(_CHARACTERS_OF_A_WORD, len(characters) + 1, _CHARACTERS_OF_A_WORD)
    # The digit in front tells pairs of characters from words.
    return words | {f"{_CHARACTERS_OF_A_WORD}{''.join(characters[end - _CHARACTERS_OF_A_WORD : end])}" for end in ends}


def asks_common_knowledge(sentence: str) -> bool:
    """True if it asks for common knowledge, such as the capital of a country."""
    return bool(_ASKS_AN_ALMANAC.match(sentence))


def life_changes(sentence: str) -> dict[str, float]:
    """Kinds of life change that a sentence tells of, each with its units, 0 to `MOST`."""
    held = {name: of for name, (of, words) in _KINDS.items() if words.search(sentence)}
    if not held:
        return {}
    whose = next((who for who, words in _WHOSE.items() if words.search(sentence)), "own")
    if whose in {"friend", "other"} and _ONESELF.search(sentence):
        whose = "own"
    if whose == "own" and _THINGS.search(sentence):
        held.pop("death", None)
    share = _DOUBTED if _DOUBTS.search(sentence) else _ASKED if sentence.rstrip().endswith(("?", "？")) else 1.0
    return {name: share * of[whose] for name, of in held.items()}


def weight(sentence: str) -> float:
    """Combined weight of the sentence's life changes, 0 to `MOST`."""
    return combined_weight(life_changes(sentence))


def combined_weight(changes: Mapping[str, float]) -> float:
    """The greatest plus a quarter of each other: two losses outweigh one, but quarrels never add up to a death."""
    ordered = sorted(changes.values(), reverse=True)
    return min(MOST, sum(ordered[:1]) + sum(ordered[1:]) / 4)
