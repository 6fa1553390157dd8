"""Facts that are over, said to the person."""

import re

from app.clients.offline.voice import spoken

_PAST = {
    "lives": "lived",
    "works": "worked",
    "likes": "liked",
    "loves": "loved",
    "has": "had",
    "is": "were",
    "plays": "played",
    "drives": "drove",
    "studies": "studied",
    "dislikes": "disliked",
    "hates": "hated",
    "prefers": "preferred",
    "owns": "owned",
    "uses": "used",
    "goes": "went",
    "takes": "took",
    "wakes": "woke",
    "speaks": "spoke",
    "enjoys": "enjoyed",
    "runs": "ran",
    "teaches": "taught",
    "supports": "supported",
    "drinks": "drank",
    "eats": "ate",
}


def past(fact: str) -> str:
    """A fact that is over, to the person: `Lives in Portland` → `you lived in Portland`."""
    first, _, rest = fact.strip().rstrip(".").partition(" ")
    if first.lower() in _PAST:
        return spoken(f"X {rest}").replace("X", f"you {_PAST[first.lower()]}", 1)
    return re.sub(r"\b(is|are)\b", lambda match: {"is": "was", "are": "were"}[match[1]], spoken(fact), count=1)
