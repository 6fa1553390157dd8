"""Hears by its meaning whether a text tells of danger or despair, where its words fit no rule.

`alarm.npz` scores the local embedder's vector x of a text as bias + linear · x + scales · (directions x)²; above 0 the
text is taken for an alarm. `python -m bench.alarm` fits these numbers and measures them.
"""

import math
from functools import cache
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


def score(embedder: Embedder | None, deadline: float, text: str) -> float:
    """The likeness of the text, or of its most alarming sentence, to an alarm: above 0 it is taken for one.

    Minus infinity if the local embedder is not in use or fails. `deadline` is an instant of `Clock.monotonic`, in
    seconds.
    """
    if embedder is None or embedder.name != EMBEDDER:
        return -math.inf
    try:
        rows = embedder.embed(parts(text), deadline=deadline)
    except EmbeddingError:
        return -math.inf
    fitted = _fitted()
    scores = fitted["bias"] + rows @ fitted["linear"] + (rows @ fitted["directions"].T) ** 2 @ fitted["scales"]
    return float(scores.max())


@cache
def _fitted() -> "dict[str, NDArray[np.float32]]":
    """`linear` of shape (384,), `directions` of (64, 384), `scales` of (64,), and `bias`."""
    import numpy as np  # noqa: PLC0415  (it takes a tenth of a second to load, for the first text)

    with np.load(WEIGHTS) as file:
        return {name: file[name].astype(np.float32) for name in file}
