"""The prompt cache of Claude's stand-in, and the tokens that it counts: four letters each."""

import json
from typing import Any

from app.clients.claude_rules import cacheable

CHARS_PER_TOKEN = 4
LOOKBACK_BLOCKS = 20  # Source: platform.claude.com, prompt caching.


class PromptCache:
    """What lies before a cache mark is written once, and read from then on."""

    def __init__(self, min_tokens: int = 0) -> None:
        self._min_tokens = min_tokens
        self._cached: set[str] = set()

    def usage(self, request: dict[str, Any], content: list[dict[str, Any]]) -> dict[str, Any]:
        """Tokens as the API counts them.

        Before a mark that is new, the cache is looked through for what ended up to 20 blocks earlier.
        """
        marked: list[tuple[str, int]] = []
        read, before = 0, request["model"]
        ends: list[tuple[str, int]] = []
        for part in cacheable(request):
            before += json.dumps({name: value for name, value in part.items() if name != "cache_control"})
            ends.append((before, len(before) // CHARS_PER_TOKEN))
            if part.get("cache_control") and ends[-1][1] >= self._min_tokens:
                marked.append(ends[-1])
                looked = ends[-LOOKBACK_BLOCKS - 1 :]
                read = max(read, *(tokens if prefix in self._cached else 0 for prefix, tokens in looked))
        kept = max((tokens for _, tokens in marked), default=0)
        self._cached.update(prefix for prefix, _ in marked)
        return {
            "input_tokens": max(len(before) // CHARS_PER_TOKEN - kept, 0),
            "cache_creation_input_tokens": kept - read,
            "cache_read_input_tokens": read,
            "cache_creation": {"ephemeral_5m_input_tokens": kept - read, "ephemeral_1h_input_tokens": 0},
            "output_tokens": max(len(json.dumps(content)) // CHARS_PER_TOKEN, 1),
        }
