"""A pattern: one way people say something lasting about themselves, and the fact that it makes."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from app.clients.offline.voice import capital, neutral, third_person
from app.clients.offline.words import (
    FIRST_NAMES,
    LANGUAGES,
    MONTHS,
    NEVER_NAMES,
    NOT_NAMES,
    PETS,
    RELATIONS,
    VERBS,
    WEEKDAYS,
)

FACT_MAX_CHARS = 200
TOWN_MAX_WORDS = 4  # "salt lake city utah"


def any_of(words: frozenset[str]) -> str:
    """A group of the words, longest first, so that `best friend` is tried before `best`."""
    return "(?:" + "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word))) + ")"


KIN = (
    (
        r"(?P<kin>(?:(?:\d{1,2}[- ]years?[- ]old|younger|older|little|big|twin|best|elder|eldest|oldest|"
        r"youngest|half|new|late|only|baby|former|old) ){0,2}"
    )
    + any_of(RELATIONS)
    + ")"
)
PET = r"(?P<pet>(?:(?!my |the )[a-z-]+ ){0,2}" + any_of(PETS) + ")"
A_PET = any_of(PETS) + r"\b(?! (?:tank|bowl|food|litter|bed|house|person|lover|sitter|toys?)\b)"
COUNT = r"(?P<count>two|three|four|five|six|seven|eight|nine|ten|several|a few|some|no|\d{1,2})"
VERB = r"(?P<verb>" + any_of(VERBS) + ")"
NAME_WORD = r"[^\W\d_][\w'-]*"
NAMED = r"(?:named|called|whose name is|who is called|who is named|by the name of|,|:)"
WHEN = r"(?:(?:on|in|by|this|next|every|tomorrow|today|tonight|from|until) ?.*|" + any_of(WEEKDAYS) + r".*|\d.*)"
OFTEN = (
    r"(?:(?:every|each) \w+|(?:on )?(?:"
    + "|".join(sorted(WEEKDAYS))
    + (
        r")s\b|on (?:the )?(?:weekends?|weekdays|workdays)|daily|weekly|monthly|nightly|"
        r"(?:once|twice|\w+ times) (?:a|per) \w+|in the (?:mornings?|evenings?|afternoons?)|"
        r"at (?:night|noon|midnight|lunch|\d)|most (?:days|mornings|evenings|nights|weekends)|"
        r"before (?:work|bed|breakfast)|after (?:work|school|dinner|lunch)|regularly|all the time|"
        r"for a living|to work|to school)"
    )
)

_TRAILING = re.compile(
    r"[\s,;:.!-]*\b(?:by the way|btw|too|as well|though|lol|haha|lmao|thanks|thank you|please|"
    r"you know|right now|these days|at the moment|very much|a lot|so much|a ton|fyi|ok|okay|actually|"
    r"now|currently|tbh|to be honest|for now|anymore|any longer|instead|if you must know|"
    r"for your information|in fact|already|obviously|of course|in general)[\s.!]*$",
    re.IGNORECASE,
)
_CUT = re.compile(
    r",? (?:because|cuz|cos|but|although|though|which (?:is|are|was)|so (?:i|that|please|you)|"
    r"and (?:it|he|she|they|that) |if you|when you|not that|except that)\b.*$",
    re.IGNORECASE,
)
_NOT_A_THING = re.compile(
    r"(?:it|that|this|these|those|them|him|her|you|yours?|what|how|when|where|why|who|which|is|are|"
    r"was|were|about|most|so|if|not|nothing|everything|anything|something|someone|somebody|one|"
    r"the (?:idea|way|sound|look|thought|one|same|fact)|best|least|"
    r"to (?:know|say|see you|think so|hear)|do|did|does|being here|talking to you|chatting)\b",
    re.IGNORECASE,
)
_NOT_A_PLACE = re.compile(
    r"(?:tears|laughter|sleep|fear|peace|hell|hope|denial|love|trouble|pain|bed|charge|debt|style|"
    r"a (?:hurry|rush|meeting|bad|good|relationship)|here|there|that|this|it|what|where|"
    r"the (?:couch|sofa|floor|table|next|other|"
    r"front|moment|past|future|middle|now|shower|car|bath))\b|.*\b(?:is|are|was)\b",
    re.IGNORECASE,
)
_SMALL_WORDS = frozenset("of the and de la del da do du in on at near by upon le el with a an".split())
_NAME_ENDS = frozenset("who which that and he she but from in is at , - or aka we they because so as".split())
_PROPER = re.compile(
    r"\b(" + "|".join(sorted(WEEKDAYS | LANGUAGES | (MONTHS - {"may", "march"}) - {"sign language"})) + r")(s?)\b"
)
_MAY_OR_MARCH = re.compile(r"\b(may|march)(?= \d)|(?<=\d )(may|march)\b|(?<=th )(may|march)\b|(?<=of )(may|march)\b")


def proper(text: str) -> str:
    """The text with weekdays, months and languages capitalised."""
    text = _PROPER.sub(lambda match: match[1].title() + match[2], text)
    return _MAY_OR_MARCH.sub(lambda match: match[0].title(), text)


def trimmed(words: str) -> str:
    """Without the reason, the `too`, the `lol` and the quotation marks at its ends."""
    words = _CUT.sub("", words)
    shorter = _TRAILING.sub("", words)
    while shorter != words:
        words, shorter = shorter, _TRAILING.sub("", shorter)
    words = words.strip(" ,;:-*~")
    return words if _has_inner_quotes(words) else words.strip("\"'.")


_TRAILING_FILLER = re.compile(
    r"[\s,]+(?:now|currently|right now|at the moment|too|as well|btw|by the way|lol|haha|thanks|"
    r"thank you|though|actually|these days|fyi|tbh|already|for now|nowadays)$",
    re.IGNORECASE,
)


def without_fillers(clause: str) -> str:
    """The clause without `now`, `too`, `lol` and the like at its end; `anymore` stays, since it says something."""
    shorter = _TRAILING_FILLER.sub("", clause)
    while shorter != clause:
        clause, shorter = shorter, _TRAILING_FILLER.sub("", shorter)
    return clause


def _has_inner_quotes(words: str) -> bool:
    return words.count('"') == 2 and not (words.startswith('"') and words.endswith('"'))  # noqa: PLR2004 (a pair)


def _thing(words: str) -> str | None:
    words = trimmed(words)
    return None if not words or _NOT_A_THING.match(words) else neutral(words)


def _place(words: str) -> str | None:
    words = trimmed(words)
    if not words or _NOT_A_PLACE.match(words):
        return None
    if words == words.lower() and not words.startswith(("a ", "an ", "the ", "my ", "our ")):
        words = titled(words)
    return neutral(words)


_NOT_TOWNS = frozenset("tears laughter pity compassion action marketing sales management linux windows android".split())
_TOWN_STARTS = frozenset("new old big little".split())  # "new york", "big sur"


def _town(words: str) -> str | None:
    """A place that people move to; in lower case only what is no everyday word: `seattle`, not `tears by that`."""
    words = trimmed(words)
    bare = [word for word in words.split() if word not in _SMALL_WORDS]
    if words == words.lower() and not words.startswith(("a ", "an ", "the ", "my ", "our ")):
        everyday = (NOT_NAMES | VERBS | _NOT_TOWNS) - _TOWN_STARTS
        if not bare or len(bare) > TOWN_MAX_WORDS or bare[0] in everyday:
            return None
    return _place(words)


def titled(words: str) -> str:
    """Capitals as in names: `rio de janeiro` → `Rio de Janeiro`."""
    return " ".join(
        word if index and word in _SMALL_WORDS else word[:1].upper() + word[1:]
        for index, word in enumerate(words.split())
    )


def said_name(words: str) -> str | None:
    """The name at the head of words that were given as a name ("called …"), or None."""
    return _name(words, said=True)


def plausible_name(words: str) -> str | None:
    """The name at the head of words that may be none ("I am …"): capitalised and no other word, or a common name."""
    return _name(words, said=False)


def _name(words: str, *, said: bool) -> str | None:
    words = trimmed(words)
    parts = words.replace(",", " ,").split()
    if not parts or not re.fullmatch(r"[^\W\d_][\w'.-]{0,30}", parts[0]):
        return None
    length = 1
    if parts[0][0].isupper():
        while length < min(len(parts), 4) and parts[length][0].isupper():
            length += 1
    rest = parts[length:]
    if rest and rest[0].lower() not in _NAME_ENDS:
        return None
    head = parts[0].lower().removesuffix(".")
    if parts[0][0].isupper():
        refused = NEVER_NAMES if said else NOT_NAMES
        name = " ".join(parts[:length])
    else:
        refused = (NOT_NAMES - FIRST_NAMES) if said else NOT_NAMES
        name = titled(parts[0])
        if not said and head not in FIRST_NAMES:
            return None
    return None if head in refused else name.rstrip(".,'")


def _names(words: str) -> str | None:
    """One name or several: `tom, ana and leo` → `Tom, Ana and Leo`."""
    words = re.sub(r" (?:who|which|that|he|she|they|but) .*$", "", trimmed(words), flags=re.IGNORECASE)
    parts = [part for part in re.split(r", and |, | and | & ", words) if part]
    names = [said_name(part) for part in parts]
    good = [name for name in names if name]
    if not good or len(good) != len(parts):
        return good[0] if good and len(parts) > 1 and names[0] else None
    return good[0] if len(good) == 1 else ", ".join(good[:-1]) + " and " + good[-1]


def _tail(words: str) -> str | None:
    words = trimmed(words)
    return f" {neutral(words)}" if words else ""


def _lower(words: str) -> str | None:
    return words.strip().lower()


_DAY = re.compile(
    r"\d|\b(?:" + "|".join(sorted(MONTHS | WEEKDAYS)) + r"|tomorrow|today|christmas|new year|halloween|valentine)",
    re.IGNORECASE,
)


def _date(words: str) -> str | None:
    """A date as it was given; `soon` and `next week` are none, since they say nothing on another day."""
    words = trimmed(words)
    if not _DAY.search(words) or len(words.split()) > 7:  # noqa: PLR2004 (Saturday the 3rd of May in 1990)
        return None
    return re.sub(r"^[a-z]", lambda match: match[0].upper(), words) if words[:3].lower() in _MONTH_STARTS else words


_MONTH_STARTS = frozenset(month[:3] for month in MONTHS)

_CLEANERS: dict[str, Callable[[str], str | None]] = {
    "thing": _thing,
    "place": _place,
    "name": said_name,
    "person": plausible_name,
    "names": _names,
    "tail": _tail,
    "verb": third_person,
    "kin": _lower,
    "pet": _lower,
    "word": lambda words: neutral(words.strip()),
    "lower": _lower,
    "rest": lambda words: words,
    "town": _town,
    "count": _lower,
    "date": _date,
    "gerund": lambda words: third_person(words.lower().removesuffix("ing").replace("smok", "smoke")),
    "job": lambda words: _thing(words) and trimmed(words),
}


@dataclass(frozen=True)
class Pattern:
    expression: re.Pattern[str]
    sentence: str
    """The fact, with the expression's groups in braces; `{a_pet}` puts `a` or `an` before the group.

    `{now}` is the month and the year, so that an age stays true.
    """
    category: str
    changed: bool = False
    """Whether the words say that something else was true before."""
    partial: bool = False
    """Whether the words may say more than the fact keeps."""
    ends: str | None = None
    """The sentence that the words put an end to."""
    only_known: bool = False
    """Whether the fact is worth keeping only in the place of the one that it ends."""

    def fact(self, clause: str, today: date | None) -> tuple[str, str | None] | None:
        """The fact that the clause states and the fact that it ends, or None where the pattern does not hold."""
        match = self.expression.fullmatch(clause)
        if match is None:
            return None
        values = {"now": f"{today:%B %Y}"} if today else {}
        if today is None and "{now}" in self.sentence:
            return None
        for group, words in match.groupdict().items():
            cleaned = "" if words is None else _CLEANERS[group.rstrip("0123456789")](words)
            if cleaned is None:
                return None
            values[group] = cleaned
            values[f"a_{group}"] = with_article(cleaned)
        sentence = capital(proper(" ".join(self.sentence.format(**values).split())))
        return shortened(sentence), capital(self.ends.format(**values)) if self.ends else None

    def left(self, clause: str) -> str | None:
        """What the fact does not keep of a clause that the pattern holds for."""
        match = self.expression.fullmatch(clause) if self.partial else None
        return match["rest"] if match else None


def pattern(
    expression: str,
    sentence: str,
    category: str,
    *,
    changed: bool = False,
    partial: bool = False,
    ends: str | None = None,
    only_known: bool = False,
) -> Pattern:
    return Pattern(re.compile(expression, re.IGNORECASE), sentence, category, changed, partial, ends, only_known)


def with_article(noun: str) -> str:
    if not noun or noun.startswith(("a ", "an ", "the ")):
        return noun
    return ("an " if noun[:1] in "aeiou" else "a ") + noun


def shortened(sentence: str) -> str:
    if len(sentence) <= FACT_MAX_CHARS:
        return sentence
    return sentence[:FACT_MAX_CHARS].rsplit(" ", 1)[0].rstrip(" ,;:-")
