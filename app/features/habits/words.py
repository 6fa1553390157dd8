"""Words of habits: wishes that could come by themselves, and corrections of how a person is answered. Pure.

Words show the kind of a text only roughly. In doubt a text is no wish: a missed one is merely not suggested, and a
wrong suggestion is a text that nobody wanted. A correction is a text that says nothing else and follows at once on what
it corrects; a manner in no list counts only in words that correct ("no, …", "without …"). A form ("as bullets") may
stand in any wish. The words themselves are data: words.toml.
"""

import re
from dataclasses import dataclass

from app.text.own_words import says_yes
from app.text.word_files import read_words
from app.text.wording import folded, normalise, subjects

LONGEST_CHARS = 160  # One text; a longer one tells something, or asks for something that does not repeat.
NAMED_WORDS = 4  # "weather in Lima today": this few words without a verb are a wish.
MOST_WORDS = 8  # Of a correction, and of a plain yes or no: a longer text says something else too.
SHORTENED_TO = 6  # Letters: in all these languages endings differ, and beginnings rarely do.

_READ = read_words(__file__, "words.toml")


def _pattern(words: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile(words.replace("\n", ""), flags)


_SMALL_TALK, _ASKS, _BIDS = _pattern(_READ["small_talk"]), _pattern(_READ["asks"]), _pattern(_READ["bids"])
_TELLS, _GIVEN, _SCHEDULES = _pattern(_READ["tells"]), _pattern(_READ["given"]), _pattern(_READ["schedules"])
_HARD, _NO = _pattern(_READ["hard"]), _pattern(_READ["no"])
_NOTES = re.compile(r"\d|[!…]$")  # "72.4", "weight 71.8 today", "home!"
_CORRECTS = _pattern(_READ["corrects"], re.IGNORECASE | re.DOTALL)
_NOT_THAT, _NO_CORRECTION = _pattern(_READ["not_that"]), _pattern(_READ["no_correction"])
_OF_EVERY_WISH = subjects(folded(_READ["of_every_wish"]))
_BESIDE_CORRECTION = frozenset(folded(_READ["beside_correction"]).split())
_BESIDE_YES = frozenset(folded(_READ["beside_yes"]).split())


@dataclass(frozen=True)
class Manner:
    key: str  # The same for all words that ask for it.
    procedure: str  # In the words of a rule.
    is_form: bool = False  # True if it counts inside a wish, too.


def _manners() -> list[tuple[Manner, str]]:
    found = [(Manner(one["key"], one["procedure"], "is_form" in one), one["words"]) for one in _READ["manners"]]
    lead = r"(?:(?:in|en|auf|im|als|use|with|as|into|convert to|speak|habla|sprich) (?:the )?)?"
    for kind, says in (("languages", "Answer in"), ("units", "Give figures in")):
        found += [(Manner(f"in {name}", f"{says} {name}"), f"{lead}(?:{of})") for name, of in _READ[kind].items()]
    return found


_MANNERS = [(manner, _pattern(rf"(?<!\w)(?:{of})(?!\w)")) for manner, of in _manners()]


def is_wish(words: str) -> bool:
    """True if the text asks for something that could come by itself as well."""
    said = words.strip()
    if not said or len(said) > LONGEST_CHARS or said.startswith("/"):
        return False
    if is_hard(said) or _SCHEDULES.search(said) or _GIVEN.search(said) or _SMALL_TALK.search(said) or not matter(said):
        return False
    if _ASKS.search(said) or _BIDS.search(said):
        return True
    return len(said.split()) <= NAMED_WORDS and not _TELLS.search(said) and not _NOTES.search(said)


def is_hard(words: str) -> bool:
    """True if it speaks of worry, illness, grief or danger."""
    return _HARD.search(words) is not None


def matter(words: str) -> frozenset[str]:
    """The subject of a wish: its words without those that every wish has, each shortened to its beginning."""
    return frozenset(word[:SHORTENED_TO] for word in subjects(folded(words)) if word and word not in _OF_EVERY_WISH)


def shared(one: frozenset[str], other: frozenset[str]) -> float:
    """Likeness of two wishes by their words, 0 to 1 (Dice)."""
    return 2 * len(one & other) / (len(one) + len(other)) if one & other else 0.0


def manner_asked_for(words: str) -> Manner | None:
    """The manner that the text asks for, if it says nothing else."""
    said = " ".join(words.split())
    if not 0 < len(said.split()) <= MOST_WORDS:
        return None
    for manner, pattern in _MANNERS:
        if pattern.search(said):
            rest = _NOT_THAT.sub(" ", pattern.sub(" ", said))
            if not set(folded(rest).split()) - _BESIDE_CORRECTION:
                return manner
    found = _CORRECTS.match(said)
    if found is None or "?" in said or _NO_CORRECTION.search(said):
        return None
    if not set(folded(found["what"]).split()) - _BESIDE_CORRECTION:
        return None
    return Manner(f"words {normalise(said)}", f'Mind what they keep correcting: "{said.strip(" .!")}"')


def form_asked_for(words: str) -> Manner | None:
    return next((one for one, pattern in _MANNERS if one.is_form and pattern.search(words)), None)


def said_in_rule(procedure: str) -> set[str]:
    """The keys of all manners that a rule mentions."""
    return {manner.key for manner, pattern in _MANNERS if pattern.search(procedure)}


def says_no(words: str) -> bool:
    return _NO.search(words) is not None


def is_short(words: str) -> bool:
    return len(words.split()) <= MOST_WORDS and "?" not in words


def is_plain_yes(words: str) -> bool:
    return is_short(words) and says_yes(words) and not set(folded(words).split()) - _BESIDE_YES
