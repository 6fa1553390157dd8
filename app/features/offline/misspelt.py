"""The words for when something is to come, as they are misspelt in haste: `evry day`, `tomorrw`, `on wensday`.

Only where a reminder is asked for, and only where nothing else than such a word can stand: "very" is no "every".
"""

import re
from collections.abc import Sequence

from app.text.clock_words import WEEKDAYS

_NEARLY_ASKS = re.compile(r"\b(\w{5,8})(?= me\b)", re.IGNORECASE)
_ASKS = re.compile(r"\b(?:remind me|reminder|alarm|timer|wake me|text me)\b", re.IGNORECASE)
_UNITS = ("day", "week", "month", "hour", "morning", "evening", "afternoon", "night", "weekday", "weekend", *WEEKDAYS)
_UNIT = rf"(?:{'|'.join(_UNITS)})s?"
_BEFORE_UNIT = re.compile(rf"\b(\w{{4,7}})(?= {_UNIT}\b)", re.IGNORECASE)
_AFTER_ME = re.compile(r"(?<=\bme )(\w{4,6})(?= \w)", re.IGNORECASE)
_AFTER_EVERY = re.compile(r"(?<=\bevery )(\w{3,10})\b", re.IGNORECASE)
_AFTER_DAYS_LEAD = re.compile(r"(?:(?<=\bon )|(?<=\bnext )|(?<=\bme )|(?<=\bthis ))(\w{5,10})\b", re.IGNORECASE)
_ANYWHERE = re.compile(r"\b(\w{6,10})\b", re.IGNORECASE)
_TOGETHER = re.compile(r"\b(\w{6,9})(?= at\b| to\b| ?\d| in the\b| please\b|,|$)", re.IGNORECASE)
LONG = 8  # Letters, of which two may be wrong: `wensday`.
_OTHERS = frozenset("very ever even event fever never lever sever sundry remand rewind moth".split())
"""Words of their own."""


def as_meant(sentence: str) -> str:
    """The sentence with such words as they are spelt; all else in it stays as it is."""
    sentence = _corrected(_NEARLY_ASKS, sentence, ("remind",))
    if not _ASKS.search(sentence):
        return sentence
    sentence = _corrected(_ANYWHERE, sentence, ("tomorrow", "weekday", "weekdays", "weekend", "weekends"))
    sentence = _corrected(_BEFORE_UNIT, sentence, ("every",))
    sentence = _corrected(_AFTER_ME, sentence, ("every",))
    sentence = _corrected(_AFTER_EVERY, sentence, _UNITS)
    sentence = _corrected(_AFTER_DAYS_LEAD, sentence, WEEKDAYS)
    return _corrected(_TOGETHER, sentence, ("everyday",)).replace("everyday", "every day")


def _corrected(place: re.Pattern[str], sentence: str, words: Sequence[str]) -> str:
    def meant(found: re.Match[str]) -> str:
        said = found[1].lower()
        if said in _OTHERS or said in words or said.removesuffix("s") in words:
            return found[0]
        return next((word for word in words if _is_near(said, word, 2 if len(word) >= LONG else 1)), found[0])

    return place.sub(meant, sentence)


def _is_near(said: str, word: str, most: int) -> bool:
    """Whether so many letters at most are left out, added, changed, or two beside each other swapped."""
    if abs(len(said) - len(word)) > most:
        return False
    before: list[int] = []
    row = list(range(len(word) + 1))
    for at, letter in enumerate(said, 1):
        earlier, before, row = before, row, [at]
        for other, expected in enumerate(word, 1):
            cost = min(before[other] + 1, row[-1] + 1, before[other - 1] + (letter != expected))
            if at > 1 and other > 1 and letter == word[other - 2] and said[at - 2] == expected:
                cost = min(cost, earlier[other - 2] + 1)
            row.append(cost)
    return row[-1] <= most
