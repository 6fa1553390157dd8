"""Ranking: order memories by their measured scores, and apply the floor for showing them. Pure.

Reasons and the effect of each piece: docs/decisions/0018-ranking.md. Measurement of the floors:
docs/decisions/0021-recall-in-the-turn.md.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.memory.index import Floats, Found
from app.text.telling import Sign
from app.text.wording import MEASURES, subjects, things

HALF_LIFE_DAYS = 90.0  # An unused memory loses half of what it can lose in this time.

RARE_SHARE = 0.05  # Share of a person's episodes: a word in more of them does not tell them apart.
RARE_FEW = 2  # Of a handful of episodes, so many may hold a rare word.

_TELLING = (Sign.ONESELF, Sign.HAPPENED, Sign.TIMED, Sign.NAMES)
_SHARES: Floats = np.array(
    [((not byte & Sign.ASKS) + sum(1 for sign in _TELLING if byte & sign)) / (1 + len(_TELLING)) for byte in range(256)]
)
"""Share of signs, 0 to 1, that a text tells something, by sign byte; not to ask is one of the signs."""


@dataclass(frozen=True)
class Weights:
    """Weight of each piece; a memory that is best by meaning and by words scores 1 before the rest is added."""

    meaning: float = 0.55
    words: float = 0.45
    own: float = 0.2  # Added to texts by the speaker that the question is about.
    around: float = 0.3  # Share of the best nearby score in the same conversation that is added.
    fading: float = 0.8  # Factor on that share for each further place away.
    reach: int = 3  # Places away that still count as nearby.
    answer: float = 0.1  # Share of a question's score that is added to the text after it.
    telling: float = 0.35
    """Share added to a text with all signs of telling something; in proportion to its signs."""
    days: float = 0.3  # Share added to texts from the days that the question names, or shortly after.
    days_after: int = 3  # Days after the named ones in which people still speak of them.


BEST = Weights()
ALONE = Weights(around=0.0, answer=0.0, telling=0.0)
"""For facts and episodes, which have no neighbours and all tell something."""
PUBLISHED = Weights(own=0.1, around=0.1, fading=0.0, reach=1, answer=0.0, telling=0.0, days=0.0)
"""The recipe measured before, as a baseline."""


@dataclass(frozen=True)
class Floor:
    """Cosines of one embedder, −1 to 1."""

    shown: float  # From here on a memory is shown unasked.
    asked_for: float  # The same if the text asks about the past.
    a_rare_word: float  # Taken off if a rare word is shared.
    noise: float  # Below it, and without a shared word, it answers no deliberate search either.


FLOORS: Mapping[str | None, Floor] = MappingProxyType({"local:all-MiniLM-L6-v2": Floor(0.40, 0.33, 0.10, 0.15)})
"""Floors by embedder name; for an embedder that was not measured, words decide what is shown unasked."""


@dataclass(frozen=True)
class Ranked:
    """Best first, ties by id. Memories that neither match the question nor stand near a match are left out."""

    order: NDArray[np.intp]  # Positions in the ranked arrays, shape (m,).
    scores: Floats  # Above 0 and at most a little over 2, higher is better; only comparable within one ranking.


Days = tuple[int, int]
"""First and last day that a question names, proleptic Gregorian ordinals; see `asked_days`."""
Ranking = Callable[[Found, Days | None], Ranked]


def rank(found: Found, days: Days | None = None, weights: Weights = BEST, standing: Floats | None = None) -> Ranked:
    """Memories ranked by meaning and words, raised by their neighbours and by what they tell, times their `standing`.

    `found` must hold the neighbours, up to `Weights.reach` places away, of each memory that may rank high.
    """
    evidence = _evidence(found, weights)
    told = np.where(evidence > 0, evidence + weights.own * found.own, 0.0)
    scores = told + _from_around(found, told, weights)
    scores *= 1.0 + weights.telling * _SHARES[found.signs]
    if days is not None:
        first, last = days
        scores *= 1.0 + weights.days * ((found.day >= first) & (found.day <= last + weights.days_after))
    if standing is not None:
        scores *= standing
    return _in_order(found, scores)


def rank_by_sum(found: Found, days: Days | None = None) -> Ranked:  # noqa: ARG001
    """Baseline: 0.55 meaning + 0.35 words + 0.10 recency, each as a share of the best."""
    places = found.place.astype(np.float64)
    recency = _share_of_best(places - places.min() + 1.0) if len(places) else places
    scores = 0.55 * np.nan_to_num(_share_of_best(found.cosine)) + 0.35 * _share_of_best(found.bm25)
    return _in_order(found, np.where(scores > 0, scores + 0.10 * recency, 0.0))


def rank_by_fusion(found: Found, days: Days | None = None) -> Ranked:  # noqa: ARG001
    """Baseline: the sum of 1 / (60 + rank) by meaning and by words.

    Source: reciprocal rank fusion, Cormack, Clarke and Büttcher 2009.
    """
    scores = np.zeros(len(found.items))
    for values in (np.nan_to_num(_share_of_best(found.cosine)), _share_of_best(found.bm25)):
        ranked = _in_order(found, values)
        scores[ranked.order] += 1.0 / (60.0 + 1.0 + np.arange(len(ranked.order)))
    return _in_order(found, scores)


RANKINGS: Mapping[str, Ranking] = MappingProxyType(
    {
        "best": rank,
        "published": partial(rank, weights=PUBLISHED),
        "sum": rank_by_sum,
        "fusion": rank_by_fusion,
        "meaning": lambda found, _: _in_order(found, np.nan_to_num(_share_of_best(found.cosine))),
        "words": lambda found, _: _in_order(found, _share_of_best(found.bm25)),
    }
)
"""Rankings by name; all but the first are baselines for measurements."""


def standing_factor(importance: float, confidence: float, pinned: bool, days_unused: float) -> float:
    """Factor for a fact or an episode, about 0.77 to 1.16: small, so that it mostly decides between equals.

    Importance and confidence are 0 to 1, `days_unused` counts from the last use or telling.
    """
    used = math.exp2(-max(days_unused, 0.0) / HALF_LIFE_DAYS)
    return (0.9 + 0.2 * importance) * (0.95 + 0.05 * confidence) * (1.0 + 0.05 * pinned) * (0.9 + 0.1 * used)


def by_words(query: str, sentences: Sequence[str]) -> list[float]:
    """Score of each sentence for the query by shared words, 0 to 1, higher is nearer.

    Each shared word weighs by its rarity among these sentences, so that *Max* counts for more than *likes*.
    Source: inverse document frequency, Spärck Jones 1972, in the smoothed form log(1 + N / df).
    """
    wanted = subjects(query)
    said = [subjects(sentence) for sentence in sentences]
    frequency = Counter(word for words in said for word in words)
    weight = {word: math.log(1 + len(sentences) / frequency[word]) if frequency[word] else 0.0 for word in wanted}
    total = sum(weight.values())
    if not total:
        return [0.0] * len(sentences)
    return [sum(weight[word] for word in wanted & words) / total for words in said]


def is_shown(model: str | None, cosine: float | None, rare_words: int, *, asked_for: bool) -> bool:
    """True if a memory that shares so many `rare_words` with a text is shown; `asked_for`: it asks about the past."""
    least = least_cosine(model, rare_words, asked_for=asked_for)
    return rare_words > 0 if least is None or cosine is None else cosine >= least


def least_cosine(model: str | None, rare_words: int, *, asked_for: bool) -> float | None:
    """The least cosine for `is_shown`; None if words decide."""
    floor = FLOORS.get(model)
    if floor is None:
        return None
    return (floor.asked_for if asked_for else floor.shown) - (floor.a_rare_word if rare_words else 0.0)


def is_noise(model: str | None, cosine: float | None, shares_words: bool) -> bool:
    """True if a memory has nothing to do with a question."""
    if shares_words or cosine is None:
        return not shares_words
    return cosine < (FLOORS[model].noise if model in FLOORS else 0.0)


def distinctive_words(text: str) -> str:
    """The words of a text that tell things apart, without stop words, predicates and measures."""
    return " ".join(word for word in text.split() if things(word) - MEASURES)


def _evidence(found: Found, weights: Weights) -> Floats:
    """Score of each memory by itself, 0 to 1.

    Words count for both if there is no vector, and meaning counts for both if no memory shares a word.
    """
    meaning, words = _share_of_best(found.cosine), _share_of_best(found.bm25)
    meaning = np.where(np.isnan(meaning), words, meaning)
    return weights.meaning * meaning + weights.words * words if words.any() else meaning


def _share_of_best(values: NDArray[np.floating[Any]]) -> Floats:
    """Values as shares of the highest, 0 to 1; NaN stays NaN."""
    shares = np.maximum(values.astype(np.float64), 0.0)
    best = float(np.nanmax(shares)) if np.any(shares > 0) else 0.0
    return shares / best if best > 0 else shares


def _from_around(found: Found, told: Floats, weights: Weights) -> Floats:
    """Score that each memory gets from its neighbours in the conversation, shape (n,)."""
    if not len(told):
        return told
    by_time = np.argsort(found.place, kind="stable")
    place, conversation, told = found.place[by_time], found.conversation[by_time], told[by_time]
    asked = (found.signs[by_time] & Sign.ASKS) != 0
    nearest, given = np.zeros(len(told)), np.zeros(len(told))
    for steps in range(1, min(weights.reach, len(told) - 1) + 1):
        earlier, later = slice(None, -steps), slice(steps, None)
        away = place[later] - place[earlier]
        near = (conversation[later] == conversation[earlier]) & (away <= weights.reach)
        share = np.where(near, weights.fading ** (away - 1.0), 0.0)
        np.maximum(nearest[later], share * told[earlier], out=nearest[later])
        np.maximum(nearest[earlier], share * told[later], out=nearest[earlier])
        if steps == 1:
            given[later] = np.where(near & (away == 1) & asked[earlier], weights.answer * told[earlier], 0.0)
    around = np.empty(len(told))
    around[by_time] = weights.around * nearest + given
    return around


def _in_order(found: Found, scores: Floats) -> Ranked:
    kept = np.flatnonzero(scores > 0)
    order = kept[np.lexsort((found.items[kept], -scores[kept]))].astype(np.intp)
    return Ranked(order, scores[order])
