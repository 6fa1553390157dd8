"""The words of a text as the index counts them, their postings in the documents of a shelf, and BM25 scores.

Documents and queries are tokenised alike, by SQLite's FTS5 with stemming (`porter unicode61`) in a database in memory.
The code around it handles possessives, letters with marks, stop words, and scripts without spaces between words.

A row holds the postings of one word in one block of places, so that a search reads a few rows per word, and forgetting
a document looks at one block. Forgotten postings are cut out, and the pages they leave are overwritten.

BM25 as in SQLite's FTS5, over three fields (the document's words, its neighbours' words, its day): weighted counts are
added before damping, within one shelf. Fields, weights, k1 and b: docs/decisions/0019-index.md.
"""

import re
import threading
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlcipher3 import dbapi2

from app.clock import MONTHS, WEEKDAYS
from app.memory.index.documents import Document, Flags, Ints, Length, Shelved
from app.store.dialect import DialectSql, RawRows, appending
from app.text.word_files import read_words
from app.text.wording import MARKS, UNSPACED, mended

GRAM = 3  # Characters in a piece of text written without spaces.
MAX_TERMS = 64  # Per query; a text of 1,600 characters has about a hundred words that count.
MAX_WORD = 64  # Characters; anything longer is a key or a link, and would be stored whole with each entry.

# *Max's* becomes Max and *I'll* becomes I; a word in *n't* is dropped, as it says nothing by itself.
_SHORT_FORMS = re.compile(r"\b\w+n['’]t\b|['’](s|m|re|ve|ll|d)\b", re.IGNORECASE)

_NEW = "CREATE VIRTUAL TABLE parted USING fts5(text, content='', tokenize = \"{}\")"
_TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
_SEEN = "CREATE VIRTUAL TABLE seen USING fts5vocab(parted, instance)"

_of_this_thread = threading.local()


@dataclass(frozen=True)
class Term:
    """A word of a query."""

    word: str
    begins: bool = False  # True to match every word that begins with it.


def tokens(texts: Sequence[str]) -> list[list[str]]:
    """The counted words of each text, in order and with repetitions."""
    skip = _stop_words()
    return [[piece for word in words if word not in skip for piece in _pieces(word)] for words in _tokenised(texts)]


def terms(text: str) -> list[Term]:
    """Query terms that find texts sharing a word with this one: each once, at most `MAX_TERMS`."""
    skip = _stop_words()
    (words,) = _tokenised([text])
    return list(dict.fromkeys(term for word in words if word not in skip for term in _wanted(word)))[:MAX_TERMS]


def _pieces(word: str) -> Iterator[str]:
    """A word as stored: whole, or in pieces that start at each character if written without spaces."""
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
            # Most Chinese and Japanese words have two characters and stand between others in a sentence.
            yield from (Term(run[place : place + GRAM]) for place in range(len(run) - GRAM + 1))
            yield from (Term(run[place : place + 2], begins=True) for place in range(len(run) - 1))


def _runs(word: str) -> Iterator[tuple[str, bool]]:
    """The parts of a word, each with True if it is written without spaces."""
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


def _tokenised(texts: Sequence[str]) -> list[list[str]]:
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
    """The text prepared for FTS5: without characters that it rejects and short forms that it would count as words."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", MARKS.sub("", unicodedata.normalize("NFKD", mended(text)))).casefold()
    return _SHORT_FORMS.sub(" ", text.replace("\0", " "))


@cache
def _stop_words() -> frozenset[str]:
    return frozenset(word for (word,) in _tokenised(read_words(__file__, "words.toml")["stop_words"].split()))


def _connection() -> Any:
    """An in-memory database for each thread, so that threads neither wait nor share."""
    connection = getattr(_of_this_thread, "connection", None)
    if connection is None:
        connection = dbapi2.connect(":memory:", isolation_level=None)
        connection.execute(_NEW.format(_TOKENIZER))
        connection.execute(_SEEN)
        _of_this_thread.connection = connection
    return connection


Scores = NDArray[np.float64]

BLOCK = 4096  # Places; small enough to append a frequent word cheaply, large enough to read few rows.
HEAD = 300  # Characters of a text that count for its neighbours.
MOST_CHARS = 10_000  # Per text, twice the most that Twilio delivers at once; words after it are not indexed.
MOST_COUNTED = 255

POSTING = np.dtype([("place", "<u2"), ("count", "u1"), ("head", "u1")])
"""A document with the word: its place relative to the block's first, the count, and the count in its head."""

