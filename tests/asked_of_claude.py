"""Reads a request to Claude: the memory that it shows, and its conversation as plain words."""

import html
import re
from typing import Any

_TEXT = re.compile(r'<text at="[^"]*">(.*?)</text>', re.DOTALL)


def memory_shown(request: dict[str, Any]) -> str:
    """The newest `<user_memory>`: that after a tool's result if a tool changed it, otherwise that in `system`."""
    results = [one for message in request["messages"] for one in blocks(message) if one["type"] == "tool_result"]
    behind = [part["text"] for one in results if isinstance(one["content"], list) for part in one["content"][1:]]
    return str((behind or [request["system"][1]["text"]])[-1])


def blocks(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def words(message: dict[str, Any]) -> str:
    """The words of a message, without the tags of texts."""
    text = "\n".join(block["text"] for block in blocks(message) if block["type"] == "text")
    return _TEXT.sub(lambda found: html.unescape(found[1]), text)


def conversation(request: dict[str, Any]) -> list[tuple[str, str]]:
    """Role and words of each message before the newest."""
    return [(message["role"], words(message)) for message in request["messages"][:-1]]


def head(request: dict[str, Any]) -> str:
    """The block before the person's newest words."""
    newest = next(one for one in reversed(request["messages"]) if one["role"] == "user")
    return str(newest["content"][0]["text"])


def newest(request: dict[str, Any]) -> str:
    """The person's newest words."""
    message = request["messages"][-1]
    return words({**message, "content": message["content"][1:]})
