"""What one clause states: the fact that it makes, in the third person and as it is said back."""

import re
from dataclasses import dataclass
from datetime import date

from app.clients.offline.patterns import FACT_MAX_CHARS, proper, shortened, trimmed, without_fillers
from app.clients.offline.tables import PATTERNS
from app.clients.offline.voice import ADVERBS, capital, neutral, present, spoken, third_person, told, uncapital
from app.clients.offline.words import VERBS

_SELF_ADVERB = re.compile(
    r"^(I)((?: am| have(?= \w+(?:ed|en)\b))?)(?: (?:really|also|just|absolutely|actually|truly|still|"
    r"now|currently|recently|finally|honestly|totally|definitely|genuinely|simply|do|kind of|sort of|"
    r"personally|already|pretty much|quite|very much|especially|particularly|mainly|secretly))+ "
    r"(?!not\b)",
    re.IGNORECASE,
)


_CHANGED = re.compile(
    r"^I(?: am)? (?:now|no longer|recently|finally)\b|\b(?:now|nowadays|instead|from now on|anymore|"
    r"any longer|these days)[ .!]*$",
    re.IGNORECASE,
)


# "Love pizza", "Allergic to nuts": texts often leave the subject out.
_SUBJECTLESS = (
    (
        re.compile(
            r"(?:love|hate|dislike|enjoy|adore|"
            r"do not (?:like|love|enjoy|eat|drink|smoke|have|speak|drive)|"
            r"cannot (?:stand|eat|drink|tolerate)|keep (?:kosher|halal)|"
            r"live in(?= [A-Z])|work as|moved to(?= [A-Z]))\b",
            re.IGNORECASE,
        ),
        "I ",
    ),
    (
        re.compile(
            r"(?:allergic to|not (?:an? )?(?:big |huge )?fan of|married to|based in|originally from)\b", re.IGNORECASE
        ),
        "I am ",
    ),
    (re.compile(r"born and raised in\b", re.IGNORECASE), "I was "),
)
_COMMA_NOT_TAIL = re.compile(r", (?:and )?not (?!to |a fan)[^,]{1,40}$", re.IGNORECASE)
NOT_TAIL = re.compile(r",? (?:and )?not (?!to |a fan)[^,]{1,40}$", re.IGNORECASE)


_IN_FACT = re.compile(r"\b(is|are) (?:actually|really|now|in fact|currently) ", re.IGNORECASE)


_I_WE = re.compile(
    r"^we (?=(?:have|live|moved|are from|got|adopted|own|speak|love|like|relocated|just moved|bought)\b)", re.IGNORECASE
)


_WE_ARE = re.compile(
    r"^we are (?=expecting|from|getting|moving|married|engaged|vegetarian|vegan|having|based|living|"
    r"jewish|muslim|christian)",
    re.IGNORECASE,
)


_GOT = re.compile(
    r"^I (?:just |recently |have just |also )*(?:got|adopted|have got|rescued|bought|"
    r"have adopted)(?= (?:myself )?(?:an?|two|three|another) )",
    re.IGNORECASE,
)


_DENIAL = re.compile(
    r"I am (?P<how>not|no longer) (?:(?:really|actually|even) )?(?P<what>.+?)(?: anymore| any longer)?", re.IGNORECASE
)


_KIN_CATEGORY = {
    "work": ("boss", "manager", "colleague", "coworker", "co-worker", "assistant", "mentor"),
    "health": ("doctor", "dentist", "therapist"),
}


@dataclass(frozen=True)
class Said:
    """One fact that the person stated."""

    sentence: str
    category: str
    to_person: str
    """The same, said to the person: `you like tea`."""
    corrects: bool = False
    """Whether it was said to put something right, or to tell of a change."""
    ends: str | None = None
    """The sentence that it puts an end to, where the words name it."""
    left: str | None = None
    """What the words said besides, where the fact keeps only a part of them."""
    only_known: bool = False
    """Worth keeping only in the place of the fact that it ends: "I'm not a nurse" alone says little."""