_APPEND = appending("word_postings", "postings", "shelf", "block", "word")
# The joins are written in the order to run them: one seek per word and block. PostgreSQL picks its own order and reads
# whole blocks while it has no statistics of the table; the OFFSET prevents that.
_WANTED = (
    "SELECT wanted.key, block, postings FROM json_each(:words) AS wanted CROSS JOIN json_each(:blocks) AS blocks "
    "CROSS JOIN word_postings ON shelf = :shelf AND block = blocks.value AND "
)
_WANTED_POSTGRESQL = (
    "SELECT wanted.key - 1, block, postings FROM unnest(CAST(:words AS text[])) WITH ORDINALITY AS wanted(value, key) "
    "CROSS JOIN unnest(CAST(:blocks AS int[])) AS blocks(value) CROSS JOIN LATERAL (SELECT block, word, postings "
    "FROM word_postings WHERE shelf = :shelf AND block = blocks.value AND "
)
_FIND = DialectSql(
    f"{_WANTED}word = wanted.value",
    f"{_WANTED_POSTGRESQL}word = wanted.value OFFSET 0) AS held ORDER BY wanted.key, block",
)
_FIND_BEGINNING = DialectSql(
    f"{_WANTED}word >= wanted.value AND word < wanted.value || char(1114111)",
    f"{_WANTED_POSTGRESQL}word >= wanted.value AND word < wanted.value || chr(1114111) OFFSET 0) AS held "
    "ORDER BY wanted.key, block, word",
)
_IN_BLOCK = "SELECT word, postings FROM word_postings WHERE shelf = :shelf AND block = :block AND "
_HOLDING = DialectSql(f"{_IN_BLOCK}instr(postings, :place) > 0", f"{_IN_BLOCK}position(:place in postings) > 0")
_KEY = "WHERE shelf = :shelf AND block = :block AND word = :word"
_REPLACE = f"UPDATE word_postings SET postings = :postings {_KEY}"  # noqa: S608  (constants alone)
_REMOVE = f"DELETE FROM word_postings {_KEY}"  # noqa: S608  (constants alone)

K1, B = 1.2, 0.75  # Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009; FTS5's too.
NEAR, DAY = 0.3, 0.3  # Weights of a neighbour's word and of a word of the date; its own words weigh 1.
DAY_TOKENS = 4  # "8 May 2023 Monday".

_EPOCH = 719_163  # `date.toordinal` of 1970-01-01, the first day of numpy's dates.


@dataclass(frozen=True)
class Hits:
    """Postings of a query's words, one word after the other, in arrays of the same length."""

    words: tuple[str, ...]
    ends: Ints  # The end of each word's part in the arrays.
    where: Ints  # Positions of documents in the arrays of `Shelved`; a word may list one more than once.
    counts: NDArray[np.uint8]
    heads: NDArray[np.uint8]  # Counts in the head, which counts for the neighbours.


def add(db: RawRows, shelf: int, first: int, documents: Sequence[Document]) -> list[Length]:
    """Store the words of documents at the places from `first` on; the length of each."""
    bodies = tokens([f"{one.speaker} {one.text[:MOST_CHARS]}" for one in documents])
    apart = [number for number, one in enumerate(documents) if one.speaker or len(one.text) > HEAD]
    heads = dict(zip(apart, tokens([documents[number].text[:HEAD] for number in apart]), strict=True))
    postings: defaultdict[tuple[int, str], list[tuple[int, int, int]]] = defaultdict(list)
    lengths = []
    for number, body in enumerate(bodies):
        block, place = divmod(first + number, BLOCK)
        in_body, in_head = Counter(body), Counter(heads.get(number, body))
        # The last word of a head may be cut in two, and is then no word of the text.
        lengths.append((len(body), sum(in_head[word] for word in in_body)))
        for word, count in in_body.items():
            postings[block, word].append((place, min(count, MOST_COUNTED), min(in_head[word], MOST_COUNTED)))
    if postings:
        rows = [
            {"shelf": shelf, "block": block, "word": word, "postings": np.array(held, POSTING).tobytes()}
            for (block, word), held in sorted(postings.items())
        ]
        db.run(_APPEND, *rows)
    return lengths


