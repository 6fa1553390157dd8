"""A turn's texts, and tool calls in it as the model makes them."""

import json
import math
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
    """Store texts of the person, and return them."""
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
        deadline=math.inf,
    )


def run(ctx: ToolContext, name: str, given: object) -> CallMade:
    """Make one more call of the turn."""
    return registry.run(replace(ctx, call=secrets.token_hex(8)), name, given)


def answer(result: CallMade) -> Any:
    assert not result.is_error, result.result
    return json.loads(result.result)


def call(ctx: ToolContext, name: str, /, **given: object) -> Any:
    """The JSON of a successful call."""
    return answer(run(ctx, name, given))


def refusal(ctx: ToolContext, name: str, given: object) -> str:
    """The sentence of a failed call."""
    result = run(ctx, name, given)
    assert result.is_error, result.result
    return result.result
