"""BM25 of documents for words: over what each says, what was said around it, and the day of it. Pure.

BM25 as SQLite's FTS5 counts it: the weighted counts of all fields are added up before they are damped, and a document
is as long as all its fields together. The numbers are those of one shelf alone, so that nobody's words weigh on what
another person finds. The fields, their weights and k1, b: docs/decisions/0019-index.md.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from app.clock import MONTHS, WEEKDAYS
from app.memory.index.documents import Flags, Ints, Shelved
from app.text.tokens import tokens

Scores = NDArray[np.float64]

K1, B = 1.2, 0.75  # Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009; FTS5's too.
NEAR, DAY = 0.3, 0.3  # The weights of a word said just before or after, and of a word of the date; its own weigh 1.
DAY_TOKENS = 4  # "8 May 2023 Monday".

_EPOCH = 719_163  # `date.toordinal` of 1970-01-01, from which numpy counts days.


@dataclass(frozen=True)
class Hits:
    """Where the words of a query stand, one word after the other in arrays of one length."""

    words: tuple[str, ...]
    ends: Ints
    """Where each word's part of the arrays ends and the next one's begins."""
    where: Ints
    """Which documents, by their place in the arrays of `Shelved`; one may come more than once for a word."""
    counts: NDArray[np.uint8]
    """How often the word stands in each."""
    heads: NDArray[np.uint8]
    """How often at its beginning, which is what counts for the neighbours."""


def scores(documents: Shelved, hits: Hits) -> Scores:
    """The score of each document, 0 where it shares no word with the query; higher is better."""
    total = np.zeros(len(documents))
    if not len(documents):
        return total
    where, weights = _spread(documents, hits)
    damping: Scores | None = None
    start = 0
    for word, end in zip(hits.words, hits.ends.tolist(), strict=True):
        part = np.s_[:, start:end]
        counted = np.bincount(where[part].ravel(), weights[part].ravel(), len(documents))
        frequency: Scores = counted.astype(np.float64, copy=False)  # Of no hits it makes whole numbers.
        on_day = _days_named(documents, word)
        if on_day is not None:
            frequency += DAY * on_day
        touched = np.flatnonzero(frequency)
        if touched.size:
            damping = _damping(documents) if damping is None else damping
            rarity = np.log1p((len(documents) - touched.size + 0.5) / (touched.size + 0.5))
            f = frequency[touched]
            total[touched] += rarity * f * (K1 + 1) / (f + damping[touched])
        start = end
    return total


def _spread(documents: Shelved, hits: Hits) -> tuple[Ints, Scores]:
    """What each hit is worth where it stands, to the document after that, and to the one before; shape (3, hits)."""
    where = np.stack((hits.where, hits.where + 1, hits.where - 1))
    # After the last comes the first, which hears nobody before it; so it is the other way round.
    after, before = where[1] % len(documents), where[2] % len(documents)
    heard = np.stack((documents.hears_before[after], documents.hears_after[before]))
    where[1], where[2] = after, before
    return where, np.concatenate((hits.counts[np.newaxis], NEAR * hits.heads * heard))


def _damping(documents: Shelved) -> Scores:
    """What stands below the fraction besides the frequency: K1 where a document is as long as they are on average."""
    heads = documents.head_tokens.astype(np.float64)
    length = documents.tokens.astype(np.float64) + DAY_TOKENS
    length[1:] += heads[:-1] * documents.hears_before[1:]
    length[:-1] += heads[1:] * documents.hears_after[:-1]
    length *= K1 * B / length.mean()
    length += K1 * (1 - B)
    return length


def _days_named(documents: Shelved, word: str) -> Flags | None:
    """Which documents are of a day that the word names: a number, a year, a month or a weekday; None for no day."""
    months, weekdays = _date_words()
    named: Flags | None = None
    if word in weekdays:
        named = (documents.day - 1) % 7 == weekdays[word]
    elif word in months:
        named = _since_1970(documents, "M") % 12 == months[word]
    elif word.isascii() and word.isdigit():
        if len(word) == len("2023"):
            named = _since_1970(documents, "Y") + 1970 == int(word)
        elif len(word) <= len("31"):
            month = _since_1970(documents, "M").astype("datetime64[M]").astype("datetime64[D]").astype(np.intp)
            named = _since_1970(documents, "D") - month + 1 == int(word)
    return named


def _since_1970(documents: Shelved, unit: str) -> Ints:
    """How many whole days, months or years (`D`, `M`, `Y`) lie between 1970 and each document."""
    days = (documents.day - _EPOCH).astype("datetime64[D]")
    return days.astype(f"datetime64[{unit}]").astype(np.intp)


@cache
def _date_words() -> tuple[dict[str, int], dict[str, int]]:
    """The months and the weekdays as `tokens` writes them, each with its number from 0."""
    return (
        {word: number for number, (word,) in enumerate(tokens(MONTHS))},
        {word: number for number, (word,) in enumerate(tokens(WEEKDAYS))},
    )
