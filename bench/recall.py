"""Recall of our ranking and of common alternatives on a file in LoCoMo's form: the share of answering texts found.

Ours runs on the product's own index. The alternatives are SQLite's FTS5 alone (bm25, porter, no stop words, any of
the words), vectors alone, a weighted sum of both and recency, and reciprocal rank fusion of both. They search
"Speaker: text" with the question as asked. Each text is embedded once, for all of them.
`python -m bench.recall DATA [--captions]`
"""

import argparse
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.memory.index import Found
from app.memory.index.ranking import RANKINGS, Ranking
from app.memory.index.words import tokens
from app.operations.evaluation import (
    ADVERSARIAL,
    Prepared,
    Sample,
    Score,
    averages,
    index_chat,
    prepare_chat,
    read_samples,
    score,
    scores,
    vectors,
)
from app.services import Embedder
from app.settings import load_settings
from app.store.schema import migrate
from app.store.sqlite import SqliteDatabase
from app.wiring import embedder_alone

OURS = "ours"
OURS_BY_WORDS = "ours, without vectors"
BESIDE: dict[str, Ranking] = {
    "FTS5 alone": RANKINGS["words"],
    "vectors alone": RANKINGS["meaning"],
    "0.55 + 0.35 + 0.10": RANKINGS["sum"],
    "fusion, k = 60": RANKINGS["fusion"],
}
ON_OUR_INDEX = ("published", "sum", "fusion")
CATEGORIES = {"1": "multi", "2": "temporal", "3": "open", "4": "single", ADVERSARIAL: "adversarial"}
PUBLISHED = """
Published, on all ten conversations, recall@1 / @10 / @25 without the adversarial questions:
  FTS5 porter, stop words out, "Speaker: text"                30 / 61 / 69
  MiniLM vectors alone, question as asked                     16 / 45 / 58
  MiniLM, 0.55 meaning + 0.35 words + 0.10 recency            31 / 64 / 74   (66.9 at 10 on the first five)
  MiniLM, reciprocal rank fusion, k = 60                      24 / 57 / 70
  MiniLM, the recipe that was best before                     38 / 77 / 85   (78.6 at 10 on the first five)
With them, recall@5 / @10 / @25: LoCoMo's paper, best retriever (DRAGON)  56.7 / 66.2 / 76.7"""


@dataclass(frozen=True)
class Asked:
    """One question with its score by every way of searching."""

    shares_words: bool
    """True if it shares a word, other than stop words and the speakers' names, with a turn that answers it."""
    scores: dict[str, Score]

    @property
    def category(self) -> str:
        return self.scores[OURS].category


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="samples in the form of LoCoMo")
    parser.add_argument("--captions", action="store_true", help="count what pictures show as said with them")
    given = parser.parse_args()
    embedder = embedder_alone(load_settings())
    if embedder is None:
        sys.exit("There is no embedder: EMBEDDINGS is none, or its weights are missing. Run make setup.")
    samples = read_samples(given.data, captions=given.captions)
    asked = list(_measured(samples, embedder))
    print(f"{given.data.name}: {len(samples)} chats, {len(asked):,} questions, {embedder.name}; percent")
    _show(asked)
    print(PUBLISHED)


def _measured(samples: Sequence[Sample], embedder: Embedder) -> Iterator[Asked]:
    with tempfile.TemporaryDirectory() as folder:
        database = SqliteDatabase(Path(folder) / "keepsake.db")
        migrate(database)
        for person_id, sample in enumerate(samples, 1):
            chat = prepare_chat(sample, embedder, _unseen)
            as_asked = vectors(embedder, [one.text for one in sample.questions], _unseen, is_query=True)
            ways = _by_ours(database, person_id, chat) | _by_others(chat, as_asked)
            for number, shares in enumerate(_sharing(sample)):
                yield Asked(shares, {name: of_questions[number] for name, of_questions in ways.items()})
        database.close()


def _unseen(_: int) -> None:
    """Ignore progress."""


