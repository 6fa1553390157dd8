"""Requests sent by Claude's client over real sockets, with a `FrozenClock` if only the waits matter."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from anthropic.types import Message

from app.clients.claude import ClaudeModel
from app.errors import ModelError
from app.services import Clock
from app.services.model import ModelRequest
from tests.claude_server import ClaudeServer, Script
from tests.fakes import FrozenClock

SECRET_WORDS = "my locker code is heliotrope"
TOOL = {"name": "list_memories", "description": "…", "input_schema": {"type": "object", "properties": {}}}


def ask(clock: Clock, *, seconds: float = 60.0, **changes: Any) -> ModelRequest:
    fields: dict[str, Any] = {
        "system": [{"type": "text", "text": "You are kind.", "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": SECRET_WORDS}],
        "tools": [TOOL],
        "max_tokens": 1024,
        "deadline": clock.monotonic() + seconds,
        "person_key": "p_7f3a",
    }
    return ModelRequest(**{**fields, **changes})


@contextmanager
def claude(server: ClaudeServer, clock: Clock, **changes: Any) -> Iterator[ClaudeModel]:
    fields: dict[str, Any] = {"api_key": server.key, "model": "claude-sonnet-5-5", "base_url": server.url}
    with closing(ClaudeModel(**{**fields, **changes}, clock=clock)) as model:
        yield model


def answer_of(
    *replies: Script, model: str = "claude-sonnet-5-5", **changes: Any
) -> tuple[Message, FrozenClock, ClaudeServer]:
    """The answer after these replies, the clock that counted the waits, and the server; `changes` alter the request."""
    clock = FrozenClock()
    with ClaudeServer(*replies, models=frozenset({model})) as server, claude(server, clock, model=model) as client:
        answer = client.complete(ask(clock, **changes))
    assert server.refused == []
    return answer, clock, server


def refusal_of(*replies: Script, **changes: Any) -> tuple[ModelError, FrozenClock, ClaudeServer]:
    """The error after these replies, the clock that counted the waits, and the server."""
    clock = FrozenClock()
    with ClaudeServer(*replies) as server, claude(server, clock) as model, pytest.raises(ModelError) as caught:
        model.complete(ask(clock, **changes))
    return caught.value, clock, server
