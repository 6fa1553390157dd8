"""Whether a sentence speaks of a day that was or of one that comes: English, pure.

"On Sunday" is the one before in "I saw her on Sunday" and the one to come in "she said she would call on Sunday". The
verb that stands nearest decides, and a modal or an infinitive that depends on another verb counts as one of its own.
"""

import re
from collections.abc import Iterator
from enum import Enum


class Tense(Enum):
    """What the verb nearest to a day says of it."""

    PAST = "past"
    PRESENT = "present"
    """No modal: of a day it means the one to come, or a habit."""
    FUTURE = "future"


_PAST = (
    r"(?:was|were|had|did|went|saw|got|came|left|lost|took|met|said|told|felt|made|gave|found|bought|ran|won|broke|fell|"
    r"spent|slept|ate|drank|began|wrote|drove|flew|sold|sent|paid|heard|built|caught|chose|forgot|grew|kept|knew|learnt|"
    r"lent|spoke|swam|taught|thought|threw|woke|wore|rang|sang|stood|sat|stole|stuck|brought|fought|held|hid|rode|rose|"
    r"shot|shook|swore|tore|understood|became|led|meant|dealt|agreed|freed)"
)
_REGULAR = r"(?:(?!(?:shed|hundred|sacred|naked|fred|alfred|ahmed|mohamm?ed|muhammed)\b)[a-z]{2,}(?<!e)ed)"
_PARTICIPLE = (
    r"(?:been|gone|seen|done|taken|given|written|eaten|fallen|broken|spoken|forgotten|come|become|run|begun|drunk|flown|"
    r"driven|known|shown|worn|chosen|thrown|grown|stolen|put|cut|hit|hurt|set|read|quit)"
)
_DID = rf"(?:{_PAST}|{_REGULAR})"
_DONE = rf"(?:{_PARTICIPLE}|{_DID})"
_SAME_FORM = r"(?:put|cut|hit|hurt|set|read|quit|let|shut|split|cost|bet)"

_NOT = r"(?:n['’]?t)?"
_SUBJECT = r"(?:i|you|he|she|it|we|they|there)"
_ADVERB = (
    r"(?:not|also|just|really|never|always|only|still|even|probably|maybe|definitely|already|all|both|soon|finally|"
    r"actually|then|recently|now|so|very|too|quite|currently|fully|completely)"
)
_BETWEEN = rf"(?:\s(?:{_SUBJECT}|{_ADVERB}))*"
_GOVERNED = rf"{_NOT}{_BETWEEN}(?:\s(?:be|get|have))?(?:\s{_ADVERB})*(?:\s\w+)?"
_NO_PLACE = r"(?!(?:the|a|an|my|his|her|our|their|your|this|that|me|him|us|them|it|you|\d+)\b)"
_TO_DO = rf"\sto\s{_NO_PLACE}(?:be\s|get\s)?\w+"
_MOVING = (
    r"(?:coming|leaving|going|flying|arriving|moving|visiting|starting|driving|travell?ing|getting|having|meeting|"
    r"staying)"
)
_NO_VERB = (  # After a subject: not a verb, or one that is looked for by itself.
    r"(?:and|or|who|that|will|shall|must|may|might|can|could|would|should|gonna|wanna|gotta|ought|want|plan|hope|wish|"
    r"intend|need|have)"
)

