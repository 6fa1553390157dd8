"""The floor: how near in meaning something has to be. Pure. Measured: docs/decisions/0021-recall-in-the-turn.md."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from app.text.wording import MEASURES, things

RARE_SHARE = 0.05  # Of a person's episodes: a word that more of them hold tells none of them apart.
RARE_FEW = 2  # Among a handful of episodes: so many may still hold it.


@dataclass(frozen=True)
class Floor:
    """Cosines of one embedder, −1 to 1."""

    shown: float
    """From here on something is shown unasked."""
    asked_for: float
    """The same where the text asks for something past."""
    a_rare_word: float
    """So much less is enough where a rare word is shared."""
    noise: float
    """Below, and without a shared word, it answers no question that is asked on purpose."""


FLOORS: Mapping[str, Floor] = MappingProxyType({"local:all-MiniLM-L6-v2": Floor(0.40, 0.33, 0.10, 0.15)})
"""By the embedder's name."""


def floor_of(model: str | None) -> Floor | None:
    """None for an embedder that was not measured: then words decide what is shown unasked."""
    return FLOORS.get(model or "")


def is_shown(model: str | None, cosine: float | None, rare_words: int, *, asked_for: bool) -> bool:
    """Whether it is put before a text.

    `rare_words` of the text are shared, and are rare among the person's episodes; `asked_for` says whether the text
    asks for something past.
    """
    least = least_cosine(model, rare_words, asked_for=asked_for)
    return rare_words > 0 if least is None or cosine is None else cosine >= least


def least_cosine(model: str | None, rare_words: int, *, asked_for: bool) -> float | None:
    """What its cosine has to be for that; None where words decide."""
    floor = floor_of(model)
    if floor is None:
        return None
    return (floor.asked_for if asked_for else floor.shown) - (floor.a_rare_word if rare_words else 0.0)


def is_noise(model: str | None, cosine: float | None, shares_words: bool) -> bool:
    """Whether it has nothing to do with a question."""
    floor = floor_of(model)
    if shares_words or cosine is None:
        return not shares_words
    return cosine < (floor.noise if floor is not None else 0.0)


def telling_words(text: str) -> str:
    """The words of a text that may tell one thing from another: no counts, and not what is said of anything."""
    return " ".join(word for word in text.split() if things(word) - MEASURES)
