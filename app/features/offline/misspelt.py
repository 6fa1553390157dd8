"""The words for when something is to come, as they are misspelt in haste: `evry day`, `tomorrw`, `on wensday`.

Only where a reminder is asked for, and only where nothing else than such a word can stand: "very" is no "every".
"""

import re
from difflib import get_close_matches

from app.clock import WEEKDAYS

NEAREST = 0.8
"""Of difflib's ratio, 0 to 1, higher is nearer: `evrey` has 0.8."""

_UNITS = ("day", "week", "month", "hour", "morning", "evening", "afternoon", "night", "weekday", "weekend", *WEEKDAYS)
_ASKS = re.compile(r"\b(?:remind me|reminder|alarm|timer|wake me|text me)\b", re.IGNORECASE)
_NEARLY_ASKS = re.compile(r"\b(\w{5,8})(?= me\b)", re.IGNORECASE)
_PLACES = tuple(
    (re.compile(place, re.IGNORECASE), words)
    for place, words in (
        (r"\b(\w{6,10})\b", ("tomorrow", "weekday", "weekdays", "weekend", "weekends")),
        (rf"\b(\w{{4,7}})(?= (?:{'|'.join(_UNITS)})s?\b)|(?<=\bme )(\w{{4,6}})(?= \w)", ("every",)),
        (r"(?<=\bevery )(\w{3,10})\b", _UNITS),
        (r"(?:(?<=\bon )|(?<=\bnext )|(?<=\bme )|(?<=\bthis ))(\w{5,10})\b", WEEKDAYS),
        (r"\b(\w{6,9})(?= at\b| to\b| ?\d| in the\b| please\b|,|$)", ("everyday",)),
    )
)
_OTHERS = frozenset("very ever even event fever never lever sever sundry remand rewind moth weekly everything".split())
"""Words of their own."""


def as_meant(sentence: str) -> str:
    """The sentence with such words as they are spelt; all else in it stays as it is."""
    sentence = _corrected(_NEARLY_ASKS, sentence, ("remind",))
    if not _ASKS.search(sentence):
        return sentence
    for place, words in _PLACES:
        sentence = _corrected(place, sentence, words)
    return sentence.replace("everyday", "every day")


def _corrected(place: re.Pattern[str], sentence: str, words: tuple[str, ...]) -> str:
    def meant(found: re.Match[str]) -> str:
        said = found[0].lower()
        if said in _OTHERS or said in words or said.removesuffix("s") in words:
            return found[0]
        return next(iter(get_close_matches(said, words, 1, NEAREST)), found[0])

    return place.sub(meant, sentence)
