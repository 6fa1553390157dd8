"""Signs that a text tells something, beside greeting, cheering on and asking: pure.

Worked out once, when a text is put into the index. What holds an answer later is mostly said by somebody of themselves,
of something that happened, with a time, a number or a name; what holds none is mostly a question or a kind word.
"""

import re
from collections.abc import Iterable
from enum import IntFlag

HEAD_CHARS = 300
"""What is looked at: a long reply would show everything somewhere."""


class Sign(IntFlag):
    """One bit for each sign; they leave bit 0 free and fit one byte with it."""

    ASKS = 2
    """It ends with a question: the only sign against a text."""
    ONESELF = 4
    """Its speaker speaks of themselves."""
    HAPPENED = 8
    """It says that they did something, or that something was so."""
    TIMED = 16
    """It holds a time or a number."""
    NAMES = 32
    """It names something: a word within a sentence begins with a capital."""


_ASKS = re.compile(r"[?？؟՞]\W*$")  # Smileys and quotes may follow.
_ONESELF = re.compile(r"\b(?:i|i'm|im|i've|ive|i'd|i'll|we|we're|we've|we'll|me|my|our|us|mine)\b", re.IGNORECASE)
_HAPPENED = re.compile(
    r"\b(?:i|we)(?:'ve|'d)?\b[^.!?\n]{0,20}?\b(?:\w{2,}ed|went|got|had|was|were|made|took|met|found|saw|bought|ran|won|did|"
    r"came|told|gave|felt|read|left|lost|been|ate|drove|flew|wrote|paid|sold|sent|spent|heard|began|broke|built|"
    r"caught|chose|fell|forgot|grew|hurt|kept|knew|learnt|lent|said|slept|spoke|swam|taught|thought|threw|woke|wore)\b",
    re.IGNORECASE,
)
_TIMED = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekends?|months?|years?|mondays?|tuesdays?|"
    r"wednesdays?|thursdays?|fridays?|saturdays?|sundays?|january|february|march|april|june|july|august|september|"
    r"october|november|december|recently|just|since)\b|\d",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[^.!?\s]) +[\"'(]?[A-Z][a-z]\w+")

_SHOWN_BY = (
    (Sign.ONESELF, _ONESELF),
    (Sign.HAPPENED, _HAPPENED),
    (Sign.TIMED, _TIMED),
    (Sign.NAMES, _NAME),
)


def signs(text: str, names: Iterable[str] = ()) -> int:
    """The signs of a text, as `Sign` bits; `names` are those of who takes part, whose mention says nothing."""
    head = text[:HEAD_CHARS]
    if len(text) > HEAD_CHARS:
        head = head.rpartition(" ")[0]  # Half a word may look like another: *i* of *is*.
    head = head.replace("’", "'")
    for name in names:
        head = re.sub(rf"\b{re.escape(name)}\b", "x", head)
    found = Sign(0)
    if _ASKS.search(text[-HEAD_CHARS:]):
        found |= Sign.ASKS
    for sign, pattern in _SHOWN_BY:
        if pattern.search(head):
            found |= sign
    return int(found)
