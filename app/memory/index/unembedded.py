"""Documents without a vector of the embedder in use: given one, a few at a time, while all the rest goes on.

A new embedder's vectors are never compared with an older one's. From the moment it is chosen a search compares the
query with what the new one has made so far, and finds the rest by its words; it says how much that is, so that nobody
is told that there is nothing where not everything was looked at. What is done is kept place by place: whoever goes on,
after a crash or in another process, goes on where it ended.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import case, func, or_, select, update
from sqlalchemy.orm import Session

from app.errors import EmbeddingError
from app.memory.index import documents, vectors
from app.memory.index.meaning import embedded
from app.memory.index.row_ids import Kind, kind_of
from app.memory.index.texts import texts
from app.memory.index.vectors import Vector
from app.models import Shelf, VectorModel
from app.models.word_index import BEHIND
from app.services import Embedder, Services
from app.store.raw_rows import RawRows

TEXTS_AT_ONCE = 8  # About 40 ms of a processor, and 3 of the database, for which whoever is answered waits.
PLAIN = "Is there a vector for this?"
"""Nobody's, and no embedder's trouble: where there is none for it, there is none to be had now."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Unseen:
    """A document that has no vector yet."""

    place: int
    name: str
    """For the log: `message 12`."""
    text: str


@dataclass(frozen=True)
class Stretch:
    """Places of a shelf that follow each other, whose documents have no vector yet."""

    shelf: int
    model_id: int | None
    """Whose vectors the shelf had, and up to where, when this was read."""
    embedded: int
    first: int
    upto: int
    unseen: list[Unseen]
    """The documents that are left there."""


def embed_some(services: Services) -> int:
    """How many places were gone through; 0 once every document has its vector, or where there is no embedder.

    Raises:
        EmbeddingError: there are no vectors to be had now.
    """
    embedder = services.embedder
    if embedder is None:
        return 0
    with services.reading() as db:
        stretches = _next(db, _model_id(db, embedder))
    made = _made(services, embedder, [one for stretch in stretches for one in stretch.unseen])
    if stretches:
        with services.transaction() as db:
            for stretch in stretches:
                _keep(db, embedder, stretch, made[: len(stretch.unseen)])
                made = made[len(stretch.unseen) :]
    return sum(stretch.upto - stretch.first for stretch in stretches)


def left(db: Session, embedder: Embedder) -> int:
    """How many places, at most, have no vector of the embedder's."""
    seen = case((Shelf.model_id == _model_id(db, embedder), Shelf.embedded), else_=0)
    return db.scalar(select(func.sum(Shelf.places - seen))) or 0


def _model_id(db: Session, embedder: Embedder) -> int:
    """The embedder's id among those that have made vectors; 0, which none has, where it has made none yet."""
    return db.scalar(select(VectorModel.id).where(VectorModel.name == embedder.name)) or 0


def _next(db: Session, model_id: int) -> list[Stretch]:
    """Enough for one batch: first of what came since, then of what another embedder has seen."""
    columns = select(Shelf.id, Shelf.model_id, Shelf.embedded, Shelf.places)
    behind = columns.where(BEHIND).order_by(Shelf.id).limit(TEXTS_AT_ONCE)
    others = columns.where(or_(Shelf.model_id < model_id, Shelf.model_id > model_id)).limit(TEXTS_AT_ONCE)
    stretches: dict[int, Stretch] = {}
    room = TEXTS_AT_ONCE
    for shelves in (behind, others):
        for shelf in db.execute(shelves):
            if room > 0 and shelf.id not in stretches:
                first = shelf.embedded if (shelf.model_id or 0) == model_id else 0
                upto = min(shelf.places, first + room)
                stretches[shelf.id] = _stretch(db, shelf.id, shelf.model_id, shelf.embedded, first, upto)
                room -= upto - first
    return list(stretches.values())


def _stretch(db: Session, shelf: int, model_id: int | None, embedded: int, first: int, upto: int) -> Stretch:
    held = documents.load(RawRows(db), shelf, first, upto)
    kind = kind_of(shelf)
    said = _texts(db, kind, held.items.tolist())
    unseen = [
        Unseen(place, f"{kind} {item}", said[item])
        for place, item in zip(held.place.tolist(), held.items.tolist(), strict=True)
        if item in said
    ]
    return Stretch(shelf, model_id, embedded, first, upto, unseen)


def _texts(db: Session, kind: Kind, items: Sequence[int]) -> dict[int, str]:
    """The text of each item; what is there no more is left out, and what cannot be read: it gets no vector."""
    try:
        return texts(db, kind, items)
    except Exception:  # Whatever it is of a row: it must not keep all others from theirs.
        logger.exception("Of some %ss one cannot be read", kind)
    said: dict[int, str] = {}
    for item in items:
        try:
            said |= texts(db, kind, [item])
        except Exception:  # The row that it is: the log names it, and all others get theirs.
            logger.exception("%s %s cannot be read, and gets no vector", kind.capitalize(), item)
    return said


def _made(services: Services, embedder: Embedder, unseen: Sequence[Unseen]) -> list[Vector | None]:
    """A vector for each text; None for one that the embedder does not take, which is found by its words alone.

    Raises:
        EmbeddingError: it takes none now.
    """
    if not unseen:
        return []
    try:
        return list(embedded(services, embedder, [one.text for one in unseen]))
    except EmbeddingError:
        pass
    except Exception:  # What makes vectors is others' code: a text may break anything in it.
        logger.exception("%s broke over %d texts together", embedder.name, len(unseen))
    _see_that_it_works(services, embedder)
    return [_made_alone(services, embedder, one) for one in unseen]


def _made_alone(services: Services, embedder: Embedder, one: Unseen) -> Vector | None:
    try:
        vector: Vector = embedded(services, embedder, [one.text])[0]
    except Exception:  # It is this text, or the embedder; which of them, a plain sentence shows.
        _see_that_it_works(services, embedder)
        logger.exception("%s makes no vector of %s, which is found by its words alone", embedder.name, one.name)
        return None
    return vector


def _see_that_it_works(services: Services, embedder: Embedder) -> None:
    """Whether it is a text that the embedder does not take, or the embedder that takes none now.

    Raises:
        EmbeddingError: not even a plain sentence gets a vector.
    """
    try:
        embedded(services, embedder, [PLAIN])
    except EmbeddingError:
        raise
    except Exception as error:  # Others' code again: as whatever else keeps it from working, told to the operator.
        logger.exception("%s broke over a plain sentence", embedder.name)
        raise EmbeddingError(f"{embedder.name} broke ({type(error).__name__}); the log tells where.") from error


def _keep(db: Session, embedder: Embedder, stretch: Stretch, made: Sequence[Vector | None]) -> None:
    """Keep the vectors of what is still there, unless another process has gone on with the shelf meanwhile."""
    there = set(documents.load(RawRows(db), stretch.shelf, stretch.first, stretch.upto).place.tolist())
    kept = [
        (one.place, vector)
        for one, vector in zip(stretch.unseen, made, strict=True)
        if one.place in there and vector is not None
    ]
    model_id = _model_id(db, embedder) or None
    if kept:
        places, matrix = [place for place, _ in kept], np.stack([vector for _, vector in kept])
        model_id = vectors.put(RawRows(db), stretch.shelf, embedder.name, places, matrix)
    unmoved = (Shelf.embedded == stretch.embedded, Shelf.model_id.is_not_distinct_from(stretch.model_id))
    db.execute(
        update(Shelf).where(Shelf.id == stretch.shelf, *unmoved).values(embedded=stretch.upto, model_id=model_id)
    )
