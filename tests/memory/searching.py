"""Messages put into the index and looked for, in as few words as a test wants to say it."""

from collections.abc import Sequence
from datetime import date

import numpy as np

from app.memory import index
from app.memory.index import Found, IndexQuery
from app.memory.index.documents import Document, Kind
from app.memory.index.vectors import Vector
from app.store.db import Database

ANNA, BEN = 1, 2
MONDAY = date(2023, 5, 8)
MODEL = "a-model"


def said(*sentences: str, conversation: int | None = 1, own: bool = True, first: int = 1) -> list[Document]:
    """Messages of one conversation on one day, with ids from `first` on."""
    return [Document(item, one, MONDAY, own, conversation) for item, one in enumerate(sentences, first)]


def keep(
    database: Database,
    new: Sequence[Document],
    person_id: int = ANNA,
    kind: Kind = "message",
    model: str | None = MODEL,
) -> None:
    with database.transaction() as db:
        index.add(db, person_id, kind, new, model)


def search(database: Database, query: IndexQuery, person_id: int = ANNA, kind: Kind = "message") -> Found:
    with database.reading() as db:
        return index.search(db, person_id, kind, query)


def by_words(database: Database, asked: str, person_id: int = ANNA, **bounds: object) -> list[int]:
    """The items that share a word with the query, within its bounds, best first."""
    found = search(database, IndexQuery(asked, **bounds), person_id)  # type: ignore[arg-type]
    best = sorted(zip((-found.bm25).tolist(), found.items.tolist(), found.within.tolist(), strict=True))
    return [item for score, item, within in best if score < 0 and within]


def vector(*numbers: float) -> Vector:
    return np.array(numbers, np.float32)
