"""The relatives, friends and animals that are spoken of: who `she` is, and what is said of `Ana`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from app.clients.offline.ages import told_ages
from app.clients.offline.patterns import NAME_WORD, any_of, said_name, without_fillers
from app.clients.offline.statements import Said
from app.clients.offline.tables.others import OTHERS
from app.clients.offline.voice import present, spoken, uncapital
from app.clients.offline.words import PETS, RELATIONS

TEXTS_MAX = 6  # A pronoun that goes on about somebody is followed back so far, and no further.

_BEING = any_of(PETS | RELATIONS)
_TOLD_OF = re.compile(
    rf"Has (?:an? |\w+ )?(?:[\w-]+ )*?(?P<kind>{_BEING})(?:, \w+)? named (?P<names>.+?)(?: who .+)?", re.IGNORECASE
)
_JOINED_TO = re.compile(r"Is (?:married|engaged) to (?P<names>[A-Z][\w'-]*)|Is dating (?P<names2>[A-Z][\w'-]*)")
_MENTIONED = re.compile(
    rf"\b(?i:my|our|an?) (?:[\w-]+ ){{0,2}}?(?P<kind>(?i:{_BEING}))\b"
    r"(?:(?:,| named| called|'s name is| is called| is named| is)? (?P<name>[A-Z][\w'-]*))?"
)
_IS_MINE = re.compile(rf"\b(?P<name>[A-Z][\w'-]*) is (?:my|our) (?P<kind>(?i:{_BEING}))\b")
_WITH_KIND = re.compile(
    rf"(?:my|our) (?:[\w-]+ ){{0,2}}?(?P<kind>{_BEING})(?:\b,? |(?='s ))(?P<rest>.*)", re.IGNORECASE
)
_PRONOUNS = ({"he", "his", "him"}, {"she", "her", "hers"}, {"it", "its"})
_SUBJECT = re.compile(r"(?:(?P<who>he|she|it)(?= )|(?P<whose>his|her|its) )", re.IGNORECASE)
_ASKED = re.compile(
    r"\b(?P<who>he|she|him|his|her|its)\b(?P<owns> (?=(?!do\b|does\b|is\b|to\b|in\b|at\b|for\b|on\b)\w))?"
)
_NAMES = re.compile(
    r"(?P<who>his|her|its|he|she|it) (?:name is|is (?:called|named)) (?:actually )?(?P<name>.+)", re.IGNORECASE
)
_HOLDER = re.compile(
    rf"(?P<head>Has an? (?:[\w-]+ )*?(?P<kind>{_BEING}))(?: named (?P<name>{NAME_WORD})(?P<rest>(?: who .+)?))?",
    re.IGNORECASE,
)
_HERS = frozenset(
    "wife girlfriend fiancee daughter sister mother mom mum mama grandmother grandma granny nana aunt niece "
    "granddaughter stepdaughter stepmother stepmom stepsister ex-wife landlady goddaughter mother-in-law sister-in-law "
    "half-sister".split()
)
_HIS = frozenset(
    "husband boyfriend fiance son brother father dad papa grandfather grandpa uncle nephew grandson stepson "
    "stepfather stepdad stepbrother ex-husband landlord godson father-in-law brother-in-law half-brother".split()
)

# Several whom nobody names are not "she".
_PLURALS = frozenset(kind for kind in PETS | RELATIONS if kind.endswith("s") and kind != "boss") | {"children"}


@dataclass(frozen=True)
class Being:
    kind: str
    """`sister`, `dog`, `kids`: the word that was used."""
    name: str | None

    @property
    def subject(self) -> str:
        """The word that facts about them begin with."""
        return self.name or self.kind.capitalize()

    def may_be(self, pronoun: str) -> bool:
        if pronoun.lower() in {"it", "its"}:
            return self.kind in PETS
        return self.kind not in (_HIS if pronoun.lower() in {"she", "her", "hers"} else _HERS)


# A stand-in to see whether a clause says something of anybody.
SOMEBODY = Being("friend", None)


def beings(facts: Sequence[str]) -> list[Being]:
    """All whom the facts name."""
    found = [(match["kind"].lower(), match["names"]) for match in map(_TOLD_OF.fullmatch, facts) if match]
    found += [("partner", match["names"] or match["names2"]) for match in map(_JOINED_TO.match, facts) if match]
    return [Being(kind, name) for kind, names in found for name in re.findall(rf"\b(?!and\b){NAME_WORD}", names)]


def mentioned(text: str, known: Sequence[Being]) -> list[Being]:
    """All of whom the text speaks: those whom it names, and `my sister` where there is no more to it."""
    named = [being for being in known if being.name and re.search(rf"\b{re.escape(being.name)}\b", text, re.IGNORECASE)]
    found = [*_MENTIONED.finditer(text), *_IS_MINE.finditer(text)]
    told = [Being(match["kind"].lower(), said_name(match["name"]) if match["name"] else None) for match in found]
    new = [being for being in told if being.name or being.kind not in _PLURALS]
    for being in new:
        if being.name is None and not any(being.kind in {one.kind, one.kind.removesuffix("s")} for one in named):
            alike = [one for one in known if one.kind == being.kind]
            named.append(alike[0] if len(alike) == 1 else being)
        elif being.name and being.name not in {one.name for one in named}:
            named.append(being)
    return list(dict.fromkeys(named))


def meant_by(pronoun: str, said_before: str, earlier: Sequence[str], known: Sequence[Being]) -> Being | None:
    """The one whom the pronoun can mean: in the same text before it, or in the newest before that text.

    A text that only goes on about `her` leads to the one before it. `earlier` is newest first.
    """
    alike = next((group for group in _PRONOUNS if pronoun.lower() in group), set())
    for index, text in enumerate([said_before, *earlier[:TEXTS_MAX]]):
        fitting = [being for being in mentioned(text, known) if being.may_be(pronoun)]
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
        if index and not alike & set(re.findall(r"\w+", text.lower())):
            return None
    return None


def pronoun_in(clause: str) -> str | None:
    """The pronoun that the clause begins with, where it speaks of somebody."""
    found = _SUBJECT.match(clause)
    return (found["who"] or found["whose"]).lower() if found else None


def begun_with(clause: str, known: Sequence[Being]) -> list[Being]:
    """The being that the clause begins with: a known name, or `my sister`, who may be the one sister that is known."""
    own = _WITH_KIND.fullmatch(clause)
    if own is None:
        return [being for being in known if re.match(rf"{re.escape(being.subject)}\b", clause, re.IGNORECASE)][:1]
    kind = own["kind"].lower()
    alike = [being for being in known if being.kind == kind]
    named = [being for being in alike if re.match(rf"{re.escape(being.subject)}\b", own["rest"], re.IGNORECASE)]
    return named or (alike if len(alike) == 1 else [Being(kind, None)])


def pronoun_asked(question: str) -> str | None:
    """The first pronoun in a question that asks of somebody."""
    found = _ASKED.search(question)
    return found["who"].lower() if found else None


def asked_in_full(question: str, being: Being) -> str:
    """`Where does she live` → `Where does Ana live`."""
    who = being.name or f"my {being.kind}"
    return _ASKED.sub(
        lambda match: (
            f"{who}'s " if match["owns"] and match["who"] in {"his", "her", "its"} else who + (match["owns"] or "")
        ),
        question,
        count=1,
    )


def said_of(clause: str, being: Being, today: date | None, *, corrects: bool) -> list[Said]:
    """What the clause says of the being that it begins with, or with a pronoun for: nothing where it does not last."""
    rest = _rest(clause, being)
    if rest is None:
        return []
    aged = told_ages(f"{being.subject} {rest}", [being.subject], today)
    if aged.ages and not aged.rest:
        return [replace(said, corrects=corrects) for said in aged.ages]
    rest = without_fillers(rest)
    for one in OTHERS:
        found = one.fact(rest, today)
        if found:
            tail = uncapital(found[0])
            sentence = f"{being.subject}{tail}" if tail.startswith("'s ") else f"{being.subject} {tail}"
            category = "pets" if being.kind in PETS else "family"
            return [Said(sentence, category, spoken(present(sentence)), corrects or one.changed)]
    return []


def _rest(clause: str, being: Being) -> str | None:
    """The clause after the word for the being; None where it speaks of another."""
    pronoun = _SUBJECT.match(clause)
    if pronoun:
        if pronoun["who"] and pronoun["who"].lower() == "it" and re.match(r"it is an? ", clause, re.IGNORECASE):
            return None
        return f"'s {clause[pronoun.end() :]}" if pronoun["whose"] else clause[pronoun.end() :].lstrip()
    own = _WITH_KIND.fullmatch(clause)
    if own and own["kind"].lower() == being.kind:
        bare = re.match(rf"{re.escape(being.subject)}\b", own["rest"], re.IGNORECASE)
        clause = (
            own["rest"] if bare else f"{being.subject}{'' if own['rest'].startswith(chr(39)) else ' '}{own['rest']}"
        )
    named = re.match(rf"{re.escape(being.subject)}(?P<rest>'s? .+| .+)", clause, re.IGNORECASE)
    return named["rest"].lstrip() if named else None


def renamed(clause: str, facts: Sequence[str], *, corrects: bool) -> Said | None:
    """The new name of the one pet or relative it can be: one without a name, or, to put it right, the only one."""
    found = _NAMES.fullmatch(clause)
    name = said_name(found["name"]) if found else None
    if found is None or name is None:
        return None
    holders = [holder for holder in map(_HOLDER.fullmatch, facts) if holder]
    fitting = [holder for holder in holders if Being(holder["kind"].lower(), None).may_be(found["who"])]
    choice = [holder for holder in fitting if holder["name"] is None] or (fitting if corrects else [])
    if len(choice) != 1:
        return None
    holder = choice[0]
    sentence = f"{holder['head']} named {name}{holder['rest'] or ''}"
    category = "pets" if holder["kind"].lower() in PETS else "family"
    return Said(sentence, category, spoken(sentence), corrects=True, ends=holder[0])


def name_told(clause: str) -> str | None:
    """The name that the clause gives to somebody whom only a pronoun names."""
    found = _NAMES.fullmatch(clause)
    return said_name(found["name"]) if found else None
