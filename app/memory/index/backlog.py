"""The backlog of the index: jobs that add missing texts and vectors in small steps.

First come the `findable_parts` of turns not yet indexed; then documents without a vector of the current
embedder. Vectors of different embedders are never compared: until all are remade, a search finds the rest by words.
Progress is stored by turn and by place, so that any process can continue.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby

import numpy as np
from sqlalchemy import Row, case, func, or_, select, update
from sqlalchemy.orm import Session

from app.clock import local
from app.errors import EmbeddingError
from app.memory import episodes, index
from app.memory.forgotten import findable_parts
from app.memory.index import documents, vectors
from app.memory.index.documents import Document, Kind, kind_of
from app.memory.index.query import embedded
from app.memory.index.vectors import Vector
from app.models import Episode, Fact, Message, Person, Shelf, Turn, VectorModel
from app.services import Embedder, Services
from app.store.dialect import RawRows
from app.text.telling import signs

TURNS_AT_ONCE = 4  # Some ten texts: about 8 ms, in which an incoming text waits for the database.
TEXTS_AT_ONCE = 8  # About 40 ms of a processor, and 3 of the database, in which replies wait.
SHORTEST_REST, LONGEST_REST = timedelta(minutes=1), timedelta(days=1)
PLAIN = "Is there a vector for this?"
"""A harmless test sentence: an embedder that cannot embed it does not work at all now."""

TurnRow = Row[int, int, int, datetime | None, str, str | None]
"""Id, person, conversation and end of a turn, and the person's zone and name."""
ShelfRow = Row[int, int | None, int, int]
"""Id of a shelf, the model of its vectors, the place they reach, and its number of places, as they were read."""
Item = tuple[int, str]  # The id of a message, a fact or an episode, and its text.

logger = logging.getLogger(__name__)


def index_some(services: Services) -> int:
    """Index the oldest waiting turns; how many were handled, 0 if none waits. A failing turn blocks no other."""
    now = services.clock.now()
    with services.reading() as db:  # Mostly there is nothing, and reading blocks no writer.
        turns = _unindexed(db, now)
    if not turns:
        return 0
    try:
        _index_together(services, turns)
    except Exception:  # One broken turn must not keep the others out of the index.
        logger.exception("Turns %s could not be indexed together", ", ".join(str(turn.id) for turn in turns))
        for turn in turns:
            _index_alone(services, turn, now)
    return len(turns)


def embed_some(services: Services) -> int:
    """Embed the next documents of one shelf; how many places were handled, 0 if none is left or without an embedder.

    Raises:
        EmbeddingError: the embedder does not work now.
    """
    if (embedder := services.embedder) is None:
        return 0
    with services.reading() as db:
        model_id = _model_id(db, embedder)
        if (shelf := _behind(db, model_id)) is None:
            return 0
        first: int = shelf.embedded if (shelf.model_id or 0) == model_id else 0
        upto: int = min(shelf.places, first + TEXTS_AT_ONCE)
        unseen = _unembedded(db, shelf.id, first, upto)
    made = dict(zip(unseen, _made(services, embedder, kind_of(shelf.id), list(unseen.values())), strict=True))
    with services.transaction() as db:
        _keep(db, embedder, shelf, first, upto, made)
    return upto - first


def left(db: Session, embedder: Embedder) -> int:
    """An upper bound of the places without a vector of the embedder."""
    seen = case((Shelf.model_id == _model_id(db, embedder), Shelf.embedded), else_=0)
    return db.scalar(select(func.sum(Shelf.places - seen))) or 0


def _unindexed(db: Session, now: datetime) -> Sequence[TurnRow]:
    turns = select(Turn.id, Turn.person_id, Turn.conversation_id, Turn.ended_at, Person.timezone, Person.name)
    turns = turns.join(Person, Person.id == Turn.person_id).where(Turn.UNINDEXED)
    # A rest longer than the longest comes from a wrong clock and is ignored.
    turns = turns.where(or_(Turn.index_after.is_(None), ~Turn.index_after.between(now, now + LONGEST_REST)))
    return db.execute(turns.order_by(Turn.person_id, Turn.id).limit(TURNS_AT_ONCE)).all()


def _index_together(services: Services, turns: Sequence[TurnRow]) -> None:
    with services.transaction() as db:
        still_waiting = set(db.scalars(select(Turn.id).where(Turn.UNINDEXED, Turn.id.in_([turn.id for turn in turns]))))
        for person_id, own in groupby(turns, key=lambda turn: turn.person_id):
            theirs = {turn.id: turn for turn in own if turn.id in still_waiting}
            index.add(db, person_id, "message", _documents(db, person_id, theirs))
        db.execute(update(Turn).where(Turn.id.in_(still_waiting)).values(indexed=True))


def _index_alone(services: Services, turn: TurnRow, now: datetime) -> None:
    try:
        _index_together(services, [turn])
    except Exception:  # The turn rests and blocks none behind it.
        logger.exception("Turn %s could not be indexed, and is tried again later", turn.id)
        # Rest as long as it has waited so far: retries become rarer, without a counter.
        rest = min(max(now - (turn.ended_at or now), SHORTEST_REST), LONGEST_REST)
        with services.transaction() as db:
            db.execute(update(Turn).where(Turn.id == turn.id).values(index_after=now + rest))


