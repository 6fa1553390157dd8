"""Facts as they are said to the person."""

import re
from functools import cache

from app.features.offline import english, templates

_OTHERS = r"birthday|anniversary|address|job|blood type|native language|favou?rite"
_LISTS = ("kin", "pet", "beings", "belonging", "event")


def spoken(fact: str) -> str:
    """`Has a dog named Max` → `you have a dog named Max`; `Birthday is May 3` → `your birthday is May 3`."""
    return english.spoken(fact, _of_the_person())


@cache
def _of_the_person() -> re.Pattern[str]:
    nouns = "|".join(templates.listed(name) for name in _LISTS)
    return re.compile(rf"(?:{nouns}|{_OTHERS})(?:'s)?\b", re.IGNORECASE)
