"""The backlog of the index: texts and vectors that it lacks, handed to it a little at a time, while the rest goes on.

First the texts of turns that are not in it yet, as far as they are `findable`; then documents without a vector of the
embedder in use. A new embedder's vectors are never compared with an older one's: until all are made anew a search finds
the rest by its words. Progress is kept by turn and by place, so that any process goes on where another ended.
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
from app.memory.forgotten import findable
from app.memory.index import documents, vectors
from app.memory.index.documents import Document, Kind, kind_of
from app.memory.index.query import embedded
from app.memory.index.vectors import Vector
from app.models import Episode, Fact, Message, Person, Shelf, Turn, VectorModel
from app.services import Embedder, Services
from app.store.dialect import RawRows
from app.text.telling import signs

TURNS_AT_ONCE = 4  # Some ten texts: for so long, about 8 ms, a text that comes in waits for the database.
TEXTS_AT_ONCE = 8  # About 40 ms of a processor, and 3 of the database, for which whoever is answered waits.
SHORTEST_REST, LONGEST_REST = timedelta(minutes=1), timedelta(days=1)
PLAIN = "Is there a vector for this?"
"""Nobody's, and no embedder's trouble: where there is none for it, there is none to be had now."""

TurnRow = Row[int, int, int, datetime | None, str, str | None]
"""Id, person, conversation and end of a turn, and the person's zone and name."""
ShelfRow = Row[int, int | None, int, int]
"""Id of a shelf, the model that it has vectors of, up to where, and how many places it has, when this was read."""
Item = tuple[int, str]  # The id of a message, a fact or an episode, and its text.

logger = logging.getLogger(__name__)


def index_some(services: Services) -> int:
    """How many turns were looked at, the oldest first; 0 once nothing is left. One that breaks holds up no other."""
    now = services.clock.now()
    with services.reading() as db:  # Mostly there is nothing, and a look costs no writer's turn.
        turns = _unindexed(db, now)
    if not turns:
        return 0
    try:
        _hand_over(services, turns)
    except Exception:  # Whatever it is of a turn: what everybody else said has to be found.
        logger.exception("Turns %s could not be indexed together", ", ".join(str(turn.id) for turn in turns))
        for turn in turns:
            _hand_over_alone(services, turn, now)
    return len(turns)


def embed_some(services: Services) -> int:
    """How many places of a shelf were gone through; 0 once every document has its vector, or without an embedder.

    Raises:
        EmbeddingError: there are no vectors to be had now.
    """
    embedder = services.embedder
    if embedder is None:
        return 0
    with services.reading() as db:
        model_id = _model_id(db, embedder)
        shelf = _behind(db, model_id)
        if shelf is None:
            return 0
        first: int = shelf.embedded if (shelf.model_id or 0) == model_id else 0
        upto: int = min(shelf.places, first + TEXTS_AT_ONCE)
        unseen = _unseen(db, shelf.id, first, upto)
    made = dict(zip(unseen, _made(services, embedder, kind_of(shelf.id), list(unseen.values())), strict=True))
    with services.transaction() as db:
        _keep(db, embedder, shelf, first, upto, made)
    return upto - first


def left(db: Session, embedder: Embedder) -> int:
    """How many places, at most, have no vector of the embedder's."""
    seen = case((Shelf.model_id == _model_id(db, embedder), Shelf.embedded), else_=0)
    return db.scalar(select(func.sum(Shelf.places - seen))) or 0


def _unindexed(db: Session, now: datetime) -> Sequence[TurnRow]:
    turns = select(Turn.id, Turn.person_id, Turn.conversation_id, Turn.ended_at, Person.timezone, Person.name)
    turns = turns.join(Person, Person.id == Turn.person_id).where(Turn.UNINDEXED)
    # A rest that is to last longer than any does is a wrong clock's.
    turns = turns.where(or_(Turn.index_after.is_(None), ~Turn.index_after.between(now, now + LONGEST_REST)))
    return db.execute(turns.order_by(Turn.person_id, Turn.id).limit(TURNS_AT_ONCE)).all()


def _hand_over(services: Services, turns: Sequence[TurnRow]) -> None:
    with services.transaction() as db:
        left_ = set(db.scalars(select(Turn.id).where(Turn.UNINDEXED, Turn.id.in_([turn.id for turn in turns]))))
        for person_id, own in groupby(turns, key=lambda turn: turn.person_id):
            theirs = {turn.id: turn for turn in own if turn.id in left_}
            index.add(db, person_id, "message", _said(db, person_id, theirs))
        db.execute(update(Turn).where(Turn.id.in_(left_)).values(indexed=True))


