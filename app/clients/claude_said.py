"""Who said what in a request, and what of it another model may be shown."""

from collections.abc import Collection
from typing import Any

THOUGHTS = frozenset({"thinking", "redacted_thinking"})


def shown_to(names: Collection[str], messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages as the model of these names may be sent them: without who said them, and without others' thoughts.

    Thoughts are signed for the model that had them; another refuses the whole request. What it says and calls stays.
    """
    if not isinstance(messages, list):  # What is no request at all is refused where it is sent, in a sentence.
        return messages
    shown = []
    for message in messages:
        plain = {name: value for name, value in message.items() if name != "model"}
        if not _is_of(names, message.get("model")) and isinstance(plain.get("content"), list):
            plain["content"] = [block for block in plain["content"] if block.get("type") not in THOUGHTS]
        if plain.get("content") != []:  # A message of thoughts alone: nothing of it is left.
            shown.append(plain)
    return shown


def _is_of(names: Collection[str], said_by: object) -> bool:
    """Whether the model said it, under one of its names or the dated name of a version; or nobody is named."""
    if not isinstance(said_by, str):
        return True
    return any(said_by == name or said_by.startswith(f"{name}-") for name in names)
