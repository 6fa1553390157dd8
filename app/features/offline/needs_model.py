"""Routines whose words ask for something that only a model could make: whoever sets one is told so at once."""

import re
from typing import Any

from app.features.offline import lookups

_TO_BE_MADE = re.compile(
    r"\b(?:plans?|summary|summari[sz]e|briefing|overview|news|headlines|jokes?|quotes?|recipes?|ideas?|tips?|poems?|"
    r"stor(?:y|ies)|trivia|horoscope|updates?|scores?|suggest\w*|recommend\w*|inspir\w*|motivat\w*|something|"
    r"what|how|whether|which|prices?|traffic|a (?:fact|question|word)|word of the day|to-?do list)\b",
    re.IGNORECASE,
)


def note(routine: dict[str, Any]) -> str:
    """That its words alone will come, as far as they ask for more; empty for a reminder and for what is looked up."""
    words = str(routine["words"])
    if routine.get("does") != "run" or lookups.are_in(words) or not _TO_BE_MADE.search(words):
        return ""
    return "Without a model only these words come then: I can't make anything of them."