def _hand_over_alone(services: Services, turn: TurnRow, now: datetime) -> None:
    try:
        _hand_over(services, [turn])
    except Exception:  # It rests, and holds up none of those behind it.
        logger.exception("Turn %s could not be indexed, and is tried again later", turn.id)
        # As long again as it has waited: what will never be mended is tried ever more seldom, without being counted.
        rest = min(max(now - (turn.ended_at or now), SHORTEST_REST), LONGEST_REST)
        with services.transaction() as db:
            db.execute(update(Turn).where(Turn.id == turn.id).values(index_after=now + rest))


def _said(db: Session, person_id: int, turns: Mapping[int, TurnRow]) -> list[Document]:
    """What was said in these turns of one person, in the order of the conversation."""
    told = findable(db, person_id, Message.turn_id.in_(turns))
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
    """The embedder's id among those that have made vectors; 0, which none has, where it has made none yet."""
    return db.scalar(select(VectorModel.id).where(VectorModel.name == embedder.name)) or 0


def _behind(db: Session, model_id: int) -> ShelfRow | None:
    """A shelf to which something came since, or else one that another embedder has seen."""
    shelves = select(Shelf.id, Shelf.model_id, Shelf.embedded, Shelf.places).order_by(Shelf.id).limit(1)
    others = shelves.where(or_(Shelf.model_id < model_id, Shelf.model_id > model_id))
    return db.execute(shelves.where(Shelf.BEHIND)).first() or db.execute(others).first()


def _unseen(db: Session, shelf: int, first: int, upto: int) -> dict[int, Item]:
    """By its place, each document of these places that can be read."""
    held = documents.load(RawRows(db), shelf, first, upto)
    items: list[int] = held.rows["item"].tolist()
    said = _readable(db, kind_of(shelf), items)
    there = zip(held.place.tolist(), items, strict=True)
    return {place: (item, said[item]) for place, item in there if item in said}


def _readable(db: Session, kind: Kind, items: Sequence[int]) -> dict[int, str]:
    """The text of each item; one that cannot be read gets no vector, and keeps no other from its own."""
    try:
        with db.begin_nested():  # After an error PostgreSQL would read nothing more in this transaction.
            return _texts(db, kind, items)
    except Exception:  # Whatever it is of a row: the log names it.
        if items[1:]:
            return {item: words for one in items for item, words in _readable(db, kind, [one]).items()}
        logger.exception("%s %s cannot be read, and gets no vector", kind.capitalize(), *items)
    return {}


def _texts(db: Session, kind: Kind, items: Collection[int]) -> dict[int, str]:
    """The text of each item; one that is there no more is left out."""
    match kind:
        case "message":
            whose = db.scalars(select(Message.person_id).where(Message.id.in_(items)).distinct())
            told = (one for person in whose.all() for one in findable(db, person, Message.id.in_(items)))
            return {one.message_id: one.words for one in told}
        case "fact":
            facts = db.execute(select(Fact.id, Fact.sentence).where(Fact.id.in_(items)))
            return {row.id: row.sentence for row in facts}
        case "episode":
            held = db.scalars(select(Episode).where(Episode.id.in_(items)))
            return {one.id: episodes.text_of(one) for one in held}


def _made(services: Services, embedder: Embedder, kind: Kind, unseen: Sequence[Item]) -> list[Vector | None]:
    """A vector for each text; None for one that the embedder does not take, which is found by its words alone.

    Raises:
        EmbeddingError: it takes none now.
    """
    if not unseen:
        return []
    try:
        return list(embedded(services, embedder, [text for _, text in unseen]))
    except Exception as error:  # What makes vectors is others' code: a text may break anything in it.
        _see_that_it_works(services, embedder)
        if unseen[1:]:
            return [vector for one in unseen for vector in _made(services, embedder, kind, [one])]
        named = "%s makes no vector of %s %s, which is found by its words alone"
        logger.warning(named, embedder.name, kind, unseen[0][0], exc_info=error)
    return [None]


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


def _keep(
    db: Session, embedder: Embedder, shelf: ShelfRow, first: int, upto: int, made: Mapping[int, Vector | None]
) -> None:
    """Keep the vectors of what is still there, unless another process has gone on with the shelf meanwhile."""
    rows = RawRows(db)
    there = documents.load(rows, shelf.id, first, upto).place.tolist()
    kept = {place: vector for place, vector in made.items() if place in there and vector is not None}
    model_id = _model_id(db, embedder) or None
    if kept:
        model_id = vectors.put(rows, shelf.id, embedder.name, list(kept), np.stack(list(kept.values())))
    unmoved = (Shelf.embedded == shelf.embedded, Shelf.model_id.is_not_distinct_from(shelf.model_id))
    db.execute(update(Shelf).where(Shelf.id == shelf.id, *unmoved).values(embedded=upto, model_id=model_id))
