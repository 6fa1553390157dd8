"""The search index of messages, facts and episodes, always within one person.

A removed document is found no more, neither by its words nor by its meaning, and its bytes are gone from these tables.
Layout: docs/decisions/0019-index.md.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from app.memory.index import documents, vectors, words
from app.memory.index.documents import Document, Flags, Ints, Kind, Shelved, shelf_of
from app.memory.index.vectors import PreparedQuery, Vector
from app.memory.index.words import terms
from app.store.dialect import RawRows
from app.store.vector_extension import vector_extension

Floats = NDArray[np.float64]

POOL = 100
MEASURED_WHOLE = 500  # Documents; below this, a first pass over signs costs more than it saves.
# So many documents with the nearest signs are measured: among 2,760 texts embedded by MiniLM, they hold 99.6 % of the
# ten nearest. With more documents, more of them tie on the number of differing signs.
LOOKED_UP_OF_POOL, LOOKED_UP_OF_ALL = 3, 0.01
FOREMOST = 50  # Documents whose neighbours are found too; neighbours of the whole pool improve no answer.

_GIVE_OUT = (
    "INSERT INTO shelves(id, places) VALUES (:shelf, :count) "
    "ON CONFLICT (id) DO UPDATE SET places = shelves.places + excluded.places RETURNING places"
)
_EMBEDDED = (
    "UPDATE shelves SET embedded = :upto, model_id = :model "
    "WHERE id = :shelf AND embedded = :first AND (embedded = 0 OR model_id = :model)"
)


@dataclass(frozen=True)
class IndexQuery:
    """A query by words, by meaning or by both, with its bounds."""

    text: str = ""
    vector: Vector | None = None
    """float32, shape (dim,), any length above zero; needs the name of the model that made it."""
    model: str | None = None
    pool: int = POOL  # So many of the best by words, and as many by meaning, are found.
    first_day: date | None = None
    last_day: date | None = None  # On the person's own calendar, both included.
    reach: int = 3  # Neighbours found too: this many places before and after, in the same conversation.


@dataclass(frozen=True)
class Found:
    """Documents found, in the order of their places; all arrays have the same length."""

    items: Ints
    place: Ints
    within: Flags  # True within the query's bounds; False for a mere neighbour of an answer.
    bm25: Floats  # 0 and above, higher is better; 0 if no word is shared.
    cosine: Floats  # −1 to 1, higher is nearer; NaN without a vector of the query's model.
    own: Flags
    signs: NDArray[np.uint8]  # As given with the document.
    conversation: Ints  # 0 for none.
    day: Ints  # `date.toordinal` on the person's own calendar.
    unembedded: int
    """At most so many documents have no vector of the query's model and can be found only by words."""

    def __len__(self) -> int:
        return self.items.size


def add(db: Session, person_id: int, kind: Kind, new: Sequence[Document], model: str | None = None) -> None:
    """Append new documents, in the order in which they were said.

    `model` made the vectors of documents that bring one; the others get theirs from the backlog job.
    """
    if not new:
        return
    shelf, rows = shelf_of(person_id, kind), RawRows(db)
    ((places,),) = rows.all(_GIVE_OUT, {"shelf": shelf, "count": len(new)})
    first = places - len(new)
    documents.add(rows, shelf, first, new, words.add(rows, shelf, first, new))
    brought = [(first + number, one.vector) for number, one in enumerate(new) if one.vector is not None]
    if brought and model is not None:
        places, matrix = [place for place, _ in brought], np.stack([vector for _, vector in brought])
        model_id = vectors.put(rows, shelf, model, places, matrix)
        if len(brought) == len(new):
            upto = first + len(new)
            rows.run(_EMBEDDED, {"shelf": shelf, "first": first, "upto": upto, "model": model_id})


def remove(db: Session, person_id: int, kind: Kind, items: Collection[int]) -> None:
    """Remove documents; unknown ones are ignored."""
    shelf, rows = shelf_of(person_id, kind), RawRows(db)
    held = documents.load(rows, shelf)
    places = held.place[np.isin(held.rows["item"], list(items))].tolist()
    if places:
        words.remove(rows, shelf, places)
        vectors.remove(rows, shelf, places)
        documents.remove(rows, shelf, places)


def find(db: Session, person_id: int, kind: Kind, query: str) -> list[int]:
    """Items with all the query's words, in any form (*dogs* finds *dog*); empty for a query without words."""
    held, of_words = _holding(db, person_id, kind, query)
    everywhere = np.full(len(held), bool(of_words))
    for where in of_words:
        everywhere &= np.bincount(where, minlength=len(held)) > 0
    items: list[int] = held.rows["item"][everywhere].tolist()
    return items


def sharing_rare_words(db: Session, person_id: int, kind: Kind, text: str, *, share: float, few: int) -> dict[int, int]:
    """Number of rare words of the text in each item: words in at most `few` documents, or in that share of all."""
    held, of_words = _holding(db, person_id, kind, text)
    counts = np.zeros(len(held), np.intp)
    for where in of_words:
        if where.size <= max(few, share * len(held)):
            counts[where] += 1
    which = np.flatnonzero(counts)
    return dict(zip(held.rows["item"][which].tolist(), counts[which].tolist(), strict=True))