# In this order at each place: what governs a verb stands before the verb alone.
_MARK = re.compile(
    rf"""
    (?P<past_perfect>
        (?:\b(?:would|should|could|might|must)|['’]d){_NOT}(?:\s{_ADVERB})*(?:\shave|['’]ve)(?:\s\w+)?
        | ['’]d(?:\s{_ADVERB})*\s(?:been|gone|seen|done|taken|given|written|eaten|{_PAST}|{_REGULAR})\b
    )
    | (?P<future>
        \b(?:said|told|mentioned|texted|wrote|announced|thought|heard|knew)(?:\s(?!{_PAST}\b)[^\s,]+){{0,4}}?\s
            (?:could(?:n['’]?t|\snot)\s\w+|(?:was|were){_NOT}\s{_MOVING}\b)
        | \b(?:told|asked|promised|agreed|decided|offered|arranged|advised|ordered|reminded|allowed|persuaded|
            chose|swore|vowed|booked|hoped|wanted|wished|intended|planned|preferred)
            (?:\s(?!to\b|and\b|but\b|,)[^\s,]+){{0,3}}?{_TO_DO}
        | (?:\b(?:am|is|are|was|were){_NOT}|['’](?:s|m|re))
            (?:\s(?:going|supposed|meant|expected|about|scheduled|due|asked|told|allowed))?{_TO_DO}
        | \b(?:going|about|supposed|(?:want|plan|hope|wish|intend|need|have|has|got|ought)(?:s|es)?|wanting|
            planning|hoping|needing|having){_TO_DO}
        | (?:(?-i:\bwill)|\b(?-i:Will|May)(?=\s{_SUBJECT}\b)|(?-i:\b(?:may|might))|\b(?:won|shan)(?=['’]?t\b)|['’]ll|
            \b(?:shall|must|can|would|should|gonna|wanna|gotta)|\bcould(?!n|\snot)|['’]d|\blet['’]s){_GOVERNED}\b
        | \b(?:invited|invites?|scheduled|rescheduled|postponed|expecting|looking\sforward)\b
    )
    | (?P<governed>\b(?:be|being|get|gets|getting|feels?|looks?|seems?|stays?)(?:\s{_ADVERB})*\s{_DONE}\b
        | \b(?:a|an|the|my|his|our|their|your)\s{_REGULAR}\b)
    | (?P<past>
        \bdid{_NOT}{_BETWEEN}(?:\s\w+)?
        | \b(?:had|used)\sto\s\w+
        | \bcould(?:n['’]?t|\snot)\b
        | (?:\b(?:have|has){_NOT}|['’]ve|\b(?:he|she|it)['’]s){_BETWEEN}\s{_DONE}\b
        | \b(?:was|were|had){_NOT}(?:\s{_SUBJECT}\b)?
        | \b(?:he|she|it|i|we|they)\s(?:{_ADVERB}\s)*{_SAME_FORM}\b
        | \bthank(?:s|\syou)\b
    )
    | (?P<present>
        (?:\b(?:am|is|are|ain){_NOT}|['’](?:m|re)|\b(?:he|she|it|that|there|who|where|what)['’]s)
            {_BETWEEN}(?:\s(?:{_DONE}|\w+ing))?\b
        | ['’]s\s{_MOVING}\b
        | \b(?:have|has|do|does){_NOT}{_BETWEEN}(?:\s(?!{_DID}\b)[a-z]+)?\b
        | \b(?:i|we|they)(?:\s{_ADVERB})*\s(?!\w+n['’]?t\b|(?:{_NO_VERB}|{_DID}|{_ADVERB})\b)
            (?:get\s{_DONE}|[a-z]+(?:\s{_REGULAR})?)\b
        | \b(?:he|she|who)(?:\s{_ADVERB})*\s(?!{_DID}\b|{_ADVERB}\b)[a-z]+s\b
        | \b(?:wants|says|begins|comes|goes|flies|arrives|takes|gets|becomes|sees|thinks|knows|lets|sends|gives|makes|
            tells|happens|brings|asks|seems|expects|intends|(?<!the\s)(?:leaves|opens|closes|starts|works))\b
    )
    | (?P<did>\b{_DID}\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TENSES = {
    "past_perfect": Tense.PAST,
    "past": Tense.PAST,
    "did": Tense.PAST,
    "present": Tense.PRESENT,
    "future": Tense.FUTURE,
}

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_REACH = 200  # Characters: no sentence that anybody texts has its verb farther away.
_ON = re.compile(r"on\b", re.IGNORECASE)
_THANKS = re.compile(r"\bthank", re.IGNORECASE)
_ENDS = re.compile(r"[.!?\n;:“”\"]")
_SINCE = re.compile(r"\bsince\s+(?:last\s+|this\s+)?$", re.IGNORECASE)
_GOAL = re.compile(r"\b(?:for|to)\s+$", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\b[^,;]*\bto\s+$", re.IGNORECASE)
_BEGINS_CLAUSE = re.compile(
    r"(?:^|[,;:(–—]|\b(?:and|but|so|then|because|that|when|if|or|who|which|while))\s*$", re.IGNORECASE
)
_AFTER_A_DAY = re.compile(
    rf"{_DAY}(?:\s(?:morning|afternoon|evening|night))?\s*(?:,|,?\s(?:and|or))\s*$", re.IGNORECASE
)


def tense(text: str, start: int, end: int) -> Tense | None:
    """What the verb nearest to the day at `start` to `end` says of it; None where the sentence has no verb near it.

    Nearest is the last verb before the day, or, where the day begins its clause or is what the verb is said of, the
    first one after it.
    """
    before = _one_spaced(_ENDS.split(text[max(0, start - _REACH) : start])[-1])
    after = _one_spaced(_ENDS.split(text[end : end + _REACH])[0])
    if _SINCE.search(before):
        return Tense.PAST
    if _GOAL.search(before) and not _FROM.search(before) and not _THANKS.search(before):
        return Tense.FUTURE
    told, follows = _last(before), _first(after)
    is_subject = follows is not None and not after[: follows[0]].strip() and not _ON.match(text, start)
    begins = _BEGINS_CLAUSE.search(before) and not _AFTER_A_DAY.search(before)
    return follows[1] if follows is not None and (is_subject or begins or told is None) else told


def _last(words: str) -> Tense | None:
    found = [tense for _, tense in _tenses(words)]
    return found[-1] if found else None


def _first(words: str) -> tuple[int, Tense] | None:
    return next(_tenses(words), None)


def _tenses(words: str) -> Iterator[tuple[int, Tense]]:
    for match in _MARK.finditer(words):
        if match.lastgroup in _TENSES:
            yield match.start(), _TENSES[match.lastgroup]


def _one_spaced(words: str) -> str:
    return re.sub(r"\s+", " ", words)
