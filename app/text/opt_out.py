"""Opting out and in: the carrier's keywords (STOP, START, HELP), and the wish in the person's own words.

The law (47 CFR 64.1200(a)(10)) accepts any reasonable words, so a plain wish counts in any form. But people often speak
of stopping ("stop reminding me about the gym", "my boss won't stop texting me"), so only a whole clause counts. A wish
that does not say what to stop is unclear, and the person is asked. The words are data: opt_out_words.toml.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from app.text.word_files import read_words

CarrierWord = Literal["STOP", "START", "HELP"]
Wish = Literal["plain", "unclear"]

# Twilio's default keywords for long codes. Only a whole text is one, in any case. A full stop or an exclamation mark
# behind it is ignored, and so is the space in two of them: when in doubt the person has opted out (47 CFR
# 64.1200(a)(10)). Other languages have keywords only if the operator sets them up; Twilio then says which one matched.
# Source: https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out
_STOP = frozenset(
    {"stop", "unsubscribe", "end", "quit", "stopall", "stop all", "revoke", "optout", "opt out", "cancel"}
)
_START, _HELP = frozenset({"start", "unstop"}), frozenset({"help", "info"})

MAX_CLAUSE_CHARS = 160  # A wish is short; the limit also bounds the cost of matching.
SLIPS_FROM_CHARS = 5  # A shorter word with a typo is too often another word.

_ACCENTS = re.compile("[\u0300-\u036f\u200b-\u200f\u2060\ufeff]+")  # And zero-width characters.
_APOSTROPHES = re.compile("['’‘ʼ`´]")
_JOINED = re.compile(r"(?<=\w)-(?=\w)")
_LONG = re.compile(r"([^\W\d_])\1{2,}")
_QUOTED = re.compile('"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」')
_SENTENCES = re.compile(r"[.!?;\n\r…。！？।؟¿¡]+")
_CLAUSES = re.compile(r"[,،、，()\u2013\u2014]+|\s-+\s")
_AND = re.compile(r"\b(?:and|but)\b")
_OTHER_SIGNS = re.compile('[^\\w\\s\u0900-\u097f\u0610-\u065f:/"“”„«»「」]|_')  # Emoji and the like; no vowel signs.
_WORD = re.compile(r"\w+")
_PART = re.compile(r"\{([A-Z_]+)\}")
_LITERAL = re.compile(r"(?<![a-z\\<])[a-z]+(?![a-z?*>])")
_PHRASES = (
    (re.compile(r"\b(?:the (?:hell|fuck|heck)|tf|fuckin\w*|goddamn|damn|bloody|freaking|effing)\b"), ""),
    (re.compile(r"\bdo not\b|\bdont t\b|\bdon t\b"), "dont"),
    (re.compile(r"\bany more\b"), "anymore"),
)


def carrier_word(body: str, opt_out_type: str | None, *, opted_out: bool) -> CarrierWord | None:
    """The carrier keyword that the text is, if any.

    `opt_out_type` is the carrier's own result. `opted_out` is true if the carrier counts the person as opted out: it
    then takes "yes" for START; from anybody else "yes" is an answer.
    """
    if opt_out_type in {"STOP", "START", "HELP"}:
        return opt_out_type  # type: ignore[return-value]
    word = body.strip().rstrip(" \t\r\n.!").casefold()
    if word in _STOP:
        return "STOP"
    if word in _START or (opted_out and word == "yes"):
        return "START"
    return "HELP" if word in _HELP else None


def asks_to_stop(text: str) -> bool:
    """True if the text plainly asks for no more texts, in one of the languages of the table."""
    return opt_out_wish(text) == "plain"


def opt_out_wish(text: str) -> Wish | None:
    """The wish for no more texts in the text, if any."""
    folded = _folded(text)
    if folded.lstrip().startswith("/"):
        return None
    plain = _plain(folded)
    found = {_wish_in(words) for words in dict.fromkeys((_spelled_out(plain), plain))}
    return next((wish for wish in _PLAIN_FIRST if wish in found), None)


def wants_to_stop_all(text: str) -> bool:
    """True if the text, as the answer to our question about what to stop, means everything."""
    return _read(_ALL, _SENTENCES.sub(" ", _CLAUSES.sub(" ", _spelled_out(_plain(_folded(text)))))) is not None


def _folded(text: str) -> str:
    """The text in lower case, without accents, with Turkish dotless i as i."""
    folded = text.casefold()
    if folded.isascii():
        return folded
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", folded))
    return unicodedata.normalize("NFC", bare).replace("ı", "i")


def _plain(folded: str) -> str:
    """The text without apostrophes and quotations, and with drawn-out letters written once."""
    whole = folded.strip()
    if _QUOTED.fullmatch(whole):  # A text entirely in quotation marks is the person's own.
        whole = whole[1:-1]
    return _LONG.sub(r"\1", _APOSTROPHES.sub("", _JOINED.sub(" ", _QUOTED.sub(" quoted ", whole))))


def _spelled_out(plain: str) -> str:
    for pattern, meant in _PHRASES:
        plain = pattern.sub(meant, plain)
    if _MEANT.keys().isdisjoint(_WORD.findall(plain)):  # Nearly always, and it takes a third of the time.
        return plain
    return _WORD.sub(lambda word: _MEANT.get(word[0], word[0]), plain)


def _wish_in(plain: str) -> Wish | None:
    if (whole := _read(_WHOLE, _SENTENCES.sub(" ", plain))) is not None:
        return whole
    unclear, before = False, ""
    for sentence in _SENTENCES.split(plain):
        parts = (sentence, *_CLAUSES.split(sentence))
        clauses = dict.fromkeys((*parts, *(clause for part in parts[1:] for clause in _AND.split(part))))
        read = {clause: _read(_CLAUSE, clause) for clause in clauses}
        if (wish := next((clause for clause, found in read.items() if found == "plain"), None)) is not None:
            of_others = _OTHERS.search(before + sentence[: sentence.find(wish)])
            return None if of_others or _AWHILE.search(sentence) else "plain"
        said = any(read[part] == "unclear" for part in parts)
        unclear = unclear or (said and not _OTHERS.search(before + sentence))
        before += sentence + " "
    return "unclear" if unclear else None


def _read(pattern: re.Pattern[str], clause: str) -> Wish | None:
    """The wish that the clause as a whole is, by a pattern with a group for each kind of wish."""
    words = " ".join(_OTHER_SIGNS.sub(" ", clause).split())
    found = pattern.fullmatch(words) if 0 < len(words) <= MAX_CLAUSE_CHARS else None
    return found and found.lastgroup  # type: ignore[return-value]


def _pattern(**groups: Sequence[str]) -> re.Pattern[str]:
    """A pattern with a named group for each kind of wish, from the table's groups in all languages."""
    tables = _LANGUAGES.values()
    kinds = {kind: "|".join(one for table in tables if (one := _of(table, names))) for kind, names in groups.items()}
    return re.compile("|".join(f"(?P<{kind}>{lines})" for kind, lines in kinds.items()))


