"""Split a text into sentences, in any language, and compare the wording of sentences: pure.

A point in an abbreviation, an initial, a number or an address ends no sentence. A doubtful point ends none either: if
one half must be left out, the whole is. The words are data: wording.toml.
"""

import re
import unicodedata
from collections.abc import Iterator

from app.clock import WEEKDAYS
from app.text.word_files import expressions, read_words

# Blanks after a mark that may end a sentence, with closing quotation marks between them; the end of a line; and Chinese
# and Japanese marks, which need no blank after them. Source of the marks: Unicode, property Sentence_Terminal.
_MAY_END = re.compile(
    r"(?<=[.!?…؟۔।॥։።။។])[\"'”’»)\]]*+(?P<blanks>\s+)|(?P<line>\n+)|(?<=[。！？｡])(?P<closed>[」』”’）)\"']*+)(?P<none>\s*)(?![。！？｡」』])"
)
_READ = read_words(__file__, "wording.toml")
_TITLE_WORDS, _DAYS_WITH_A_CAPITAL, _BEFORE_A_NUMBER, _STOP_WORDS, _TURNING = (
    frozenset(_READ[name].split())
    for name in ("titles", "days_with_a_capital", "before_a_number", "stop_words", "turning")
)
_SHORTENED_WORDS = frozenset(f"{_READ['shortened']} {_READ['months_and_days']}".split())
_WRITTEN = expressions(_READ["expressions"])
_BEGINS, _DAY = re.compile(_WRITTEN["begins"]), re.compile(_WRITTEN["day"], re.IGNORECASE)
_BEFORE = re.compile(r"[^\s(\"“'‘«]+$")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]", re.UNICODE)  # "a.m", "U.S", "J.R.R".
_LAST_DAY = 31
_LONGEST = 24  # Characters looked at before and after a point.


def sentences(words: str) -> list[str]:
    """The sentences without the blanks between them; always at least one, which may be empty."""
    found, place = [], 0
    for start, end in breaks(words):
        found.append(words[place:start])
        place = end
    return [*found, words[place:]]


def breaks(words: str) -> Iterator[tuple[int, int]]:
    """Start and end of the blanks between sentences; they are empty in scripts that need none."""
    for found in _MAY_END.finditer(words):
        start, end = next(found.span(name) for name in ("line", "blanks", "none") if found.span(name) != (-1, -1))
        if start > 0 and end < len(words) and _ends(words, found, start, end):
            yield start, end


def _ends(words: str, found: re.Match[str], start: int, end: int) -> bool:
    if found["line"] is not None or "\n" in words[start:end]:
        return True
    after = words[end : end + _LONGEST]
    if found["none"] is not None:
        return start < end or not found["closed"]  # A quotation may go on: 「行く。」と言った。
    if start > found.start() and after[0].islower():
        return False  # "Really?" she asked.
    stop = words[max(0, found.start() - 3) : found.start()]
    if stop.endswith(("…", "..")):
        return not after[0].islower()
    return not stop.endswith(".") or _ends_with_a_point(
        words[max(0, found.start() - _LONGEST) : found.start() - 1], after
    )


def _ends_with_a_point(before: str, after: str) -> bool:
    """True if the point between the two ends a sentence, and not an abbreviation or a number."""
    written = _BEFORE.search(before)
    if written is None:
        return True
    word = written[0].casefold()
    if word in _TITLE_WORDS or (word in _BEFORE_A_NUMBER and after[0].isdigit()):
        return False
    if word.isdecimal():
        begins_line = not before[: written.start()].rsplit("\n", 1)[-1].strip() and len(before) < _LONGEST
        return not begins_line and not (int(word[:3]) <= _LAST_DAY and _DAY.match(after))
    is_initial = len(word) == 1 and word.isalpha() and word != "i"
    is_shortened = word in _SHORTENED_WORDS or written[0] in _DAYS_WITH_A_CAPITAL
    if is_initial or is_shortened or _DOTTED.fullmatch(word):
        return _BEGINS.match(after) is not None
    return True


# Letters of scripts without spaces between words, or, like Korean, with endings that no stemmer here knows: Thai, Lao,
# Burmese, Khmer, Japanese, Chinese, Korean. Source: the Unicode Standard, blocks.
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff]+"
)

# Marks that people often leave out: accents, Hebrew and Arabic vowels.
MARKS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]")

SHORTEST_STEM = 3  # "bus" stays "bus".
ALIKE = 0.5  # From this overlap on, two facts or rules are shown to the model as possibly the same.

_ONE_WORD: dict[str, str] = _READ["one_word"]
_SYNONYMS = {word: one for one, words in _ONE_WORD.items() for word in words.split()}
_PREDICATES, _MEASURES = _READ["predicates"].split(), [*_READ["measures"].split(), *WEEKDAYS]