def _by_ours(database: SqliteDatabase, person_id: int, chat: Prepared) -> dict[str, list[Score]]:
    """Scores of each ranking on the product's own index."""
    best = RANKINGS["best"]
    with database.transaction() as db:
        index_chat(db, person_id, chat)
    with database.reading() as db:
        ways = {OURS: list(scores(db, person_id, chat, best))}
        ways[OURS_BY_WORDS] = list(scores(db, person_id, chat, best, "words"))
        for name in ON_OUR_INDEX:
            ways[f"our index, {name}"] = list(scores(db, person_id, chat, RANKINGS[name]))
    return ways


def _by_others(chat: Prepared, as_asked: Sequence[NDArray[np.float32] | None]) -> dict[str, list[Score]]:
    """Scores of the alternatives, over all turns."""
    said, questions = chat.sample.said, chat.sample.questions
    count = len(said)
    matrix = np.stack([vector for vector in chat.of_texts if vector is not None])
    words = Fts5(chat.texts)
    ways: dict[str, list[Score]] = {name: [] for name in BESIDE}
    nothing = np.zeros(count, np.intp)
    empty = Found(
        items=np.arange(1, count + 1),
        place=np.arange(count),
        within=np.ones(count, bool),
        bm25=np.zeros(count),
        cosine=np.zeros(count),
        own=np.zeros(count, bool),
        signs=np.zeros(count, np.uint8),
        conversation=nothing,
        day=nothing,
        unembedded=0,
    )
    for question, vector in zip(questions, as_asked, strict=True):
        cosine = (matrix @ vector).astype(np.float64) if vector is not None else empty.cosine
        results = replace(empty, bm25=words.scores(question.text), cosine=cosine)
        for name, ranking in BESIDE.items():
            order = ranking(results, None).order
            ways[name].append(score(question, order))
    return ways


class Fts5:
    """A table of SQLite's own full-text search over texts, in memory."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._count = len(texts)
        self._db = sqlite3.connect(":memory:")
        self._db.execute(
            "CREATE VIRTUAL TABLE said USING fts5(text, tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        self._db.executemany("INSERT INTO said(rowid, text) VALUES (?, ?)", enumerate(map(_without_stop_words, texts)))

    def scores(self, question: str) -> NDArray[np.float64]:
        """float64, shape (texts,): bm25, above 0, higher is better; 0 if a text shares no word."""
        found = np.zeros(self._count)
        if words := _without_stop_words(question):
            asked = " OR ".join(f'"{word}"' for word in dict.fromkeys(words.split()))
            for place, rank in self._db.execute("SELECT rowid, bm25(said) FROM said WHERE said MATCH ?", (asked,)):
                found[place] = max(-rank, 1e-9)
        return found


def _without_stop_words(text: str) -> str:
    """Stems of the text without stop words, by our own tokenizer; FTS5 stems them again to the same."""
    return " ".join(tokens([text])[0])


def _sharing(sample: Sample) -> list[bool]:
    """For each question, True if it shares a word with its evidence, besides stop words and names."""
    names = {word for words in tokens(sample.speakers) for word in words}
    said = [set(words) for words in tokens([turn.text for turn in sample.said])]
    asked = [set(words) - names for words in tokens([question.text for question in sample.questions])]
    return [
        any(words & said[turn] for turn in question.evidence)
        for words, question in zip(asked, sample.questions, strict=True)
    ]


def _show(asked: Sequence[Asked]) -> None:
    counted = [one for one in asked if one.category != ADVERSARIAL]
    strange = [one for one in counted if not one.shares_words]
    groups = {name: [one for one in asked if one.category == key] for key, name in CATEGORIES.items()}
    groups["no word shared"] = strange
    present = {name: some for name, some in groups.items() if some}
    sizes = ", ".join(f"{name} {len(some)}" for name, some in present.items())
    print(f"all: {len(counted):,} questions without the adversarial ones; recall@10 of {sizes}\n")
    heads = [*averages([]), *present]
    print("| | " + " | ".join(heads) + " |\n|" + "---|" * (len(heads) + 1))
    for way in asked[0].scores:
        of = _scores_by(way)
        values = [*averages(of(counted)).values()]
        values += [averages(of(some))["recall@10"] for some in present.values()]
        print(f"| {way} | " + " | ".join(f"{value:.1f}" for value in values) + " |")


def _scores_by(way: str) -> Callable[[Sequence[Asked]], list[Score]]:
    return lambda some: [one.scores[way] for one in some]


if __name__ == "__main__":
    main()
