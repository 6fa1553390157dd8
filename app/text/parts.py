"""A text cut into its sentences, in any language, and into the words that memory's index counts: pure.

A point that belongs to an abbreviation, an initial, a number or an address ends no sentence. Where both could be, the
two stay one sentence: what is left out because of one half is then left out whole.

The words are the same for what is kept and for what is asked. SQLite's FTS5 parts them and takes off their endings
(`porter unicode61`), in a database in memory. What it does not know is done around it: possessives, letters with marks,
words that say nothing, scripts that part no words by spaces.
"""

import re
import threading
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlcipher3 import dbapi2

# Blanks after a mark that may end a sentence, and what closes a quotation between the two; a line's end; and the marks
# of Chinese and Japanese, after which no blank is needed. Source of the marks: Unicode, property Sentence_Terminal.
_MAY_END = re.compile(
    r"(?<=[.!?…؟۔।॥։።။។])[\"'”’»)\]]*+(?P<blanks>\s+)|(?P<line>\n+)|(?<=[。！？｡])(?P<closed>[」』”’）)\"']*+)(?P<none>\s*)(?![。！？｡」』])"
)
# What never ends a sentence: something follows that belongs to it.
_TITLES = (
    "dr dra mr mrs ms mx prof st mt ft rev gen col lt sgt capt hon messrs mme mlle mgr sr sra srta hr fr frl sig dott "
    "ing vs eg ie e.g i.e approx ca cf bzw inkl z.b d.h p.ej p.ex fig vol esp incl"
)
# What may end one, and stands within one as often.
_SHORTENED = "inc ltd co corp jr etc usw ph.d m.d b.a m.a"
_MONTHS_AND_DAYS = (
    "jan feb apr jun jul aug sep sept oct okt nov dec dez déc ene abr ago dic mon tue tues thu thur thurs fri"
)
# Written small they are words of their own: "we sat. nobody spoke".
_DAYS_WITH_A_CAPITAL = frozenset("Sat Sun Wed Mar Mär SAT SUN WED MAR".split())
_BEFORE_A_NUMBER = frozenset("no nos nr nº num p pp ch art tel ext apt rm".split())
_TITLE_WORDS, _SHORTENED_WORDS = frozenset(_TITLES.split()), frozenset(f"{_SHORTENED} {_MONTHS_AND_DAYS}".split())
# Of words that a capital begins, those with which a sentence begins after an abbreviation: "in the U.S. I miss her".
_BEGINS = re.compile(
    r"(?:I|I['’]\w+|He|She|It|We|They|You|The|This|That|These|There|My|Our|His|Her|Their|And|But|So|Then|Now|Later|What|"
    r"When|Where|Why|How|Who|Do|Is|Are|Can|No|Yes|Please|Thanks|If|At|In|On|After|Not|Just|Let['’]?s|"
    r"Ich|Er|Sie|Es|Wir|Das|Die|Der|Dann|Und|Aber|El|La|Los|Ella|Yo|Mi|Luego|Pero|Je|Il|Elle|Nous|On|Le|Les|Puis|Mais|"
    r"Ben|Bu|Sonra|Ama)(?!\w)"
)
_BEFORE = re.compile(r"[^\s(\"“'‘«]+$")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]", re.UNICODE)  # "a.m", "U.S", "J.R.R".
# "3. Mai", "3. und 4. Mai": how days are counted in German and in the North.
_DAY = re.compile(
    r"(?:jan|feb|mär|mar|apr|mai|maj|jun|jul|aug|sep|okt|oct|nov|dez|des|ocak|şubat)\w*|(?:und|bis|oder|og|och|ja) \d",
    re.IGNORECASE,
)
_LAST_DAY = 31
_LONGEST = 24  # Characters of an abbreviation with what stands before it; no more is looked at.


def sentences(words: str) -> list[str]:
    """The sentences, without the blanks between them; at least one, though it may be empty."""
    found, place = [], 0
    for start, end in breaks(words):
        found.append(words[place:start])
        place = end
    return [*found, words[place:]]


def breaks(words: str) -> Iterator[tuple[int, int]]:
    """Where the blanks between two sentences begin and end; they may be empty in scripts that need none."""
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
    """Whether a sentence ends with the point between the two, rather than an abbreviation or a number."""
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


GRAM = 3  # Characters in a piece of what is written without spaces.
MAX_TERMS = 64  # Of a text that is searched with; a text of 1,600 characters has about a hundred words that count.
MAX_WORD = 64  # Characters; what is longer is no word but a key or a link, and would be kept whole with each entry.

