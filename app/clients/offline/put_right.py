"""What a few words put right that name only what is right: "no, it's Tuesday" after "my appointment is on Thursday"."""

import re
from collections.abc import Sequence

from app.clients.offline.understood import Swap
from app.clients.offline.words import MONTHS, WEEKDAYS

TEXTS_MAX = 2  # Of the texts before: what is further back is put right by name.
WORDS_MAX = 6
NAME_MIN_CHARS = 3  # "I" is none.
_COLOURS = (
    "red|orange|yellow|green|blue|purple|violet|pink|brown|black|white|gr[ae]y|beige|turquoise|gold|silver|navy|teal"
)
_MONTH = "|".join(sorted(MONTHS))
# What may stand for one another; longer forms first, since "at 3" holds a number.
_KINDS = tuple(
    re.compile(rf"\b(?:{kind})\b", re.IGNORECASE)
    for kind in (
        "|".join(sorted(WEEKDAYS)),
        rf"\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})|(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?",
        r"\d{1,2}(?::\d\d)? ?(?:am|pm)|\d{1,2}:\d\d|(?<=\bat )\d{1,2}",
        _COLOURS,
    )
)
_ONLY = re.compile(r"(?:(?:it|that|this) (?:is|was) )?(?:actually |really )?(?P<right>.+)", re.IGNORECASE)
_JOINING = re.compile(r"\b(?:on|at|in|the|and|of)\b|[,\s]+", re.IGNORECASE)


def swaps(clause: str, before: Sequence[str]) -> list[Swap]:
    """What is to change in what was said just `before`, the newest first; none if the clause says more than that."""
    before = [text for text in before if not text.rstrip().endswith("?")]
    right = _ONLY.fullmatch(clause)
    if right is None or len(clause.split()) > WORDS_MAX:
        return []
    rest, found = right["right"], list[tuple[re.Pattern[str], str]]()
    for kind in _KINDS:
        match = kind.search(rest)
        if match:
            found.append((kind, match[0]))
            rest = rest[: match.start()] + rest[match.end() :]
    if not found or _JOINING.sub("", rest):
        return _of_a_name(right["right"], before)
    for text in before[:TEXTS_MAX]:
        wrong = [(kind.search(text), new) for kind, new in found]
        there = [Swap(old[0], new, text) for old, new in wrong if old and old[0].lower() != new.lower()]
        if there:
            return there
    return []


def _of_a_name(right: str, before: Sequence[str]) -> list[Swap]:
    """`Portland Maine` after `I moved to Portland`."""
    first = right.split(maxsplit=1)[0]
    if len(first) < NAME_MIN_CHARS or not first[0].isupper() or first == right:
        return []
    there = [text for text in before[:TEXTS_MAX] if re.search(rf"\b{re.escape(first)}\b", text) and right not in text]
    return [Swap(first, right, there[0])] if there else []
