"""Birthdays of others, told and asked in whatever order: `its 4 feb mums birthday`, `Leo's birthday is December 3`."""

import re
from datetime import date

from app.clients.offline.dates import MONTH, month_in_full
from app.clients.offline.patterns import any_of
from app.clients.offline.statements import Said, statement
from app.clients.offline.words import FIRST_NAMES, NOT_NAMES, RELATIONS

_ON = r"(?:\d{1,2}(?:st|nd|rd|th)?|the \d{1,2}(?:st|nd|rd|th))"
_DATE = rf"(?P<date>(?:{_ON}(?: of)? {MONTH}\b\.?|{MONTH}\b\.? (?:the )?\d{{1,2}}(?:st|nd|rd|th)?)(?:,? \d{{4}})?)"
_WHOSE = r"(?P<mine>(?:my|our) )?(?P<who>[^\W\d_][\w-]*?)(?:'s|s'?) birthday"
_TOLD = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_WHOSE}(?: is| falls|,|:| -)?(?: on)?:? {_DATE}",
        rf"(?:(?:it is|it's|its) )?(?:on )?{_DATE}(?: is| it is|,|:| -)? {_WHOSE}",
        rf"(?:it is|it's|its) {_WHOSE},?(?: on)? {_DATE}",
    )
)
_ASKED = re.compile(
    r"(?:(?:and|so),? )?(?:(?:when|what (?:day|date)|which (?:day|date)) (?:is|was) )?"
    r"(?P<mine>(?:my|our) )?(?P<who>[^\W\d_][\w-]*?)(?:'s|s'?) birthday(?: again)?[ ?!.]*",
    re.IGNORECASE,
)
_KIN = re.compile(any_of(RELATIONS), re.IGNORECASE)


def told(clause: str, today: date | None, *, corrects: bool) -> Said | None:
    """The birthday that the clause tells, of somebody close or of whom it calls by name; None for all else."""
    found = next(filter(None, (form.fullmatch(clause.strip(" .!")) for form in _TOLD)), None)
    if found is None:
        return None
    if _KIN.fullmatch(found["who"]):
        return statement(f"my {found['who'].lower()}'s birthday is {_written(found['date'])}", today, corrects=corrects)
    name = _name(found["who"])
    if name is None or found["mine"]:
        return None
    sentence = f"{name}'s birthday is {_written(found['date'])}"
    return Said(sentence, "dates", sentence, corrects=corrects)


def asked(question: str) -> str:
    """The question with the person in it whom it asks for: `when is mums birthday` → `when is my mum's birthday`."""
    found = _ASKED.fullmatch(question.strip())
    if found is None:
        return question
    if _KIN.fullmatch(found["who"]):
        return f"when is my {found['who'].lower()}'s birthday"
    name = None if found["mine"] else _name(found["who"])
    return f"when is {name}'s birthday" if name else question


def is_asked(question: str) -> bool:
    """Whether it asks for the birthday of somebody whom the person may have told of."""
    return asked(question) != question or _ASKED.fullmatch(question.strip()) is not None


def _name(word: str) -> str | None:
    if word[:1].isupper():
        return None if word.lower() in NOT_NAMES else word
    return word.title() if word in FIRST_NAMES else None


def _written(words: str) -> str:
    """The date with its month in full: `4 feb` would end a sentence like an abbreviation does."""
    return re.sub(rf"{MONTH}\b\.?", lambda month: month_in_full(month[0]), words, count=1, flags=re.IGNORECASE)
