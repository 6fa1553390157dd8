"""How many tokens a request to Claude takes, told from its bytes before anybody has counted it."""

import json
import string
from typing import Any

CHARS_PER_TOKEN = 4  # English prose.

# A picture's tokens go by its pixels, and the API makes a large one smaller until it takes no more than this. Source:
# the vision page of Anthropic's documentation; rounded up.
PICTURE_TOKENS = 5000

_LETTERS = (string.ascii_letters + " ").encode()


def tokens_about(fields: dict[str, Any]) -> int:
    """Near the truth for English."""
    words, pictures = _words_of(fields)
    return len(words) // CHARS_PER_TOKEN + pictures * PICTURE_TOKENS


def tokens_at_most(fields: dict[str, Any]) -> int:
    """More than any tokeniser makes of it: a token for every two plain letters, and for each byte of all else.

    Words of European languages take about four letters a token. A byte is the least that a token can stand for, and
    emoji, digits and scripts that tokenisers know badly come near to that.
    """
    words, pictures = _words_of(fields)
    everything = words.encode("utf-8", "surrogatepass")
    others = len(everything.translate(None, _LETTERS))
    return (len(everything) - others + 1) // 2 + others + pictures * PICTURE_TOKENS


def _words_of(fields: dict[str, Any]) -> tuple[str, int]:
    """The request without its pictures, and how many they are: their bytes are no words."""
    pictures = 0

    def without(value: Any) -> Any:
        nonlocal pictures
        if isinstance(value, dict):
            if value.get("type") == "image":
                pictures += 1
                return "image"
            return {name: without(part) for name, part in value.items()}
        return [without(part) for part in value] if isinstance(value, list) else value

    return json.dumps(without(fields), ensure_ascii=False, default=str), pictures
