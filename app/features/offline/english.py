"""English as people text it: tidied, split into sentences and clauses, and facts rephrased to address the person."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Any

from app.text.word_files import read_words
from app.text.wording import sentences as parted

TEXT_MAX_CHARS = 6000  # A phone sends at most 1,600 characters in a text; a burst may hold several.
SENTENCES_MAX = 40
ASKED_MAX_WORDS = 10  # A longer question ends with a question mark.
SHOUT_MIN_CHARS = 8  # "I LIKE TEA" is read in lower case; "NASA" is left alone.

_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "´": "'", "`": "'", "“": '"', "”": '"', "–": "-", "—": "-"})


@cache
def read_toml(name: str) -> dict[str, Any]:
    """The tables of the TOML file with that name beside this module."""
    return read_words(__file__, name)


def named_pattern(name: str) -> re.Pattern[str]:
    """The regular expression with that name in `patterns.toml`."""
    return re.compile(read_toml("patterns.toml")[name].replace("\n", ""), re.IGNORECASE)


_LEADS, _ENDS, _CORRECTS, _CLAUSE, _SAME_SUBJECT, _ASKS = map(
    named_pattern, ("leads", "ends", "corrects", "clause", "same_subject", "asks")
)
_IRREGULAR = {"am": "is", "are": "is", "have": "has", "do": "does", "go": "goes"}
_BASE = {"is": "are", "has": "have", "does": "do", "goes": "go", "was": "were"}
_UNCHANGED = frozenset("can cannot will would used grew had got went lost moved quit turned studied no".split())
_IS_VERB = named_pattern("is_verb")
"""Verbs: after a first word in -s they show that it is a noun, as in `Bins go out`."""
_FIRST_PERSON = re.compile(r"\b(?:I am|I|me|my|mine|we|us|our|myself)\b", re.IGNORECASE)
_THIRD_PERSON = re.compile(r"(?<![\w/])(their|them|they)\b(?![/'])")


def tidy(text: str) -> str:
    """The text with straight quotes and single blanks, without emoji, with its contractions written out."""
    text = unicodedata.normalize("NFC", text[:TEXT_MAX_CHARS]).translate(_STRAIGHT).replace("…", "...")
    text = "".join("" if unicodedata.category(one) in {"So", "Sk", "Cf", "Mn", "Cs", "Co"} else one for one in text)
    text = "\n".join(" ".join(line.split()) for line in text.splitlines())
    if len(text) > SHOUT_MIN_CHARS and text.upper() == text:
        text = text.lower()
    return written_out(text, "text")


def written_out(text: str, kind: str) -> str:
    """The text with abbreviations written out, by the lines of that kind in `shorthand.toml`."""
    for short, full in read_toml("shorthand.toml")[kind]:
        text = re.sub(short, full, text, flags=re.IGNORECASE)
    return text


def sentences(text: str) -> list[str]:
    """The sentences of a tidied text; a final question mark stays, other marks at an end are removed."""
    found = [piece.strip(" \t.!;,:-*\"'()") for line in text.split("\n") for piece in parted(line)]
    return [piece for piece in found if piece.strip("? ")][:SENTENCES_MAX]


def clauses(sentence: str) -> list[str]:
    """The clauses of a sentence, each with a subject: `I live in Rome and work as a nurse` has two."""
    found: list[str] = []
    for clause in _CLAUSE.split(sentence):
        first, *others = _SAME_SUBJECT.split(clause) if re.match(r"i\b", clause, re.IGNORECASE) else [clause]
        found += [first, *(f"I {one}" for one in others)]
    return [piece.strip(" ,;:-") for piece in found]


def without_opening(sentence: str) -> tuple[str, bool]:
    """The sentence without its opening words such as `well`, and True if they mark a correction."""
    corrects = False
    while found := _LEADS.match(sentence) or _CORRECTS.match(sentence):
        corrects = corrects or _CORRECTS.match(sentence) is not None
        sentence = sentence[found.end() :]
    return _ENDS.sub("", sentence).strip(), corrects


def asks(sentence: str) -> bool:
    """True if it is a question, or worded as one."""
    is_short = len(sentence.split()) <= ASKED_MAX_WORDS or sentence.lower().startswith("how do i ")
    return sentence.endswith("?") or (is_short and _ASKS.match(sentence) is not None)


def stems(text: str) -> list[str]:
    """The words that carry meaning, roughly stemmed, in order."""
    nothing_meant = set(read_toml("shorthand.toml")["nothing_meant"].split())
    words = re.findall(r"[^\W_]+(?:[-'][^\W_]+)*", text.lower())
    return [_stem(word) for word in words if word.removesuffix("'s") not in nothing_meant]


def _stem(word: str) -> str:
    word = word.removesuffix("'s").replace("favour", "favor")
    word = read_toml("shorthand.toml")["same"].get(word, word)
    if ending := re.search("(erg)(?:ies|ic|y)$|ies$", word):
        return word[: ending.start()] + (ending[1] or "y")
    short = re.sub(r"(?<=\w{3})(?:ing|ed|es|s)$", "", word) if not word.endswith("ss") else word
    return re.sub(r"(?<=\w{3})e$", "", short)


def shortened(words: str, most: int) -> str:
    """The words, cut at a word to at most `most` characters."""
    return words if len(words) <= most else words[:most].rsplit(" ", 1)[0] + "..."


def capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def uncapital(words: str) -> str:
    """The words in the middle of a sentence; `NASA` and names of two letters keep their capitals."""
    return words if words[1:2].isupper() else words[:1].lower() + words[1:]


def third_person(verb: str) -> str:
    """`like` → `likes`, `do not` → `does not`."""
    word, _, rest = verb.lower().partition(" ")
    if word in _IRREGULAR:
        word = _IRREGULAR[word]
    elif word not in _UNCHANGED and not word.endswith("s"):
        word = re.sub(r"(?<=[^aeiou])y$", "ie", word) + ("es" if word.endswith(("sh", "ch", "x", "o")) else "s")
    return f"{word} {rest}".strip()


def neutral(words: str) -> str:
    """The person's words in the third person: `my wife` → `their wife`."""
    return _said_to("to_them", words)


