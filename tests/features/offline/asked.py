"""Calls of the offline model alone, with words only or with tools, some of which fail."""

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.features.offline.model import OfflineModel
from app.services.model import ModelRequest
from tests.fakes import FrozenClock

NOW = "<now>Saturday 21 November 2026, 09:00 (America/New_York)</now>"
MOST_CALLS = 8


def reply_to(
    text: str, *, facts: Sequence[str] = (), tools: Mapping[str, Any] | None = None, failing: Collection[str] = ()
) -> str:
    """Its reply; each of the tools gives the result that is named, and those that fail say why."""
    clock, tools = FrozenClock(), tools or {}
    model = OfflineModel(clock)
    shown = f"<user_memory><facts>{' '.join(f'{fact}.' for fact in facts)}</facts></user_memory>"
    messages: list[dict[str, Any]] = [{"role": "user", "content": [_text(NOW), _text(text)]}]
    for _ in range(MOST_CALLS):
        offered = [{"name": name} for name in (*tools, *failing)]
        request = ModelRequest([_text(shown)], messages, offered, 4096, clock.monotonic() + 10, "p_1")
        answer = model.complete(request)
        if answer.stop_reason == "end_turn":
            [block] = answer.content
            assert block.type == "text"
            return block.text
        results = []
        for use in answer.content:
            assert use.type == "tool_use"
            fails = use.name in failing
            content = "The database is busy. Try again later." if fails else json.dumps(tools[use.name])
            results.append({"type": "tool_result", "tool_use_id": use.id, "content": content, "is_error": fails})
        messages.append({"role": "assistant", "content": [use.to_dict(mode="json") for use in answer.content]})
        messages.append({"role": "user", "content": results})
    raise AssertionError(f"It goes on calling tools for: {text}")


def lines(name: str) -> list[str]:
    """The lines of the file of that name beside this module."""
    text = Path(__file__).with_name(name).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}
