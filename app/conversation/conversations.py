"""Which conversation a turn belongs to: turns with no long silence between them."""

from datetime import datetime
from typing import cast

from sqlalchemy import Table, bindparam, select, update
from sqlalchemy.orm import Session

from app.memory.episodes.triggers import CONVERSATION_GAP
from app.models import Conversation

# Made once: each turn asks all of these, and to build a question takes longer than to answer it.
_LAST = (
    select(Conversation).where(Conversation.person_id == bindparam("person")).order_by(Conversation.id.desc()).limit(1)
)
_ROWS = cast("Table", Conversation.__table__)
_GOES_ON = update(_ROWS).where(_ROWS.c.id == bindparam("conversation"))


def current(db: Session, person_id: int, sent_at: datetime, now: datetime) -> Conversation:
    """The one that goes on with what was sent then, or a new one."""
    last = ongoing(db, person_id, sent_at, now)
    if last is not None:
        last.last_at = now
        return last
    conversation = Conversation(person_id=person_id, started_at=now, last_at=now, memory_on=True)
    db.add(conversation)
    db.flush()
    return conversation


def ongoing(db: Session, person_id: int, sent_at: datetime, now: datetime) -> Conversation | None:
    """The one that goes on with what was sent then; None where a new one begins."""
    last = db.scalars(_LAST, {"person": person_id}).one_or_none()
    # What was said with memory off stays so, however long it had to wait for its answer.
    begins = now if last is None or last.memory_on else sent_at
    return last if last is not None and begins - last.last_at < CONVERSATION_GAP else None


def go_on(db: Session, conversation_id: int, now: datetime) -> None:
    """Something was said in it now."""
    db.connection().execute(_GOES_ON, {"conversation": conversation_id, "last_at": now})
