"""Preserved thinking as in the real API: a thought is bound to its model and to everything before it.

Source: platform.claude.com, "Preserved thinking" and "Prefix checks". The prefix ignores cache marks, `tool_choice`,
`max_tokens`, effort, the order of tools, outer blanks, and the difference between a string and a single text block.
"""

import hashlib
import json
import re
from typing import Any

from tests.claude_rules import BOUND

KINDS = {"thinking", "redacted_thinking"}
_THINKS = re.compile(r"claude-(?:haiku|sonnet|opus)-5-5|claude-(?:fable|mythos)-5-[12]")

CHANGED = (
    "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must "
    "remain as they were in the original response."
)


def thinks(model: str) -> bool:
    """True if the model thinks by default."""
    return _THINKS.match(model) is not None


class Thoughts:
    """The thoughts of one server."""

    def __init__(self) -> None:
        self._had: dict[str, dict[str, Any]] = {}
        """Each thought as sent, by the signature of its place."""

    def thought(self, request: dict[str, Any], content: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The answer of a thinking model: a thought is added before tool calls, and all thoughts are signed."""
        calls = any(block.get("type") == "tool_use" for block in content)
        if calls and not any(block.get("type") in KINDS for block in content):
            content = [{"type": "thinking", "thinking": "A tool is needed here.", "signature": ""}, *content]
        return self.signed(request, content)

    def signed(self, request: dict[str, Any], content: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The answer with each of its thoughts signed."""
        done: list[dict[str, Any]] = []
        for block in content:
            done.append(self._signed(request, done, block) if block.get("type") in KINDS else block)
        return done

    def _signed(self, request: dict[str, Any], before: list[dict[str, Any]], block: dict[str, Any]) -> dict[str, Any]:
        signature = _signature(request, [*request["messages"], {"role": "assistant", "content": before}])
        seal = "signature" if block["type"] == "thinking" else "data"
        self._had[signature] = {**block, seal: signature}
        return dict(self._had[signature])

    def refusal(self, request: dict[str, Any]) -> str | None:
        """The API's message about a misplaced or changed thought in a request; None if there is none."""
        for at, message in enumerate(request["messages"]):
            content = message["content"]
            for place, block in enumerate(content if isinstance(content, list) else []):
                if block.get("type") not in KINDS:
                    continue
                where = f"messages.{at}.content.{place}: "
                before = [*request["messages"][:at], {"role": "assistant", "content": content[:place]}]
                had = self._had.get(_signature(request, before))
                if had is None:
                    return where + BOUND
                if block != had:
                    return where + CHANGED
        return None


def _signature(request: dict[str, Any], messages: list[dict[str, Any]]) -> str:
    system = request.get("system", [])
    tools = sorted(map(_plain, request.get("tools", [])), key=json.dumps)
    said = [[message["role"], _blocks(message["content"])] for message in messages]
    if said and not said[-1][1]:
        said = said[:-1]
    bound = json.dumps([request["model"], _blocks(system), tools, said], sort_keys=True)
    return hashlib.sha256(bound.encode()).hexdigest()


def _blocks(content: Any) -> list[Any]:
    return [_plain(block) for block in ([{"type": "text", "text": content}] if isinstance(content, str) else content)]


def _plain(block: dict[str, Any]) -> dict[str, Any]:
    """The block without cache mark and outer blanks."""
    kept = {name: value for name, value in block.items() if name != "cache_control"}
    return {name: value.strip() if name == "text" else value for name, value in kept.items()}
