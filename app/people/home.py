"""A person's home, by what is known of them: pure."""

import re
from collections.abc import Iterable

from app.models import Fact

_WORD = r"(?=[^\W\d_])(?![a-zß-ÿ])[\w'’.-]+"
_NAME = rf"{_WORD}(?:(?: (?:de|da|do|del|der|la|le|of|the|upon|am|on|sur))* {_WORD})*"
# A fact that begins so is of the person: "Sister lives in Boston" is not.
_AT_HOME = re.compile(
    rf"^(?:now |currently |just |has |is |recently )*(?:lives?|living|resides?|based|moved) (?:in|to|near|outside) "
    rf"(?P<place>{_NAME}(?:, {_NAME})*)",
)
_ODD_ZONES = ("UTC", "GMT", "Etc/")


def home_told(facts: Iterable[Fact]) -> str | None:
    """The place that the newest of these facts says they live in; None where none does."""
    for fact in sorted(facts, key=lambda fact: (fact.fresh_at, fact.id), reverse=True):
        told = fact.sentence[:1].lower() + fact.sentence[1:]
        if found := _AT_HOME.match(told):
            return found["place"].rstrip(".")
    return None


def city_of(zone: str) -> str | None:
    """The city that an IANA zone is called by; None for one that is called by none."""
    if zone.startswith(_ODD_ZONES) or "/" not in zone:
        return None
    return zone.rpartition("/")[2].replace("_", " ")