def _documents(db: Session, person_id: int, turns: Mapping[int, TurnRow]) -> list[Document]:
    """Documents for the findable texts of these turns of one person, in the order of the conversation."""
    told = findable_parts(db, person_id, Message.turn_id.in_(turns))
    return [
        Document(
            item=one.message_id,
            text=one.words,
            day=local(one.at, turns[one.turn_id].timezone).date(),
            own=one.by_person,
            conversation=turns[one.turn_id].conversation_id,
            signs=signs(one.words, filter(None, [turns[one.turn_id].name])),
        )
        for one in sorted(told, key=lambda one: (one.turn_id, not one.by_person, one.message_id))
    ]


def _model_id(db: Session, embedder: Embedder) -> int:
    """The embedder's id in `vector_models`; 0 (no valid id) if it has made no vector yet.

    Raises:
        EmbeddingError: its vectors had another dimension before; then no text is embedded in vain.
    """
    known = db.scalar(select(VectorModel).where(VectorModel.name == embedder.name))
    if known is None:
        return 0
    # The embedder's dimension may be 0 before the first vector of a process.
    vectors.check_dimension(embedder.name, known.dimension, embedder.dimension or known.dimension)
    return known.id


def _behind(db: Session, model_id: int) -> ShelfRow | None:
    """A shelf with new documents, else one whose vectors are another embedder's; None if there is neither."""
    shelves = select(Shelf.id, Shelf.model_id, Shelf.embedded, Shelf.places).order_by(Shelf.id).limit(1)
    others = shelves.where(or_(Shelf.model_id < model_id, Shelf.model_id > model_id))
    return db.execute(shelves.where(Shelf.BEHIND)).first() or db.execute(others).first()


def _unembedded(db: Session, shelf: int, first: int, upto: int) -> dict[int, Item]:
    """Item and text of each readable document in these places, by place."""
    held = documents.load(RawRows(db), shelf, first, upto)
    items: list[int] = held.rows["item"].tolist()
    said = _readable(db, kind_of(shelf), items)
    there = zip(held.place.tolist(), items, strict=True)
    return {place: (item, said[item]) for place, item in there if item in said}


def _readable(db: Session, kind: Kind, items: Sequence[int]) -> dict[int, str]:
    """The text of each item; an unreadable one is logged and left out, without holding up the others."""
    try:
        with db.begin_nested():  # Otherwise PostgreSQL reads nothing more after an error.
            return _texts(db, kind, items)
    except Exception:  # A row can be broken in any way; the log names it.
        if items[1:]:
            return {item: words for one in items for item, words in _readable(db, kind, [one]).items()}
        logger.exception("%s %s cannot be read, and gets no vector", kind.capitalize(), *items)
    return {}


def _texts(db: Session, kind: Kind, items: Collection[int]) -> dict[int, str]:
    """The text of each item that still exists."""
    match kind:
        case "message":
            whose = db.scalars(select(Message.person_id).where(Message.id.in_(items)).distinct())
            told = (one for person in whose.all() for one in findable_parts(db, person, Message.id.in_(items)))
            return {one.message_id: one.words for one in told}
        case "fact":
            facts = db.execute(select(Fact.id, Fact.sentence).where(Fact.id.in_(items)))
            return {row.id: row.sentence for row in facts}
        case "episode":
            held = db.scalars(select(Episode).where(Episode.id.in_(items)))
            return {one.id: episodes.text_of(one) for one in held}


def _made(services: Services, embedder: Embedder, kind: Kind, unseen: Sequence[Item]) -> list[Vector | None]:
    """A vector for each text; None for a text that the embedder rejects, which is then found only by words.

    Raises:
        EmbeddingError: the embedder does not work now.
    """
    if not unseen:
        return []
    try:
        return list(embedded(services, embedder, [text for _, text in unseen]))
    except Exception as error:  # The embedder is third-party code: a text may break anything in it.
        check_works(services, embedder)
        if unseen[1:]:
            return [vector for one in unseen for vector in _made(services, embedder, kind, [one])]
        named = "%s makes no vector of %s %s, which is found by its words alone"
        logger.warning(named, embedder.name, kind, unseen[0][0], exc_info=error)
    return [None]


def check_works(services: Services, embedder: Embedder) -> None:
    """Raise `EmbeddingError` if not even a plain sentence gets a vector: the embedder rejects more than one text."""
    try:
        embedded(services, embedder, [PLAIN])
    except EmbeddingError:
        raise
    except Exception as error:  # Third-party code: any error means that it does not work, and the operator is told.
        logger.exception("%s broke over a plain sentence", embedder.name)
        raise EmbeddingError(f"{embedder.name} broke ({type(error).__name__}); the log tells where.") from error


def _keep(
    db: Session, embedder: Embedder, shelf: ShelfRow, first: int, upto: int, made: Mapping[int, Vector | None]
) -> None:
    """Store vectors of documents that still exist, and move the shelf's mark, unless it has moved meanwhile."""
    of_model = Shelf.model_id.is_not_distinct_from(shelf.model_id)
    unmoved = select(Shelf).where(Shelf.id == shelf.id, Shelf.embedded == shelf.embedded, of_model)
    if (mark := db.scalar(unmoved)) is None:
        return  # Whoever moved it may have another embedder: these would take the places that its mark vouches for.
    rows = RawRows(db)
    there = documents.load(rows, shelf.id, first, upto).place.tolist()
    kept = {place: vector for place, vector in made.items() if place in there and vector is not None}
    mark.embedded, mark.model_id = upto, _model_id(db, embedder) or None
    if kept:
        mark.model_id = vectors.put(rows, shelf.id, embedder.name, list(kept), np.stack(list(kept.values())))
