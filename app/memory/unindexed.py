"""What was said and is not in the index yet: handed to it turn by turn, behind the answers and never before them.

Left out are commands and what they print, what `spoken.py` leaves out, and sentences that give a secret away.
"""

from collections.abc import Sequence
from itertools import groupby

from sqlalchemy import Row, select, update
from sqlalchemy.orm import Session

from app.clock import local
from app.memory import index
from app.memory.documents import Document
from app.memory.spoken import is_said, while_memory_was_off
from app.memory.telling import signs
from app.memory.texts import of_message
from app.models import Message, Person, Turn
from app.models.turn import UNINDEXED
from app.services import Services

TURNS_AT_ONCE = 4  # Some ten texts: for so long, about 8 ms, a text that comes in waits for the database.

TurnRow = Row[int, int, int, str, str | None]
"""Id, person and conversation of a turn, and the person's zone and name."""


def index_some(services: Services) -> int:
    """How many turns were looked at, the oldest first, a person at a time; 0 once there is nothing left."""
    with services.reading() as db:  # Mostly there is nothing, and a look costs no writer's turn.
        if not _turns(db, 1):
            return 0
    with services.transaction() as db:
        turns = _turns(db, TURNS_AT_ONCE)
        was_off = while_memory_was_off(db, {turn.conversation_id for turn in turns})
        for person_id, own in groupby(turns, key=lambda turn: turn.person_id):
            said = _said(db, [turn for turn in own if not was_off(turn.conversation_id, turn.id)])
            index.add(db, person_id, "message", said)
        db.execute(update(Turn).where(Turn.id.in_([turn.id for turn in turns])).values(indexed=True))
    return len(turns)


def is_behind(db: Session, person_id: int) -> bool:
    """Whether something that the person or the assistant said cannot be found yet."""
    return db.scalar(select(Turn.id).where(UNINDEXED, Turn.person_id == person_id).limit(1)) is not None


def _turns(db: Session, limit: int) -> Sequence[TurnRow]:
    turns = select(Turn.id, Turn.person_id, Turn.conversation_id, Person.timezone, Person.name)
    turns = turns.join(Person, Person.id == Turn.person_id).where(UNINDEXED)
    return db.execute(turns.order_by(Turn.person_id, Turn.id).limit(limit)).all()


def _said(db: Session, turns: Sequence[TurnRow]) -> list[Document]:
    """What was said in these turns of one person, in the order of the conversation."""
    of = {turn.id: turn for turn in turns}
    texts = select(Message.id, Message.turn_id, Message.direction, Message.body, Message.created_at)
    texts = texts.join(Turn, Turn.id == Message.turn_id).where(Message.turn_id.in_(of), is_said())
    texts = texts.order_by(Message.turn_id, Message.direction, Message.id)
    return [
        Document(
            item=text.id,
            text=words,
            day=local(text.created_at, of[text.turn_id].timezone).date(),
            own=text.direction == "in",
            conversation=of[text.turn_id].conversation_id,
            signs=signs(words, filter(None, [of[text.turn_id].name])),
        )
        for text in db.execute(texts)
        if (words := of_message(text.body))
    ]
