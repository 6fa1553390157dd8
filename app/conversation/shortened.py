"""A text too long to be shown whole: its beginning, its end, and how much is left out between them. Pure."""

import re
from bisect import bisect_right

from app.memory.facts.selection import estimate_tokens

_MARK = "\n[{left_out:,} characters are left out here, because the text is too long to be shown whole.]\n"
_MARK_TOKENS = estimate_tokens(_MARK.format(left_out=10**9))
_HALF_WORD_CHARS = 100  # A longer run without a space is no word, and is cut where the room ends.


def shortened(text: str, max_tokens: int) -> str:
    """The text whole when it takes at most `max_tokens`; else as much of both its ends, and what is left out between.

    Half the room goes to either end: "Sum this up:" stands before what was forwarded, "What do you think?" after it.
    Words are not cut: half of a number would be read as another number.
    """
    if estimate_tokens(text) <= max_tokens:
        return text
    room = max(max_tokens - _MARK_TOKENS, 0) // 2
    head = re.sub(rf"\S{{1,{_HALF_WORD_CHARS}}}$", "", _beginning(text, room)).rstrip()
    tail = re.sub(rf"^\S{{1,{_HALF_WORD_CHARS}}}", "", _beginning(text[::-1], room)[::-1]).lstrip()
    return head + _MARK.format(left_out=len(text) - len(head) - len(tail)) + tail


def _beginning(text: str, max_tokens: int) -> str:
    fits = bisect_right(range(len(text) + 1), max_tokens, key=lambda chars: estimate_tokens(text[:chars]))
    return text[: fits - 1]