def statement(clause: str, today: date | None, *, corrects: bool = False, whole: bool = False) -> Said | None:
    """The fact that a clause states, by the first pattern that holds; with `whole` only by one that keeps all of it."""
    clause = _WE_ARE.sub("I am ", _I_WE.sub("I ", clause))
    changed = bool(_CHANGED.search(clause))
    clause = _SELF_ADVERB.sub(r"\1\2 ", clause)
    clause = without_fillers(_GOT.sub("I have", clause))
    clause, told_apart = _IN_FACT.subn(r"\1 ", clause, count=1)
    corrects = corrects or bool(told_apart)
    clause, cut = (NOT_TAIL if corrects else _COMMA_NOT_TAIL).subn("", clause)
    corrects = corrects or bool(cut)
    clause = _subject_added(clause)
    for pattern in PATTERNS:
        found = None if whole and pattern.partial else pattern.fact(clause, today)
        if found:
            sentence, ends = found
            return Said(
                sentence,
                _category(pattern.category, sentence),
                spoken(present(sentence)),
                corrects or changed or pattern.changed,
                ends,
                pattern.left(clause),
                pattern.only_known,
            )
    return _denied(clause, today)


def _subject_added(clause: str) -> str:
    return next((subject + clause for start, subject in _SUBJECTLESS if start.match(clause)), clause)


def _denied(clause: str, today: date | None) -> Said | None:
    """`I'm no longer a nurse`: the end of what `I'm a nurse` would state."""
    denial = _DENIAL.fullmatch(clause)
    was = statement(f"I am {denial['what']}", today) if denial else None
    if denial is None or was is None or was.ends:
        return None
    if was.sentence.startswith("Is "):
        sentence = f"Is {denial['how'].lower()} {was.sentence.removeprefix('Is ')}"
    else:
        sentence = f"No longer {uncapital(was.sentence)}"
    return Said(sentence, was.category, spoken(sentence), corrects=True, ends=was.sentence, only_known=True)


def _category(category: str, sentence: str) -> str:
    if category != "kin":
        return category
    for other, kin in _KIN_CATEGORY.items():
        if any(re.search(rf"\b{word}s?\b", sentence, re.IGNORECASE) for word in kin):
            return other
    return "family"


# Any of these makes a sentence of what is to be remembered; without one it is a thing: "remember the milk".
_SAYS = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|can|cannot|does|do|did|needs?|comes?|goes|starts?|ends?|"
    rf"{'|'.join(sorted(third_person(verb) for verb in VERBS))}|\w+ed)\b",
    re.IGNORECASE,
)


def verbatim(words: str) -> Said | None:
    """What they asked to be remembered, in their words but the third person: `my locker is 42` → `Locker is 42`."""
    words = trimmed(words)
    mine = re.match(r"(?:my|our) ", words, re.IGNORECASE)
    own = re.match(
        rf"I (?P<adverb>(?:(?:{'|'.join(sorted(ADVERBS))}) )*)(?P<verb>[\w']+)(?P<rest>.*)", words, re.IGNORECASE
    )
    if len(words.split()) < 2 or len(words) > 2 * FACT_MAX_CHARS:  # noqa: PLR2004 (one word is no statement)
        return None
    if own:
        sentence = f"{own['adverb']}{_third(own['verb'], own['rest'])}"
    else:
        sentence = neutral(words[mine.end() :] if mine else words)
    whole = shortened(capital(proper(sentence.strip())))
    to_person = f"your {uncapital(whole)}" if mine else spoken(whole)
    if mine or own:
        return Said(whole, "other", to_person.replace(" their ", " your "))
    errand = words.split()[0].lower() in VERBS or not _SAYS.search(words)
    return Said(whole, "other", f"you noted: {told(words)}" if errand else told(words))


def _third(verb: str, rest: str) -> str:
    if verb.lower() == "do" and rest.lower().startswith(" not"):
        return "does" + neutral(rest)
    return third_person(verb) + neutral(rest)
