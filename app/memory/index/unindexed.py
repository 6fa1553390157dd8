"""Texts that are not in the index yet: handed to it turn by turn, behind the answers and never before them.

Left out are commands and what they print, what `said.py` and `spoken.py` leave out, and sentences that give a secret
away.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby

from sqlalchemy import Row, or_, select, update
from sqlalchemy.orm import Session

from app.clock import local
from app.memory import index
from app.memory.episodes.said import of_messages
from app.memory.index.documents import Document
from app.memory.index.spoken import is_said
from app.models import Message, Person, Turn
from app.models.turn import UNINDEXED
from app.services import Services
from app.text.telling import signs

TURNS_AT_ONCE = 4  # Some ten texts: for so long, about 8 ms, a text that comes in waits for the database.

SHORTEST_REST, LONGEST_REST = timedelta(minutes=1), timedelta(days=1)

TurnRow = Row[int, int, int, datetime | None, str, str | None]
"""Id, person, conversation and end of a turn, and the person's zone and name."""

logger = logging.getLogger(__name__)


def index_some(services: Services) -> int:
    """How many turns were looked at, the oldest first, a person at a time; 0 once nothing is left that may be now.

    One that breaks what it is handed to is tried again later, by itself, and holds up no other.
    """
    now = services.clock.now()
    with services.reading() as db:  # Mostly there is nothing, and a look costs no writer's turn.
        turns = _due(db, now)
    if not turns:
        return 0
    try:
        _hand_over(services, turns)
    except Exception:  # Whatever it is of a turn: what everybody else said has to be found.
        logger.exception("Turns %s could not be indexed together", ", ".join(str(turn.id) for turn in turns))
        for turn in turns:
            _hand_over_alone(services, turn, now)
    return len(turns)


def is_behind(db: Session, person_id: int) -> bool:
    """Whether something that the person or the assistant said cannot be found yet."""
    return db.scalar(select(Turn.id).where(UNINDEXED, Turn.person_id == person_id).limit(1)) is not None


def _due(db: Session, now: datetime) -> Sequence[TurnRow]:
    turns = select(Turn.id, Turn.person_id, Turn.conversation_id, Turn.ended_at, Person.timezone, Person.name)
    turns = turns.join(Person, Person.id == Turn.person_id).where(UNINDEXED)
    # A rest that is to last longer than any does is a wrong clock's.
    turns = turns.where(or_(Turn.index_after.is_(None), ~Turn.index_after.between(now, now + LONGEST_REST)))
    return db.execute(turns.order_by(Turn.person_id, Turn.id).limit(TURNS_AT_ONCE)).all()


def _hand_over(services: Services, turns: Sequence[TurnRow]) -> None:
    with services.transaction() as db:
        left = set(db.scalars(select(Turn.id).where(UNINDEXED, Turn.id.in_([turn.id for turn in turns]))))
        for person_id, own in groupby(turns, key=lambda turn: turn.person_id):
            theirs = [turn for turn in own if turn.id in left]
            index.add(db, person_id, "message", _said(db, person_id, theirs))
        db.execute(update(Turn).where(Turn.id.in_(left)).values(indexed=True))


def _hand_over_alone(services: Services, turn: TurnRow, now: datetime) -> None:
    try:
        _hand_over(services, [turn])
    except Exception:  # It rests, and holds up none of those behind it.
        logger.exception("Turn %s could not be indexed, and is tried again later", turn.id)
        # As long again as it has waited: what will never be mended is tried ever more seldom, without being counted.
        rest = min(max(now - (turn.ended_at or now), SHORTEST_REST), LONGEST_REST)
        with services.transaction() as db:
            db.execute(update(Turn).where(Turn.id == turn.id).values(index_after=now + rest))


def _said(db: Session, person_id: int, turns: Sequence[TurnRow]) -> list[Document]:
    """What was said in these turns of one person, in the order of the conversation."""
    of = {turn.id: turn for turn in turns}
    texts = select(Message.id, Message.turn_id, Message.direction, Message.created_at)
    texts = texts.join(Turn, Turn.id == Message.turn_id).where(Message.turn_id.in_(of), is_said())
    texts = texts.order_by(Message.turn_id, Message.direction, Message.id)
    rows = db.execute(texts).all()
    told = of_messages(db, person_id, [text.id for text in rows])
    return [
        Document(
            item=text.id,
            text=words,
            day=local(text.created_at, of[text.turn_id].timezone).date(),
            own=text.direction == "in",
            conversation=of[text.turn_id].conversation_id,
            signs=signs(words, filter(None, [of[text.turn_id].name])),
        )
        for text in rows
        if (words := told.get(text.id, ""))
    ]