# Letters of scripts that part no words by spaces, or, like Korean, hang endings on them that no stemmer here knows:
# Thai, Lao, Burmese, Khmer, Japanese, Chinese, Korean. Source: the Unicode Standard, blocks.
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff]+"
)

# Marks that are as often left out as written: accents, Hebrew and Arabic vowels.
MARKS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]")

# *Max's* is Max and *I'll* is I; whatever ends in *n't* says nothing by itself.
_SHORT_FORMS = re.compile(r"\b\w+n['’]t\b|['’](s|m|re|ve|ll|d)\b", re.IGNORECASE)

# Words that do not tell what a text is about. *May* is a month, *will* a name, and *us* what *use* is cut down to.
_EMPTY = (
    "a about above after again against all am an and any are as at be because been before being below between both but "
    "by can could did do does doing down during each few for from further had has have having he her here hers herself "
    "him himself his how i if in into is it its itself just me more most my myself no nor not now of off on once only "
    "or other our ours ourselves out over own same she should so some such than that the their theirs them themselves "
    "then there these they this those through to too under until up very was we were what when where which while who "
    "whom whose why with would you your yours yourself yourselves"
)

_NEW = "CREATE VIRTUAL TABLE parted USING fts5(text, content='', tokenize = \"{}\")"
_TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
_SEEN = "CREATE VIRTUAL TABLE seen USING fts5vocab(parted, instance)"

_of_this_thread = threading.local()


@dataclass(frozen=True)
class Term:
    """A word to look for."""

    word: str
    begins: bool = False  # Whether every word that begins so is meant.


def tokens(texts: Sequence[str]) -> list[list[str]]:
    """The words of each text, in order and as often as they stand there; none where it says nothing."""
    empty = _empty()
    return [[piece for word in words if word not in empty for piece in _pieces(word)] for words in _parted(texts)]


def terms(text: str) -> list[Term]:
    """What to look for to find texts that share a word with this one: each once, at most `MAX_TERMS`."""
    empty = _empty()
    (words,) = _parted([text])
    return list(dict.fromkeys(term for word in words if word not in empty for term in _wanted(word)))[:MAX_TERMS]


def _pieces(word: str) -> Iterator[str]:
    """A word as it is kept: as it is, and what is written without spaces in pieces, one from each character on."""
    for run, unspaced in _runs(word):
        if unspaced:
            yield from (run[place : place + GRAM] for place in range(len(run)))
        else:
            yield run[:MAX_WORD]


def _wanted(word: str) -> Iterator[Term]:
    for run, unspaced in _runs(word):
        if not unspaced:
            yield Term(run[:MAX_WORD])
        elif len(run) < GRAM:
            yield Term(run, begins=True)
        else:
            # Most words of Chinese and Japanese have two characters, and in a sentence others stand around them.
            yield from (Term(run[place : place + GRAM]) for place in range(len(run) - GRAM + 1))
            yield from (Term(run[place : place + 2], begins=True) for place in range(len(run) - 1))


def _runs(word: str) -> Iterator[tuple[str, bool]]:
    """The word's parts, each with whether it is written without spaces."""
    if word.isascii():
        yield word, False
        return
    at = 0
    for run in UNSPACED.finditer(word):
        if at < run.start():
            yield word[at : run.start()], False
        yield run[0], True
        at = run.end()
    if at < len(word):
        yield word[at:], False


def _parted(texts: Sequence[str]) -> list[list[str]]:
    connection = _connection()
    parted: list[list[str]] = [[] for _ in texts]
    connection.execute("BEGIN")
    try:
        rows = ((place, _plain(text)) for place, text in enumerate(texts))
        connection.executemany("INSERT INTO parted(rowid, text) VALUES (?, ?)", rows)
        for place, word in connection.execute("SELECT doc, term FROM seen ORDER BY doc, offset"):
            parted[place].append(word)
    finally:
        connection.execute("ROLLBACK")
    return parted


def _plain(text: str) -> str:
    """The text as FTS5 is given it: without what it does not take, and without what it would take for words."""
    if not text.isascii():
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        text = unicodedata.normalize("NFKC", MARKS.sub("", unicodedata.normalize("NFKD", whole))).casefold()
    return _SHORT_FORMS.sub(" ", text.replace("\0", " "))


@cache
def _empty() -> frozenset[str]:
    return frozenset(word for (word,) in _parted(_EMPTY.split()))


def _connection() -> Any:
    """A database in memory for each thread: nothing is waited for, and nothing is shared."""
    connection = getattr(_of_this_thread, "connection", None)
    if connection is None:
        connection = dbapi2.connect(":memory:", isolation_level=None)
        connection.execute(_NEW.format(_TOKENIZER))
        connection.execute(_SEEN)
        _of_this_thread.connection = connection
    return connection