def _of(table: Mapping[str, Any], groups: Sequence[str]) -> str:
    def lines(*names: str) -> str:
        return "|".join(line for name in names for line in table.get(name, "").splitlines())

    space = table.get("space", " ")
    leads = f"(?:(?:{lines('leads')}){space})*" if "leads" in table else ""
    tails = f"(?:{space}(?:{lines('tails')}))*" if "tails" in table else ""
    return _filled(f"{leads}(?:{one}){tails}", table) if (one := lines(*groups)) else ""


def _filled(pattern: str, table: Mapping[str, Any]) -> str:
    filled = ""
    while filled != pattern:
        filled, pattern = pattern, _PART.sub(lambda part: table["parts"][part[1]].strip("\n"), pattern)
    return _APOSTROPHES.sub("", _folded(filled))


def _slips(word: str) -> Iterator[str]:
    """Misspellings: a letter left out, doubled, or swapped with its neighbour; the first letter is rarely wrong."""
    for at in range(1, len(word)):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at] + word[at:]
        yield word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :]


def _meant() -> dict[str, str]:
    """The meant word for each misspelling and short form; a known word is never a misspelling."""
    known = {word for pattern in (_WHOLE, _CLAUSE, _ALL) for word in _LITERAL.findall(pattern.pattern)}
    long = sorted(word for word in known if len(word) >= SLIPS_FROM_CHARS)
    meant = {slip: word for word in long for slip in _slips(word) if slip not in known}
    return meant | {short: word for word, listed in _SHORT.items() for short in listed.split()}


_LANGUAGES = read_words(__file__, "opt_out_words.toml")
_OTHERS, _AWHILE = (re.compile("|".join(_LANGUAGES.pop(key).splitlines())) for key in ("others", "awhile"))
_SHORT = _LANGUAGES.pop("short")
_WHOLE = _pattern(unclear=("vague",), plain=("wishes", "alone", "either"))
_CLAUSE = _pattern(plain=("wishes",), unclear=("unclear", "either"))
_ALL = _pattern(plain=("all",))
_MEANT = _meant()
_PLAIN_FIRST: tuple[Wish, ...] = ("plain", "unclear")