def find(db: RawRows, shelf: int, documents: Shelved, wanted: Sequence[Term]) -> Hits:
    """Hits of the terms in these documents, which must be the whole shelf."""
    blocks = list(range(int(documents.place[-1]) // BLOCK + 1) if len(documents) else [])
    found: list[tuple[int, int, bytes]] = []
    for statement, begins in ((_FIND, False), (_FIND_BEGINNING, True)):
        numbers = [number for number, term in enumerate(wanted) if term.begins is begins]
        if numbers:
            words = [wanted[number].word for number in numbers]
            held = db.all(statement, {"words": words, "blocks": blocks, "shelf": shelf})
            found += [(numbers[key], block, blob) for key, block, blob in held]
    found.sort(key=itemgetter(0))
    sizes = np.array([len(blob) // POSTING.itemsize for _, _, blob in found], np.intp)
    postings = np.frombuffer(b"".join([blob for _, _, blob in found]), POSTING)
    of_word = np.bincount([number for number, _, _ in found], sizes, len(wanted)) if found else np.zeros(len(wanted))
    places = np.repeat(np.array([block * BLOCK for _, block, _ in found], np.intp), sizes) + postings["place"]
    return Hits(
        words=tuple(term.word for term in wanted),
        ends=of_word.cumsum().astype(np.intp),
        where=documents.index_of(places) if places.size else places,
        counts=postings["count"],
        heads=postings["head"],
    )


def remove(db: RawRows, shelf: int, places: Collection[int]) -> None:
    for place in places:
        block, place_in_block = divmod(place, BLOCK)
        key = {"shelf": shelf, "block": block}
        holding = db.all(_HOLDING, {**key, "place": np.array(place_in_block, "<u2").tobytes()})
        for word, blob in holding:  # The two bytes may match elsewhere in the blob; then nothing is cut.
            postings = np.frombuffer(blob, POSTING)
            left = postings[postings["place"] != place_in_block]
            if not left.size:
                db.run(_REMOVE, {**key, "word": word})
            elif left.size < postings.size:
                db.run(_REPLACE, {**key, "word": word, "postings": left.tobytes()})


def scores(documents: Shelved, hits: Hits) -> Scores:
    """BM25 score of each document, higher is better; 0 if it shares no word with the query."""
    total = np.zeros(len(documents))
    if not len(documents):
        return total
    where, weights = _spread(documents, hits)
    damping: Scores | None = None
    start = 0
    for word, end in zip(hits.words, hits.ends.tolist(), strict=True):
        part = np.s_[:, start:end]
        counted = np.bincount(where[part].ravel(), weights[part].ravel(), len(documents))
        frequency: Scores = counted.astype(np.float64, copy=False)  # Without hits, `bincount` returns integers.
        on_day = _days_named(documents, word)
        if on_day is not None:
            frequency += DAY * on_day
        touched = np.flatnonzero(frequency)
        if touched.size:
            damping = _damping(documents) if damping is None else damping
            rarity = np.log1p((len(documents) - touched.size + 0.5) / (touched.size + 0.5))
            f = frequency[touched]
            total[touched] += rarity * f * (K1 + 1) / (f + damping[touched])
        start = end
    return total


def _spread(documents: Shelved, hits: Hits) -> tuple[Ints, Scores]:
    """Weight of each hit for its own document, the next one and the one before; both arrays have shape (3, hits)."""
    where = np.stack((hits.where, hits.where + 1, hits.where - 1))
    # Positions wrap around, but the first hears nothing before it and the last nothing after it.
    after, before = where[1] % len(documents), where[2] % len(documents)
    heard = np.stack((documents.takes_words_before[after], documents.takes_words_after[before]))
    where[1], where[2] = after, before
    return where, np.concatenate((hits.counts[np.newaxis], NEAR * hits.heads * heard))


def _damping(documents: Shelved) -> Scores:
    """The term added to the frequency in the denominator of BM25: K1 for a document of average length."""
    heads = documents.rows["head_tokens"].astype(np.float64)
    length = documents.rows["tokens"].astype(np.float64) + DAY_TOKENS
    length[1:] += heads[:-1] * documents.takes_words_before[1:]
    length[:-1] += heads[1:] * documents.takes_words_after[:-1]
    length *= K1 * B / length.mean()
    length += K1 * (1 - B)
    return length


def _days_named(documents: Shelved, word: str) -> Flags | None:
    """True for documents of a day that the word names, as number, year, month or weekday; None for other words."""
    months, weekdays = _date_words()
    named: Flags | None = None
    if word in weekdays:
        named = (documents.rows["day"] - 1) % 7 == weekdays[word]
    elif word in months:
        named = _since_1970(documents, "M") % 12 == months[word]
    elif word.isascii() and word.isdigit():
        if len(word) == len("2023"):
            named = _since_1970(documents, "Y") + 1970 == int(word)
        elif len(word) <= len("31"):
            month = _since_1970(documents, "M").astype("datetime64[M]").astype("datetime64[D]").astype(np.intp)
            named = _since_1970(documents, "D") - month + 1 == int(word)
    return named


def _since_1970(documents: Shelved, unit: str) -> Ints:
    """Whole days, months or years (`D`, `M`, `Y`) from 1970 to each document."""
    days = (documents.rows["day"] - _EPOCH).astype("datetime64[D]")
    return days.astype(f"datetime64[{unit}]").astype(np.intp)


@cache
def _date_words() -> tuple[dict[str, int], dict[str, int]]:
    """Months and weekdays as `tokens` returns them, each with its number from 0."""
    return (
        {word: number for number, (word,) in enumerate(tokens(MONTHS))},
        {word: number for number, (word,) in enumerate(tokens(WEEKDAYS))},
    )
