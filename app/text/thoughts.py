"""A model's thoughts in the messages of a request. Pure."""

from typing import Any

THOUGHTS = frozenset({"thinking", "redacted_thinking"})
"""Kinds of blocks. Each is bound to the model and to all that stood before it, and goes back whole or not at all."""


def without_thoughts(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages without any thought; leaving out some between others would be refused."""
    kept = [
        {**one, "content": [block for block in one["content"] if block.get("type") not in THOUGHTS]}
        if isinstance(one.get("content"), list)
        else one
        for one in messages
    ]
    return [one for one in kept if one.get("content") != []]  # Of a message of thoughts alone nothing is left.
