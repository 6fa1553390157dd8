"""Rows for the pages to show, as the assistant leaves them behind."""

import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app import memory, people
from app.memory import NewFact, Origin, episodes, facts
from app.memory.episodes import Covered, Summary
from app.models import Conversation, Episode, Message, Person, Suggestion, ToolCall, Turn
from app.services import Services
from tests.turns import add_ended_turn

TOLD = Origin(actor="assistant", source="explicit")


def add_person(
    services: Services, address: str = "+12065550100", *, name: str | None = None, access: str = "allowed"
) -> Person:
    with services.transaction() as db:
        person = people.add(db, address, access=access, now=services.clock.now())
        person.name = name
        return person


def learn(
    services: Services, person: Person, *sentences: str, category: str | None = None, origin: Origin = TOLD
) -> None:
    memory.remember(services, person.id, [NewFact(sentence, category) for sentence in sentences], origin)


def live(services: Services, person: Person) -> dict[int, str]:
    """The person's live facts, by number."""
    with services.reading() as db:
        return {fact.number: fact.sentence for fact in facts.live(db, person.id, services.clock.now())}


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
        values: dict[str, Any] = {"kind": "reply", "outcome": "replied", "model": "claude-sonnet-5-5", **columns}
        ended_at = now + timedelta(seconds=values.get("model_seconds", 0.0))
        turn = add_ended_turn(db, person_id, now, ended_at=ended_at, **values)
        for ordinal, (tool, given, result) in enumerate(tools, 1):
            call = ToolCall(turn_id=turn.id, ordinal=ordinal, name=tool, input=given, is_error=False, at=now)
            call.result = result
            db.add(call)
    add_text(services, person_id, said, turn_id=turn.id)
    add_text(services, person_id, reply, turn_id=turn.id, direction="out", state="sent")
    return turn


def add_episode(services: Services, turn: Turn, summary: str = "Alex passed the exam.", **fields: Any) -> Episode:
    """What a turn of one conversation came to; fields are those of a summary."""
    now = services.clock.now()
    told = Summary(summary, f"{summary} It was a long day.", ("exam", "sister"), ("The exam is passed",), 0.6)
    with services.transaction() as db:
        texts = tuple(db.scalars(select(Message.id).where(Message.turn_id == turn.id).order_by(Message.id)))
        db.get_one(Conversation, turn.conversation_id).summarised_to = turn.id
        covered = Covered(turn.conversation_id, turn.id, "quiet", texts, now, now)
        return episodes.add(db, turn.person_id, replace(told, **fields), covered, now, written_by="claude-haiku-5-5")


def add_suggestion(
    db: Session, person_id: int, text_id: int, now: datetime, *, words: str, procedure: str, state: str = "waiting"
) -> None:
    rule = {"kind": "rule", "words": words, "procedure": procedure, "message_id": text_id, "times": 3}
    said = {} if state == "waiting" else {"said_at": now}
    db.add(Suggestion(person_id=person_id, state=state, run_at=now, created_at=now, **rule, **said))
