"""The person's own words in a turn's texts, without forwarded or quoted ones; and the person's yes. Pure.

Only the person's own words may make a rule or teach a fact. Words that are not plainly their own count as somebody
else's: the person is then asked, and a yes is enough. The words are data: own_words.toml.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.text.word_files import expressions, read_words
from app.text.wording import contains_phrase, subjects

NAME_WORDS = 2  # A quotation of up to so many words is a name ("quick update"); a longer one is speech.
TOLD_SHARE = 0.5  # Share of a sentence's words: one shared by chance ("look", "my") is not enough.


@dataclass(frozen=True)
class Written:
    """A text as it came."""

    words: str
    forwarded: bool = False  # True if the carrier marks it as forwarded.


_READ = read_words(__file__, "own_words.toml")
_SAYS = expressions(_READ["expressions"])
# A straight quotation mark behind a letter or a digit opens nothing: 5'11", an "s.
_QUOTATION = re.compile(r"(?:(?<!\w)\"|[“„«‹「『])[^\"“”„«»‹›「」『』]*(?:[\"“”»›」』]|\Z)")
_QUOTED_LINE = re.compile(r"^[ \t]*[>|].*$", re.MULTILINE)
_HANDED_ON, _YES, _KEEPS = (
    re.compile(_SAYS[name], re.IGNORECASE | re.MULTILINE) for name in ("handed_on", "yes", "keeps")
)
# If the text after the head is marked as a quotation, it ends with its marks.
_MARKED_SPEECH = re.compile(
    rf"(?:{_HANDED_ON.pattern})\s*(?:{_QUOTATION.pattern}|(?:^[ \t]*[>|].*\n?)+)", re.IGNORECASE | re.MULTILINE
)

_OF_EVERY_RULE = subjects(_READ["of_every_rule"])


def own_words(texts: Sequence[Written], *, names: bool = False) -> str:
    """The person's own words; with `names`, quotations of at most `NAME_WORDS` words are included."""
    told = "\n".join(text.words for text in texts if not text.forwarded)
    told = _MARKED_SPEECH.sub(" ", told)
    head = _HANDED_ON.search(told)
    told = told[: head.start()] if head else told
    told = _QUOTATION.sub(lambda one: one[0] if names and _names(one) else " ", told)
    return _QUOTED_LINE.sub("", told).strip()


def holds_others_words(texts: Sequence[Written]) -> bool:
    """True if these texts hold words that are not the person's own: forwarded, or quoted at length."""
    told = "\n".join(text.words for text in texts)
    quoted = not all(map(_names, _QUOTATION.finditer(told)))
    handed_on = any(text.forwarded for text in texts) or _HANDED_ON.search(told) or _QUOTED_LINE.search(told)
    return bool(quoted or handed_on)


def is_in_others_words(sentence: str, own: str, texts: Sequence[Written]) -> bool:
    """True if the sentence adds words to the person's own, and all of them are in others' words of these texts."""
    others = (subjects(text.words) - subjects(own_words([text], names=True)) for text in texts)
    more = subjects(sentence) - subjects(own)
    return bool(more) and more <= frozenset[str]().union(*others)


def is_echo(sentence: str, own: str, shown: Sequence[str]) -> bool:
    """True if a fact repeats words `shown` from memory in this turn that the person has not said now."""
    words = subjects(sentence)
    return not is_told(sentence, own) and any(len(words & subjects(text)) > TOLD_SHARE * len(words) for text in shown)


def is_told(sentence: str, words: str, *, matter_alone: bool = False) -> bool:
    """True if `words` hold a `TOLD_SHARE` of the sentence's words; `matter_alone` leaves out those of every rule."""
    said = subjects(sentence)
    said = (said - _OF_EVERY_RULE or said) if matter_alone else said
    return bool(said) and len(said & subjects(words)) >= TOLD_SHARE * len(said)


def says_yes(words: str) -> bool:
    """True if a line begins with a yes or asks to keep a rule."""
    return bool(_YES.search(words) or _KEEPS.search(words))


def tells_rule(words: str, everything: str, phrase: str | None, procedure: str, *, strictly: bool) -> bool:
    """True if the person's own words tell this rule; its phrase, if any, must be in `everything` they sent.

    Words in nearly every rule count only if `strictly` is set, which is for turns with words of others.
    """
    if phrase is not None and not contains_phrase(everything, phrase):
        return False
    return is_told(procedure, words, matter_alone=not strictly)


def _names(quotation: re.Match[str]) -> bool:
    return len(quotation[0].split()) <= NAME_WORDS
