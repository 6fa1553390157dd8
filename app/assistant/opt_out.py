"""Whether a text asks, in the person's own words, not to be texted any more. Pure, and without the model.

The law (47 CFR 64.1200(a)(10)) takes any reasonable words, so a wish that is clear counts in whatever form. But an
assistant is spoken to about stopping all day long ("stop reminding me about the gym", "my boss won't stop texting me",
"don't text me before 9"), and one that falls silent by mistake has failed somebody: a clause counts only as a whole.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from app.assistant.opt_out_english import Language
from app.assistant.opt_out_words import LANGUAGES

MAX_CLAUSE_CHARS = 160  # A wish is short; it also bounds what matching can cost.

_ACCENTS = re.compile("[\u0300-\u036f]+")
_APOSTROPHES = re.compile("['’‘ʼ`´]")
_JOINED = re.compile(r"(?<=\w)-(?=\w)")
_LONG = re.compile(r"([^\W\d_])\1{2,}")
_QUOTED = re.compile('"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」')
_SENTENCES = re.compile(r"[.!?;\n\r…。！？।؟¿¡]+")
_CLAUSES = re.compile(r"[,،、，()\u2013\u2014]+|\s-+\s")
_AND = re.compile(r"\b(?:and|but)\b")
_OTHER_SIGNS = re.compile('[^\\w\\s\u0900-\u097f\u0610-\u065f:/"“”„«»「」]|_')  # Emoji and the like; no vowel signs.

_MEANT = {
    "please": "pls plz plse plss pleas plase pleese",
    "text": "txt texf tex tect",
    "texts": "txts txs",
    "texting": "txting txtin textin texing texitng texxting txtn",
    "message": "msg mesage messege massage",
    "messages": "msgs mesages messeges",
    "messaging": "msging messagin mesaging msgin",
    "stop": "stpo sotp tsop stp stopp stoop",
    "unsubscribe": "unsubcribe unsuscribe unsubscibe unsubscrib unsubsribe unsubscrbe usubscribe unsubscripe",
    "sending": "sendin sneding",
    "bothering": "botherin bugging",
    "anymore": "anymor nomore",
    "remove": "rmove remov",
    "with": "w",
    "dont": "dnt donot",
    "me": "mee",
}
_SHORT_FOR = {short: word for word, shorts in _MEANT.items() for short in shorts.split()}
_PHRASES = (
    (re.compile(r"\b(?:the (?:hell|fuck|heck)|tf|fuckin\w*|goddamn|damn|bloody|freaking|effing)\b"), ""),
    (re.compile(r"\bdo not\b|\bdont t\b|\bdon t\b"), "dont"),
    (re.compile(r"\bany more\b"), "anymore"),
)

# Words that make what follows somebody else's, or a text to be written: only the first person's own wish counts.
_NOT_THEIR_OWN = re.compile(
    r"(?<!\bi )\b(?:said|says|saying)\b|\btold (?!you\b|u\b)|\btells?\b|\b(?:yell|scream|shout|sing|sang|sung)\w*"
    r"|\bask(?:ed|s)? (?!you\b|u\b|nicely\b|twice\b|before\b|already\b)\w+ to\b"
    r"|\b(?:write|wrote|writes|draft|compose|translate|reply|respond|lyrics?|song|chorus|story|poem|joke|quote|pretend)\b"
    r"|\b(?:they|he|she|someone|somebody|\w*spam\w*|scam\w*)\b.*\b(?:keeps?|wont|sends?|sending|texts?|texting|list)\b"
    r"|\b(?:dijo|dice|dicen|dile|traduce|significa|cuento|cancion)\b|\b(?:dit|dis lui|traduis|chanson|ecris un)\b"
    r"|\b(?:sagte|sagt|ubersetz\w*|lied)\b|\b(?:disse|diz|traduz|musica)\b|\b(?:detto|traduci|canzone)\b|\b(?:zei|zegt|vertaal)\b"
)
# Words that make it a wish for now, not for ever.
_FOR_A_WHILE = re.compile(
    r"\b(?:until|till|tonight|today|tomorrow|weekends?|while|for now|later)\b|\b(?:before|after) \d"
    r"|\bfor (?:an?|the|one|two|a few|\d+) (?:bit|while|hours?|minutes?|mins?|days?|weeks?|night|day)\b"
    r"|\b(?:im|i am) (?:(?:still|now) )?(?:in|at|on|driving|busy|working|asleep|sleeping|studying|out)\b"
    r"|\b(?:manana|hoy|hasta|esta noche|estoy (?:en|de))\b|\b(?:demain|ce soir|jusqu\w*)\b|\b(?:morgen|heute|bis)\b"
)


def asks_to_stop(text: str) -> bool:
    """Whether the text says clearly that the person wants no more texts, in one of the languages of the table."""
    folded = _folded(text)
    if folded.lstrip().startswith("/"):
        return False
    plain = _plain(folded)
    if not _has_any(_FIRST_LOOK, plain):
        return False
    return any(_is_said(words) for words in dict.fromkeys((_spelled_out(plain), plain)))


def _folded(text: str) -> str:
    """Small letters without accents; Turkish dotless i as i."""
    folded = text.casefold()
    if folded.isascii():
        return folded
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", folded))
    return unicodedata.normalize("NFC", bare).replace("ı", "i")


def _plain(folded: str) -> str:
    """Without apostrophes and what others are quoted with; letters that are drawn out, once."""
    whole = folded.strip()
    if _QUOTED.fullmatch(whole):  # All of it in quotation marks is the person's own.
        whole = whole[1:-1]
    return _LONG.sub(r"\1", _APOSTROPHES.sub("", _JOINED.sub(" ", _QUOTED.sub(" quoted ", whole))))


def _spelled_out(plain: str) -> str:
    words = re.sub(r"\w+", lambda word: _SHORT_FOR.get(word[0], word[0]), plain)
    for pattern, meant in _PHRASES:
        words = pattern.sub(meant, words)
    return words


def _is_said(plain: str) -> bool:
    spoken = [language for language in _LANGUAGES if _has_any(language.stems, plain)]
    if not spoken:
        return False
    whole = _words(_SENTENCES.sub(" ", plain))
    if _is_one(whole, [pattern for language in spoken for pattern in language.whole]):
        return True
    wishes = [language.wish for language in spoken]
    before = ""
    for sentence in _SENTENCES.split(plain):
        clauses = [clause for part in _CLAUSES.split(sentence) for clause in (part, *_AND.split(part))]
        said = (clause for clause in dict.fromkeys((sentence, *clauses)) if _is_one(_words(clause), wishes))
        if (wish := next(said, None)) is not None:
            said_before = before + sentence[: sentence.find(wish)]
            return not _NOT_THEIR_OWN.search(said_before) and not _FOR_A_WHILE.search(sentence)
        before += sentence + " "
    return False


def _words(clause: str) -> str:
    return " ".join(_OTHER_SIGNS.sub(" ", clause).split())


def _has_any(parts: Sequence[str], text: str) -> bool:
    return any(map(text.__contains__, parts))  # Half the time of a generator, on every text there is.


def _is_one(words: str, patterns: Sequence[re.Pattern[str]]) -> bool:
    return 0 < len(words) <= MAX_CLAUSE_CHARS and any(pattern.fullmatch(words) for pattern in patterns)


@dataclass(frozen=True)
class _Compiled:
    """One language, ready to be matched."""

    stems: tuple[str, ...]
    wish: re.Pattern[str]
    """Of a clause."""
    whole: tuple[re.Pattern[str], ...]
    """Of the whole text: a wish, or what is one only when it stands alone."""


def _compiled(language: Language) -> _Compiled:
    wish = _pattern(language, language.wishes)
    whole = (_pattern(language, language.alone), wish) if language.alone else (wish,)
    return _Compiled(tuple(language.stems.split("|")), wish, whole)


def _pattern(language: Language, wishes: tuple[str, ...]) -> re.Pattern[str]:
    space = language.space
    leads = f"(?:(?:{'|'.join(language.leads)}){space})*" if language.leads else ""
    tails = f"(?:{space}(?:{'|'.join(language.tails)}))*" if language.tails else ""
    return re.compile(as_matched(language, f"{leads}(?:{'|'.join(wishes)}){tails}"))


def as_matched(language: Language, pattern: str) -> str:
    """A pattern of the table with its parts filled in, folded as texts are."""
    while (filled := _filled(pattern, language)) != pattern:
        pattern = filled
    return _APOSTROPHES.sub("", _folded(pattern))


def _filled(pattern: str, language: Language) -> str:
    for name, part in language.parts.items():
        pattern = pattern.replace(f"{{{name}}}", part)
    return pattern


_LANGUAGES = tuple(map(_compiled, LANGUAGES))
_STEMS = {stem for language in _LANGUAGES for stem in language.stems}
# Nearly all texts hold none of these, and are done with after this look.
_FIRST_LOOK = tuple(_STEMS | {short for short, word in _SHORT_FOR.items() if any(stem in word for stem in _STEMS)})
