"""Chats with questions, put through the product's own index and ranking, in a database that holds nothing else.

And the measures of how well an order of memories answers a question, and many questions on the average.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from app.memory import index
from app.memory.index import Found, IndexQuery
from app.memory.index.documents import Document
from app.memory.index.query import Query, prepare
from app.memory.index.ranking import Ranking
from app.memory.index.vectors import Vector
from app.operations.evaluation.locomo import PERSON, Sample
from app.services import Embedder, Store
from app.text.telling import signs

Part = Literal["words", "meaning"]
Seen = Callable[[int], None]
"""Told how many more texts have been gone through."""

TEXTS_AT_ONCE = 32
DEPTHS = (1, 5, 10, 25)
GAIN_DEPTH = 10


@dataclass(frozen=True)
class Score:
    """What one question came to; every number 0 to 1, higher is better."""

    category: str
    recall: tuple[float, ...]
    """The share of its evidence among the first 1, 5, 10 and 25."""
    reciprocal_rank: float
    """1 / the rank of the first piece of evidence; 0 where none was found."""
    gain: float
    """The discounted gain of the first 10, as a share of the best there could be (nDCG, each piece counting 1)."""


def score(category: str, order: Sequence[int], evidence: Collection[int]) -> Score:
    """`order`: what was found, best first, each once; `evidence`: what answers the question, at least one."""
    ranks = [rank for rank, item in enumerate(order, 1) if item in evidence]
    best = sum(_discounted(rank) for rank in range(1, min(len(evidence), GAIN_DEPTH) + 1))
    return Score(
        category,
        tuple(sum(rank <= depth for rank in ranks) / len(evidence) for depth in DEPTHS),
        1 / ranks[0] if ranks else 0.0,
        sum(_discounted(rank) for rank in ranks if rank <= GAIN_DEPTH) / best,
    )


def averages(scores: Sequence[Score]) -> dict[str, float]:
    """Percent, over all questions alike: `recall@1` … `recall@25`, `mrr`, `ndcg@10`; 0 where there are none."""
    columns = {f"recall@{depth}": [one.recall[place] for one in scores] for place, depth in enumerate(DEPTHS)}
    columns["mrr"] = [one.reciprocal_rank for one in scores]
    columns[f"ndcg@{GAIN_DEPTH}"] = [one.gain for one in scores]
    return {name: round(100 * math.fsum(column) / max(len(column), 1), 2) for name, column in columns.items()}


def by_category(scores: Sequence[Score]) -> dict[str, dict[str, float]]:
    """The averages of each category, by its name."""
    names = sorted({one.category for one in scores})
    return {name: averages([one for one in scores if one.category == name]) for name in names}


def _discounted(rank: int) -> float:
    return 1 / math.log2(rank + 1)


@dataclass(frozen=True)
class Prepared:
    """A chat with its vectors."""

    sample: Sample
    texts: Sequence[str]
    """What is embedded of each turn."""
    queries: Sequence[Query]
    model: str | None
    """Who made the vectors; None where there are none."""
    of_texts: Sequence[Vector | None]
    of_queries: Sequence[Vector | None]


def texts_of(sample: Sample) -> list[str]:
    """Of two people each text begins with who said it: a question names one of them. A person's own does not."""
    if sample.is_with_assistant:
        return [turn.text for turn in sample.said]
    return [f"{turn.speaker}: {turn.text}" for turn in sample.said]


def size(samples: Sequence[Sample]) -> int:
    """How many texts are gone through."""
    return sum(len(sample.said) + len(sample.questions) for sample in samples)


def prepared(sample: Sample, embedder: Embedder | None, seen: Seen) -> Prepared:
    """Everything that needs an embedder.

    Raises:
        EmbeddingError: there are no vectors to be had now.
    """
    texts, names = texts_of(sample), names_of(sample)
    queries = [prepare(question.text, names, sample.asked_at) for question in sample.questions]
    said = vectors(embedder, texts, seen)
    asked = vectors(embedder, [query.meaning for query in queries], seen, is_query=True)
    return Prepared(sample, texts, queries, embedder.name if embedder else None, said, asked)


def vectors(
    embedder: Embedder | None, texts: Sequence[str], seen: Seen, *, is_query: bool = False
) -> list[Vector | None]:
    """One for each text, a few texts at a time; None for each where there is no embedder.

    Raises:
        EmbeddingError: there are none to be had now.
    """
    made: list[Vector | None] = []
    for first in range(0, len(texts), TEXTS_AT_ONCE):
        some = texts[first : first + TEXTS_AT_ONCE]
        made += [None] * len(some) if embedder is None else list(embedder.embed(some, is_query=is_query))
        seen(len(some))
    return made


def names_of(sample: Sample) -> list[str]:
    """Whom a question may name; an assistant and its person are not named in theirs."""
    return [] if sample.is_with_assistant else sample.speakers


def keep(db: Session, person_id: int, chat: Prepared) -> None:
    """The chat as the memory of a person; each turn is the item of its place, from 1 on."""
    names = names_of(chat.sample)
    documents = [
        Document(
            item=item,
            text=turn.text,
            day=turn.at.date(),
            own=turn.speaker.casefold() == PERSON,
            speaker=turn.speaker if names else "",
            conversation=turn.session + 1,  # There may be a session 0, and 0 is none.
            signs=signs(turn.text, names),
            vector=vector,
        )
        for item, (turn, vector) in enumerate(zip(chat.sample.said, chat.of_texts, strict=True), 1)
        if turn.text.strip()
    ]
    index.add(db, person_id, "message", documents, chat.model)


def found(db: Session, person_id: int, chat: Prepared, question: int, only: Part | None = None) -> Found:
    """What the index finds for one of the chat's questions, by words, by meaning or by both."""
    query, vector = chat.queries[question], chat.of_queries[question]
    text = "" if only == "meaning" else query.words
    results = index.search(db, person_id, "message", IndexQuery(text, None if only == "words" else vector, chat.model))
    if chat.sample.is_with_assistant:
        return results
    speakers = np.array([turn.speaker for turn in chat.sample.said])
    return replace(results, own=np.isin(speakers[results.items - 1], list(query.about)))


def scores(db: Session, person_id: int, chat: Prepared, ranking: Ranking, only: Part | None = None) -> Iterator[Score]:
    """What each of the chat's questions comes to."""
    for number, question in enumerate(chat.sample.questions):
        results = found(db, person_id, chat, number, only)
        yield scored(
            results.items, ranking(results, chat.queries[number].days).order, question.category, question.evidence
        )


def scored(items: NDArray[np.intp], order: NDArray[np.intp], category: str, evidence: frozenset[int]) -> Score:
    return score(category, (items[order] - 1).tolist(), evidence)


def measured(store: Store, chats: Iterable[Prepared], ranking: Ranking, only: Part | None = None) -> list[Score]:
    """All questions of all chats, each chat the memory of a person of its own."""
    results: list[Score] = []
    for person_id, chat in enumerate(chats, 1):
        with store.transaction() as db:
            keep(db, person_id, chat)
        with store.reading() as db:
            results += scores(db, person_id, chat, ranking, only)
    return results
