"""Rows for the pages to show, as the assistant leaves them behind."""

import secrets
from collections.abc import Sequence
from typing import Any

from app import people
from app.models import Conversation, Message, Person, ToolCall, Turn
from app.services import Services


def add_person(
    services: Services, address: str = "+12065550100", *, name: str | None = None, access: str = "allowed"
) -> Person:
    with services.transaction() as db:
        person = people.add(db, address, access=access, now=services.clock.now())
        person.name = name
        return person


def add_text(services: Services, person_id: int, body: str, *, state: str = "answered", **columns: Any) -> Message:
    """A text of the person, or with `direction="out"` one to them."""
    columns.setdefault("direction", "in")
    with services.transaction() as db:
        message = Message(
            person_id=person_id,
            carrier="phone",
            sid=f"SM{secrets.token_hex(16)}",
            state=state,
            body=body,
            created_at=services.clock.now(),
            **columns,
        )
        db.add(message)
        db.flush()
        return message


def add_turn(
    services: Services,
    person_id: int,
    said: str,
    reply: str,
    *,
    tools: Sequence[tuple[str, dict[str, Any], str]] = (),
    **columns: Any,
) -> Turn:
    """A text that was answered; each tool is its name, what it was given and what came back."""
    now = services.clock.now()
    with services.transaction() as db:
        conversation = Conversation(person_id=person_id, started_at=now, last_at=now)
        db.add(conversation)
        db.flush()
        values: dict[str, Any] = {"kind": "reply", "outcome": "replied", "model": "claude-sonnet-5-5", **columns}
        turn = Turn(
            person_id=person_id,
            conversation_id=conversation.id,
            carrier="phone",
            state="done",
            owner="host:1",
            leased_until=now,
            started_at=now,
            ended_at=now,
            **values,
        )
        db.add(turn)
        db.flush()
        for ordinal, (tool, given, result) in enumerate(tools, 1):
            call = ToolCall(turn_id=turn.id, ordinal=ordinal, name=tool, input=given, is_error=False, at=now)
            call.result = result
            db.add(call)
    add_text(services, person_id, said, turn_id=turn.id)
    add_text(services, person_id, reply, turn_id=turn.id, direction="out", state="sent")
    return turn