def normalise(sentence: str) -> str:
    """The sentence without case, spacing and punctuation; equal results make two facts the same fact.

    Symbols stay (`C++` is not `C`), and so does `#`; apostrophes vanish (`dont` is `don't`).
    """
    if sentence.isascii():  # The usual case: a table is ten times faster, and a thousand facts are compared at once.
        return " ".join(sentence.translate(_PLAIN).casefold().split())
    text = unicodedata.normalize("NFKC", sentence).casefold()
    return " ".join("".join(_plain(char) for char in text).split())


def _plain(char: str) -> str:
    if char in "'’ʼ`":
        return ""
    return char if char == "#" or unicodedata.category(char)[0] not in "PZC" else " "


_PLAIN = {code: _plain(chr(code)) for code in range(128)}


def mended(text: str) -> str:
    """The text with surrogate pairs joined and lone surrogates as U+FFFD: neither UTF-8 nor a database takes them."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def folded(words: str) -> str:
    """The words in the form for comparison, separated by one blank; empty if nothing is left.

    In scripts without spaces each character is a word of its own, and so is a symbol such as a heart, so that a phrase
    is found inside a longer run.
    """
    text = unicodedata.normalize("NFKD", mended(words))
    text = unicodedata.normalize("NFC", MARKS.sub("", text)).casefold()
    apart = UNSPACED.sub(lambda run: f" {' '.join(run[0])} ", text)
    return " ".join("".join(map(_letter, apart)).split())


def contains_phrase(text: str, phrase: str) -> bool:
    sought = folded(phrase)
    return bool(sought) and f" {sought} " in f" {folded(text)} "


def _letter(char: str) -> str:
    if char in "'’ʼ`\u200d\ufe0f":
        return ""
    match unicodedata.category(char)[0]:
        case "L" | "N" | "M":
            return char
        case "S":
            return f" {char} " if unicodedata.category(char) != "Sk" else ""  # Skin tones are ignored.
        case _:
            return char if char == "#" else " "


def one_line(text: str) -> str:
    """The text on one line, without control characters and lone surrogates, which databases and readers reject."""
    return " ".join("".join(c for c in text if unicodedata.category(c) not in {"Cc", "Cs"} or c.isspace()).split())


def clean(sentence: str) -> str:
    """The sentence on one line, capitalised and without a full stop at its end."""
    text = re.sub(r"(?<!\.)\.$", "", one_line(sentence)).strip()
    capital = text[:1].upper()
    return (capital if capital.lower() == text[:1] else text[:1]) + text[1:]  # Not ß: its capital is SS.


# Chinese and Japanese have no spaces between words, and Korean has fewer: each character counts by itself.
WITHOUT_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def _meaning(sentence: str) -> list[str]:
    """The words of a sentence without stop words."""
    said = normalise(sentence)
    said = said if said.isascii() else WITHOUT_SPACES.sub(r" \g<0> ", said)
    return [word for word in said.split() if word not in _STOP_WORDS]


def subjects(sentence: str) -> frozenset[str]:
    """Stems of the sentence's words without stop words, synonyms counted as one word."""
    return frozenset(_stem(_SYNONYMS.get(word, word)) for word in _meaning(sentence))


def stems(sentence: str) -> frozenset[str]:
    """Stems of the sentence's words without stop words; synonyms stay apart: *job* is not *work* here."""
    return frozenset(map(_stem, _meaning(sentence)))


def things(sentence: str) -> frozenset[str]:
    """The things that a sentence is about: its subjects without predicates (*likes*, *named*)."""
    return subjects(sentence) - _PREDICATE_STEMS


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Overlap of two sentences' subjects, 0 to 1 (Jaccard)."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def negations(sentence: str) -> frozenset[str]:
    """Words of the sentence that negate it or say that something ended."""
    return _TURNING.intersection(normalise(sentence).split())


def _stem(word: str) -> str:
    # A simple stemmer, enough to see that "likes", "liked" and "liking" are one word.
    if word[-1] in "gds":  # A quick test: most words have no ending, and a thousand facts are compared at once.
        for ending in ("ing", "ies", "ed", "es", "s"):
            if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
                word = word[: -len(ending)] + ("y" if ending == "ies" else "")
                break
    while len(word) > SHORTEST_STEM and word[-1] == "e":  # Twice for "coffee", as the plural has lost an "e" already.
        word = word[:-1]
    return word


MEASURES = subjects(" ".join(_MEASURES))  # The stems of words for how much and how often.
_PREDICATE_STEMS = frozenset(_stem(word) for word in _PREDICATES)
BEGUN = 5
"""Letters kept of words that are counted: "child" and "children" become one, faster than with a stemmer."""
TASTES = frozenset(
    word[:BEGUN] for kind in ("like", "dislike") for word in (kind, f"{kind}s", *_ONE_WORD[kind].split())
) | {"favor", "favou"}
"""Beginnings of words for liking and disliking."""
SAYS_LITTLE = frozenset(word[:BEGUN] for word in (*_STOP_WORDS, *_PREDICATES, *_MEASURES)) | TASTES
"""Beginnings of words that do not tell what a sentence is about."""
