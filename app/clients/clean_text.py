"""Text that every JSON reader and every database takes."""

import re
from typing import Any

UNCLEAN = re.compile("[\x00\ud800-\udfff]")


def clean(value: Any) -> Any:
    """A copy of JSON-like `value` in which no text holds NUL or half of a surrogate pair.

    NUL is left out, two halves that stand together become their character, and a lone half becomes U+FFFD.
    """
    match value:
        case str():
            return _clean_text(value) if UNCLEAN.search(value) else value
        case dict():
            return {clean(key): clean(item) for key, item in value.items()}
        case list() | tuple():
            return [clean(item) for item in value]
        case _:
            return value


def _clean_text(text: str) -> str:
    return text.replace("\x00", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
