"""What a clause states of somebody whom memory knows already: `Maya is 8`, `his name is Milo`."""

import re
from collections.abc import Sequence

from app.clients.offline.patterns import any_of, said_name
from app.clients.offline.statements import Said
from app.clients.offline.voice import spoken
from app.clients.offline.words import PETS, RELATIONS

_AGE = re.compile(
    r"(?P<name>[^\W\d_][\w'-]*) (?:is|turned|just turned) (?:now )?(?P<age>\d{1,2})(?: years? old)?", re.IGNORECASE
)
_NAMES = re.compile(r"\bnamed (?P<names>[^.]+)")
_WHOSE = re.compile(
    r"(?P<who>his|her|its|he|she|it) (?:name is|is (?:called|named)) (?:actually )?(?P<name>.+)", re.IGNORECASE
)
_HOLDER = re.compile(
    rf"(?P<head>Has an? (?:[\w-]+ )*?(?P<kind>{any_of(PETS | RELATIONS)}))"
    r"(?: named (?P<name>[^\W\d_][\w'-]*)(?P<rest>(?: who .+)?))?",
    re.IGNORECASE,
)
_HERS = frozenset(
    "wife girlfriend fiancee daughter sister mother mom mum mama grandmother grandma granny nana aunt niece "
    "granddaughter stepdaughter stepmother stepmom stepsister ex-wife landlady goddaughter".split()
)
_HIS = frozenset(
    "husband boyfriend fiance son brother father dad papa grandfather grandpa uncle nephew grandson stepson "
    "stepfather stepdad stepbrother ex-husband landlord godson".split()
)


def age_of_known(clause: str, facts: Sequence[str]) -> Said | None:
    """The age of somebody whom a fact names; None for a stranger."""
    found = _AGE.fullmatch(clause)
    name = _known_name(found["name"], facts) if found else None
    if found is None or name is None:
        return None
    sentence = f"{name} is {found['age']} years old"
    return Said(sentence, "family", spoken(sentence))


def _known_name(word: str, facts: Sequence[str]) -> str | None:
    named = [match["names"].partition(" who ")[0] for match in map(_NAMES.search, facts) if match]
    names = [name for words in named for name in re.findall(r"\b[A-Z][\w'-]*", words)]
    return next((name for name in names if name.lower() == word.lower()), None)


def renamed(clause: str, facts: Sequence[str], *, corrects: bool) -> Said | None:
    """The new name of the one pet or relative it can be: one without a name, or, to put it right, the only one."""
    found = _WHOSE.fullmatch(clause)
    name = said_name(found["name"]) if found else None
    if found is None or name is None:
        return None
    all_of_them = [
        holder for holder in map(_HOLDER.fullmatch, facts) if holder and _may_be(found["who"], holder["kind"])
    ]
    nameless = [holder for holder in all_of_them if holder["name"] is None]
    choice = nameless or (all_of_them if corrects else [])
    if len(choice) != 1:
        return None
    holder = choice[0]
    sentence = f"{holder['head']} named {name}{holder['rest'] or ''}"
    category = "pets" if holder["kind"].lower() in PETS else "family"
    return Said(sentence, category, spoken(sentence), corrects=True, ends=holder[0])


def tells_a_name(clause: str) -> bool:
    """Whether the clause gives a name to somebody whom only a pronoun names."""
    return bool(_WHOSE.fullmatch(clause))


def _may_be(pronoun: str, kind: str) -> bool:
    kind = kind.lower()
    if pronoun.lower() in {"its", "it"}:
        return kind in PETS
    return kind not in (_HIS if pronoun.lower() in {"her", "she"} else _HERS)
