"""Who said what in a request, and what of it another model may be shown."""

from collections.abc import Collection
from typing import Any

from app.text.thoughts import without_thoughts


def shown_to(names: Collection[str], messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages as the model of these names may be sent them: without who said them.

    Thoughts are signed for the model that had them and for all that stood before them; another refuses the whole
    request. So all go where another model has spoken. What it says and calls stays.
    """
    if not isinstance(messages, list):  # What is no request at all is refused where it is sent, in a sentence.
        return messages
    shown = [{name: value for name, value in message.items() if name != "model"} for message in messages]
    return shown if all(_is_of(names, one.get("model")) for one in messages) else without_thoughts(shown)


def _is_of(names: Collection[str], said_by: object) -> bool:
    """Whether the model said it, under one of its names or the dated name of a version; or nobody is named."""
    if not isinstance(said_by, str):
        return True
    return any(said_by == name or said_by.startswith(f"{name}-") for name in names)