def to_you(words: str) -> str:
    """The person's words addressed to them: `call my mother` → `call your mother`."""
    return _said_to("to_you", words)


def _said_to(whom: str, words: str) -> str:
    """The words with other pronouns; a capital within them belongs to a title: `Be Thou My Vision`."""
    pronouns = read_toml("shorthand.toml")[whom]

    def said_to(found: re.Match[str]) -> str:
        is_of_title = found.start() > 0 and found[0][0].isupper() and not found[0].startswith("I")
        return found[0] if is_of_title else pronouns[found[0].lower()]

    return _FIRST_PERSON.sub(said_to, words)


def spoken(fact: str, owned: re.Pattern[str]) -> str:
    """A fact addressed to the person: `Has a dog named Max` → `you have a dog named Max`; `owned` ones get `your`."""
    sentence = _THIRD_PERSON.sub(
        lambda found: read_toml("shorthand.toml")["to_you"][found[1]], fact.strip().rstrip(".")
    )
    first, _, rest = sentence.partition(" ")
    verb = first.lower()
    if owned.match(sentence):
        return f"your {uncapital(sentence)}"
    if verb in _BASE or verb in _UNCHANGED:
        return f"you {_BASE.get(verb, verb)} {rest}"
    if verb.endswith("s") and not verb.endswith(("ss", "'s")) and not _IS_VERB.match(rest):
        base = re.sub(r"(?<=sh|ch)es$|(?<=[xo])es$|s$", "", re.sub("ies$", "ys", verb))
        return f"you {base} {rest}".strip()
    return sentence if first.lower() not in {"the", "a", "an", "there"} else uncapital(sentence)


def joined(phrases: Sequence[str]) -> str:
    *others, last = phrases
    return f"{', '.join(others)} and {last}" if others else last
