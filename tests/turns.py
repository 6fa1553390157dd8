"""Rows of turns that have ended."""

from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from app.models import Conversation, Turn


def add_ended_turn(db: Session, person_id: int, at: datetime, **columns: Any) -> Turn:
    """Add an ended turn that began at `at`, in a conversation of its own; `columns` sets its other columns."""
    conversation = Conversation(person_id=person_id, started_at=at, last_at=at)
    db.add(conversation)
    db.flush()
    turn = Turn(
        person_id=person_id,
        conversation_id=conversation.id,
        carrier="phone",
        state="done",
        owner="host:1",
        leased_until=at,
        started_at=at,
        **columns,
    )
    db.add(turn)
    db.flush()
    return turn
