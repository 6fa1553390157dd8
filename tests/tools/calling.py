"""A turn's texts, and tools called in it as the model calls them."""

import json
import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.models import Message
from app.services import Services
from app.services.tool import CallMade
from app.tools import registry
from app.tools.context import ToolContext


def texted(services: Services, person_id: int, *bodies: str) -> list[Message]:
    """Texts of the person, stored as they came."""
    now = services.clock.now()
    with services.transaction() as db:
        texts = [
            Message(person_id=person_id, direction="in", carrier="phone", state="answered", body=body, created_at=now)
            for body in bodies
        ]
        db.add_all(texts)
    return texts


def context(
    services: Services, person_id: int, texts: Sequence[Message] = (), *, memory_on: bool = True
) -> ToolContext:
    return ToolContext(
        services,
        person_id,
        None,  # type: ignore[arg-type]
        call=secrets.token_hex(8),
        is_again=False,
        texts=texts,
        memory_on=memory_on,
    )


def run(ctx: ToolContext, name: str, given: object) -> CallMade:
    """What the tool answers to one more call of the turn."""
    return registry.run(replace(ctx, call=secrets.token_hex(8)), name, given)


def answer(result: CallMade) -> Any:
    assert not result.is_error, result.result
    return json.loads(result.result)


def call(ctx: ToolContext, name: str, /, **given: object) -> Any:
    """The JSON that a tool answers."""
    return answer(run(ctx, name, given))


def refusal(ctx: ToolContext, name: str, given: object) -> str:
    """The sentence of a call that fails."""
    result = run(ctx, name, given)
    assert result.is_error, result.result
    return result.result