def _holding(db: Session, person_id: int, kind: Kind, text: str) -> tuple[Shelved, list[Ints]]:
    """All documents of the shelf, and for each word of the text the positions of those that hold it."""
    shelf, rows = shelf_of(person_id, kind), RawRows(db)
    held = documents.load(rows, shelf)
    hits = words.find(rows, shelf, held, terms(text))
    return held, np.split(hits.where, hits.ends[:-1]) if hits.words else []


def vectors_of(db: Session, person_id: int, kind: Kind, items: Collection[int], model: str) -> dict[int, Vector]:
    """Vectors of these items that the model has made so far: float32, shape (dim,), any length above 0."""
    shelf, rows = shelf_of(person_id, kind), RawRows(db)
    held = documents.load(rows, shelf)
    which = np.flatnonzero(np.isin(held.rows["item"], list(items)))
    if not which.size:
        return {}
    item_at = dict(zip(held.place[which].tolist(), held.rows["item"][which].tolist(), strict=True))
    return {item_at[place]: vector for place, vector in vectors.load(rows, shelf, model, held.place[which]).items()}


def search(db: Session, person_id: int, kind: Kind, query: IndexQuery) -> Found:
    """The best by words and the best by meaning, with their neighbours, unordered by rank.

    Raises:
        ValueError: the query's vector is zero or not finite.
    """
    shelf, rows = shelf_of(person_id, kind), RawRows(db)
    held = documents.load(rows, shelf)
    scores = words.scores(held, words.find(rows, shelf, held, terms(query.text)))
    within = np.ones(len(held), bool)
    if query.first_day is not None:
        within &= held.rows["day"] >= query.first_day.toordinal()
    if query.last_day is not None:
        within &= held.rows["day"] <= query.last_day.toordinal()
    best = _best(scores, np.flatnonzero(within & (scores > 0)), query.pool)
    cosines = np.full(len(held), np.nan)
    asked = None
    if query.vector is not None and query.model is not None:
        by_sqlite_vec = vector_extension(db).works
        asked = vectors.prepare_query(rows, shelf, query.model, query.vector, by_sqlite_vec=by_sqlite_vec)
    if asked is not None and len(held):
        likely = None if len(held) <= MEASURED_WHOLE else _likely(rows, shelf, asked, held, within, query.pool)
        _measure(rows, shelf, asked, held, cosines, None if likely is None else np.union1d(likely, best))
        best = np.union1d(best, _best(cosines, np.flatnonzero(within & ~np.isnan(cosines)), query.pool))
    around = np.union1d(best, _with_neighbours(held, _foremost(best, scores, cosines), query.reach))
    if asked is not None and len(held) > MEASURED_WHOLE:
        _measure(rows, shelf, asked, held, cosines, around[np.isnan(cosines[around])])
    found = Shelved(held.place[around], held.rows[around])
    return Found(
        items=found.rows["item"].astype(np.intp),
        place=found.place,
        within=within[around],
        bm25=scores[around],
        cosine=cosines[around],
        own=found.own,
        signs=found.signs,
        conversation=found.rows["conversation"].astype(np.intp),
        day=found.rows["day"].astype(np.intp),
        unembedded=asked.unseen if asked is not None else len(held),
    )


def _likely(rows: RawRows, shelf: int, asked: PreparedQuery, held: Shelved, within: Flags, pool: int) -> Ints:
    """Positions of the documents that may be nearest, judged by their signs."""
    places, differing = vectors.sign_distances(rows, shelf, asked)
    where = held.index_of(places)
    count = int(LOOKED_UP_OF_POOL * pool + LOOKED_UP_OF_ALL * len(held))
    return where[_best(-differing.astype(np.intp), np.flatnonzero(within[where]), count)]


def _measure(
    rows: RawRows, shelf: int, asked: PreparedQuery, held: Shelved, cosines: Floats, which: Ints | None
) -> None:
    """Fill in the cosines of these documents, or of all."""
    if which is None or which.size:
        places, measured = vectors.measure_cosines(rows, shelf, asked, None if which is None else held.place[which])
        cosines[held.index_of(places)] = measured


def _best(scores: NDArray[Any], among: Ints, count: int) -> Ints:
    """The `count` of `among` with the highest scores, in the given order; later ones win a tie."""
    if among.size <= count:
        return among
    values = scores[among]
    least = np.partition(values, among.size - count)[among.size - count]
    above = values > least
    above[np.flatnonzero(values == least)[-(count - np.count_nonzero(above)) :]] = True
    best: Ints = among[above]
    return best


def _foremost(best: Ints, scores: Floats, cosines: Floats) -> Ints:
    """The `FOREMOST` of the best, by the sum of word and meaning scores, each as a share of its highest."""
    together = np.zeros(best.size)
    for one in (scores[best], np.nan_to_num(cosines[best])):
        together += one / (one.max(initial=0.0) or 1.0)
    return best[_best(together, np.arange(best.size), FOREMOST)]


def _with_neighbours(held: Shelved, best: Ints, reach: int) -> Ints:
    """These documents, and others of the same conversation at most `reach` places away."""
    around = (best[:, np.newaxis] + np.arange(-reach, reach + 1)).clip(0, max(len(held) - 1, 0))
    talked, place = held.rows["conversation"][around], held.place[around]
    middle = np.s_[:, reach : reach + 1]
    near = (talked == talked[middle]) & (talked != 0) & (np.abs(place - place[middle]) <= reach)
    found = np.zeros(len(held), bool)
    found[best] = True
    found[around[near]] = True
    return np.flatnonzero(found)
