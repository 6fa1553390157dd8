"""Facts that may be archived for want of use, as far as their words tell: pure.

Whoever is wrong about it puts away what matters, so little counts as passing: a taste or a pastime that names nobody
and nothing, says nothing of people, animals, health, work or home, and limits nothing. All else stays, however long
nobody asks for it.
"""

import re

from app.memory.facts.categories import is_constraint
from app.memory.facts.subject import topics
from app.text.wording import family, turns

_OF_TASTE = re.compile(
    r"(?:(?:really|still|usually|often|sometimes|also) )?"
    r"(?:likes?|loves?|enjoys?|prefers?|is into|is fond of|is a fan of|favou?rite|drinks|watches|reads|listens to|"
    r"(?:wants|plans|hopes|would like) to (?:try|learn|see|read|watch|visit|cook|buy|get))\b",
    re.IGNORECASE,
)
_MORE_THAN_TASTE = re.compile(r"\b(?:only|too|free)\b", re.IGNORECASE)  # "Prefers lactose-free milk" is no whim.
PASSING_TOPICS = frozenset({"food", "sport", "music", "stories", "travel", "devices", "vehicle"})


def is_passing(sentence: str, category: str | None) -> bool:
    """Whether the sentence is a taste or a pastime, and surely nothing more."""
    if _OF_TASTE.match(sentence) is None or _MORE_THAN_TASTE.search(sentence) or turns(sentence):
        return False
    if is_constraint(sentence, category) or family(sentence):
        return False
    names_something = any(char.isupper() for char in sentence[1:])
    about = topics(sentence, category)
    return not names_something and bool(about) and about <= PASSING_TOPICS
