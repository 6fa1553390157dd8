"""Anthropic's word on a model in its list of models: there, going, or gone."""

import json
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any

import anthropic

from app.services import Clock, ModelTrouble

LOOK_SECONDS = 10.0  # It is a look, not a question: nobody waits for it.
WARN_BEFORE = timedelta(days=30)
REFUSED = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})


# Claude's models before these take no effort. Source: platform.claude.com, "Effort".
_TAKES_EFFORT = re.compile(r"claude-(?:opus-4-[5-9]|sonnet-4-6|(?:haiku|sonnet|opus|fable|mythos)-[5-9])")


def takes_effort(model: str) -> bool:
    """Whether the model can be told how hard to think; others refuse a request that says so."""
    return _TAKES_EFFORT.match(model) is not None


def troubles_of(client: anthropic.Anthropic, model: str, clock: Clock) -> Sequence[ModelTrouble] | None:
    """What stands against relying on the model; None where the server keeps no such list, or cannot be reached."""
    try:
        found: Any = client.models.retrieve(model, timeout=LOOK_SECONDS)
    except anthropic.APIStatusError as error:
        return _refusal(error, model)
    except (anthropic.APIError, json.JSONDecodeError, UnicodeError):  # No more is known than before.
        return None
    if getattr(found, "id", None) != model and getattr(found, "type", None) != "model":
        return None
    return _fate(model, getattr(found, "lifecycle", None), getattr(found, "retires_at", None), clock.now())


def _refusal(error: anthropic.APIStatusError, model: str) -> Sequence[ModelTrouble] | None:
    if error.status_code in REFUSED:
        says = f"The key for {model} is refused ({error.status_code}). Check ANTHROPIC_API_KEY."
        return [ModelTrouble("model_key", says)]
    # A server that does not know the route answers 404, too; it does not name the model.
    if error.status_code == HTTPStatus.NOT_FOUND and model in str(error.body):
        says = f"There is no model {model} any more, or it is misspelt. Set CLAUDE_MODEL (or CLAUDE_FALLBACK_MODEL)."
        return [ModelTrouble("model_gone", says)]
    return None


def _fate(model: str, lifecycle: object, retires_at: object, now: datetime) -> Sequence[ModelTrouble]:
    if lifecycle == "retired":
        says = f"{model} is retired: nothing is answered by it any more. Set another in CLAUDE_MODEL."
        return [ModelTrouble("model_gone", says)]
    soon = isinstance(retires_at, datetime) and retires_at.tzinfo is not None and retires_at - now <= WARN_BEFORE
    if not soon and lifecycle != "deprecated":
        return []
    when = f"retires on {retires_at:%d %b %Y}" if isinstance(retires_at, datetime) else "will be retired"
    return [ModelTrouble("model_retires", f"{model} {when}. Set a newer one in CLAUDE_MODEL before that.")]
