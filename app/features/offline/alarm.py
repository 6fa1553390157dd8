"""Hears by its meaning and words whether a text tells of danger or despair, where it fits no rule.

`alarm.npz` scores the local embedder's vector x of a text, and the unit vector w of its words and pairs of words by
their rarity, as bias + linear · x + scales · (directions x)² + weights · w; above 0 the text is taken for an alarm.
`python -m bench.alarm` fits these numbers and measures them.
"""

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import EmbeddingError
from app.features.offline.english import sentences, tidy
from app.services import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WEIGHTS = Path(__file__).with_name("alarm.npz")
EMBEDDER = "local:all-MiniLM-L6-v2"  # The one that the weights were fitted to.


def parts(text: str) -> list[str]:
    """The whole text and each of its sentences, in the form that is scored."""
    words = tidy(text).lower()
    return list(dict.fromkeys([words, *sentences(words)]))


def terms(text: str) -> set[str]:
    """The words of the text, and its pairs of neighbouring words."""
    words = re.findall(r"[a-z']+|[^\x00-\x7f]", text)
    return {*words, *map(" ".join, pairwise(words))}


def word_rows(texts: Sequence[str], rarity: Mapping[str, float]) -> "NDArray[np.float32]":
    """float32, shape (len(texts), len(rarity)), unit rows, or zeros where a text has none of the terms."""
    import numpy as np  # noqa: PLC0415  (it takes a tenth of a second to load, for the first text)

    rows = np.zeros((len(texts), len(rarity)), np.float32)
    place = {term: number for number, term in enumerate(rarity)}
    for row, text in zip(rows, texts, strict=True):
        for term in terms(text).intersection(place):
            row[place[term]] = rarity[term]
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-9))
    return rows


def score(embedder: Embedder | None, deadline: float, text: str) -> float:
    """The likeness of the text to an alarm, midway between that of the whole and of its most alarming sentence.

    Above 0 it is taken for one. Minus infinity if the local embedder is not in use or fails. `deadline` is an instant
    of `Clock.monotonic`, in seconds.
    """
    if embedder is None or embedder.name != EMBEDDER:
        return -math.inf
    said = parts(text)
    try:
        rows = embedder.embed(said, deadline=deadline)
    except EmbeddingError:
        return -math.inf
    fitted, rarity = _fitted()
    scores = fitted["bias"] + rows @ fitted["linear"] + (rows @ fitted["directions"].T) ** 2 @ fitted["scales"]
    scores += word_rows(said, rarity) @ fitted["weights"]
    return float(scores[0] + scores.max()) / 2


@cache
def _fitted() -> "tuple[dict[str, NDArray[np.float32]], dict[str, float]]":
    """`bias`, `linear` (384,), `directions` (64, 384), `scales` (64,), `weights` (terms,); each term's rarity."""
    import numpy as np  # noqa: PLC0415  (as above)

    with np.load(WEIGHTS) as file:
        terms = str(file["terms"]).split("\n")
        fitted = {name: file[name].astype(np.float32) for name in file if name != "terms"}
    return fitted, dict(zip(terms, fitted.pop("rarity").tolist(), strict=True))
