"""How old somebody is, told in passing: `my son Leo is 7 and my daughter Mia, 4`, `two kids, Leo (7) and Mia (4)`."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from app.clients.offline.patterns import any_of, titled, with_article
from app.clients.offline.statements import Said
from app.clients.offline.voice import present, spoken, third_person
from app.clients.offline.words import FIRST_NAMES, NOT_NAMES, PETS, RELATIONS, VERBS

_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_BEING = any_of(PETS | RELATIONS)
_AGE = (
    rf"(?P<number>\d{{1,2}}|{'|'.join(_NUMBERS)})"
    r"(?:[- ](?P<unit>year|month|week)s?(?:[- ]old)?|[- ]?(?:yo|y/o|yrs?)(?:[- ]old)?)?"
)
_NEXT_VERB = rf"(?:{'|'.join(sorted({third_person(verb) for verb in VERBS} | {'is', 'has'}))})"
_NAMED_AND_AGED = re.compile(
    rf"(?P<lead>(?:^|[,:(]|\b(?:and|named|called|are|is|{_BEING})[,:]?) ?)(?P<name>[^\W\d_][\w'-]*)"
    r"(?P<how> ?\((?:aged? )?|,? (?:who (?:is|(?:has )?just turned)|(?:is|has) (?:now|already|just|only) (?:turned )?|"
    rf"is|(?:just |now )?turned|aged?) |, ){_AGE}\)?"
    rf"(?:(?P<more>,? and (?={_NEXT_VERB}\b)|, (?={_NEXT_VERB}\b))|(?:,? (?:now|already))?(?= ?(?:$|[,;.)]|and\b)))",
    re.IGNORECASE,
)
_AGED_AND_NAMED = re.compile(
    rf"\b(?P<article>an? )?(?P<number>\d{{1,2}})[- ](?P<unit>year|month|week)s?[- ]old (?P<kind>{_BEING})\b"
    r"(?P<called>(?: named| called| whose name is|,)? (?P<name>[A-Z][\w'-]*))?",
)
_SPEAKS_OF_BEINGS = re.compile(rf"\b(?:my|our|I have|we have|have|an?)\b.*\b{_BEING}\b", re.IGNORECASE)


@dataclass(frozen=True)
class Told:
    """A sentence without the ages that it tells, and these as facts."""

    rest: str
    ages: list[Said]


def told_ages(sentence: str, names: Collection[str], today: date | None) -> Told:
    """The ages of those whom the sentence names. `names` are those known already; without a date no age is kept."""
    ages: list[Said] = []
    if today is None:
        return Told(sentence, ages)
    known = {name.lower(): name for name in names}
    speaks_of_beings = _SPEAKS_OF_BEINGS.search(sentence) is not None
    pet = re.search(rf"\b{any_of(PETS)}\b", sentence, re.IGNORECASE) is not None

    def kept(name: str, found: re.Match[str]) -> None:
        ages.append(_age(name, found, today, "pets" if pet else "family"))

    def aged_and_named(found: re.Match[str]) -> str:
        kept(found["name"] or found["kind"].capitalize(), found)
        kind = with_article(found["kind"]) if found["article"] else found["kind"]
        return f"{kind}{found['called'] or ''}"

    def named_and_aged(found: re.Match[str]) -> str:
        name = known.get(found["name"].lower()) or (_name(found) if speaks_of_beings else None)
        if name is None:
            return found[0]
        kept(name, found)
        return f"{found['lead']}{name}{' ' if found['more'] else ''}"

    rest = _NAMED_AND_AGED.sub(named_and_aged, _AGED_AND_NAMED.sub(aged_and_named, sentence))
    others = set(re.findall(r"[\w'-]+", rest)) - {"and"}
    return Told("" if others <= {said.sentence.split()[0] for said in ages} else rest, ages)


def _name(found: re.Match[str]) -> str | None:
    """The word as a name: capitalised, a common one, or one with a number in brackets, and no other word."""
    word = found["name"]
    if word.lower() in (NOT_NAMES - FIRST_NAMES) | PETS | RELATIONS:
        return None
    return titled(word) if word[0].isupper() or word in FIRST_NAMES or "(" in found["how"] else None


def _age(name: str, found: re.Match[str], today: date, category: str) -> Said:
    number = str(_NUMBERS.index(found["number"].lower())) if found["number"].lower() in _NUMBERS else found["number"]
    unit = (found["unit"] or "year").lower() + ("" if number == "1" else "s")
    sentence = f"{name} was {number} {unit} old in {today:%B %Y}"
    return Said(sentence, category, spoken(present(sentence)))
