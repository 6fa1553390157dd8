"""The places of words in the documents of a shelf, rows in and out.

A row holds the places of one word in one block of places, so that a search reads a few rows for each of its words, and
forgetting a document looks at one block. What is forgotten is cut out, and the pages it leaves are overwritten.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from operator import itemgetter

import numpy as np

from app.memory.index.bm25 import Hits
from app.memory.index.documents import Document, Measured, Shelved, by_block
from app.store.dialect import Spelt, appending
from app.store.raw_rows import RawRows
from app.text.tokens import Term, tokens

BLOCK = 4096  # Places; small enough for a word of every document to be added to, large enough to read few rows.
HEAD = 300  # Characters of a text that count for its neighbours.
MOST_CHARS = 10_000  # Of a text; twice what Twilio ever delivers at once. What follows is found by its beginning.
MOST_COUNTED = 255

POSTING = np.dtype([("place", "<u2"), ("count", "u1"), ("head", "u1")])
"""A document in which the word stands: its place from the block's first, how often, and how often in its head."""

_APPEND = appending("word_postings", "postings", "shelf", "block", "word")
# The joins are written in the order in which they are to be made: a seek for each word in each block.
_WANTED = (
    "SELECT wanted.key, block, postings FROM json_each(:words) AS wanted CROSS JOIN json_each(:blocks) AS blocks "
    "CROSS JOIN word_postings ON shelf = :shelf AND block = blocks.value AND "
)
_WANTED_POSTGRESQL = (
    "SELECT wanted.key - 1, block, postings FROM unnest(CAST(:words AS text[])) WITH ORDINALITY AS wanted(value, key) "
    "CROSS JOIN unnest(CAST(:blocks AS int[])) AS blocks(value) "
    "JOIN word_postings ON shelf = :shelf AND block = blocks.value AND "
)
_FIND = Spelt(f"{_WANTED}word = wanted.value", f"{_WANTED_POSTGRESQL}word = wanted.value ORDER BY wanted.key, block")
_FIND_BEGINNING = Spelt(
    f"{_WANTED}word >= wanted.value AND word < wanted.value || char(1114111)",
    f"{_WANTED_POSTGRESQL}word >= wanted.value AND word < wanted.value || chr(1114111) "
    "ORDER BY wanted.key, block, word",
)
_IN_BLOCK = "SELECT word, postings FROM word_postings WHERE shelf = :shelf AND block = :block AND "
_HOLDING = Spelt(f"{_IN_BLOCK}instr(postings, :place) > 0", f"{_IN_BLOCK}position(:place in postings) > 0")
_KEY = "WHERE shelf = :shelf AND block = :block AND word = :word"
_REPLACE = f"UPDATE word_postings SET postings = :postings {_KEY}"  # noqa: S608  (constants alone)
_REMOVE = f"DELETE FROM word_postings {_KEY}"  # noqa: S608  (constants alone)


def add(db: RawRows, shelf: int, first: int, documents: Sequence[Document]) -> list[Measured]:
    """Keep the words of documents at the places from `first` on; returns how long each is."""
    bodies = tokens([f"{one.speaker} {one.text[:MOST_CHARS]}" for one in documents])
    apart = [number for number, one in enumerate(documents) if one.speaker or len(one.text) > HEAD]
    heads = dict(zip(apart, tokens([documents[number].text[:HEAD] for number in apart]), strict=True))
    postings: defaultdict[tuple[int, str], list[tuple[int, int, int]]] = defaultdict(list)
    for number, body in enumerate(bodies):
        block, place = divmod(first + number, BLOCK)
        in_body, in_head = Counter(body), Counter(heads.get(number, body))
        for word, count in in_body.items():
            postings[block, word].append((place, min(count, MOST_COUNTED), min(in_head[word], MOST_COUNTED)))
    if postings:
        rows = [
            {"shelf": shelf, "block": block, "word": word, "postings": np.array(held, POSTING).tobytes()}
            for (block, word), held in sorted(postings.items())
        ]
        db.run(_APPEND, *rows)
    return [Measured(len(body), len(heads.get(number, body))) for number, body in enumerate(bodies)]


def find(db: RawRows, shelf: int, documents: Shelved, wanted: Sequence[Term]) -> Hits:
    """Where the terms stand among these documents, which are all of the shelf."""
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
    for block, gone in by_block(places, BLOCK):
        for place in gone:
            _cut_out(db, shelf, block, place)


def _cut_out(db: RawRows, shelf: int, block: int, place: int) -> None:
    key = {"shelf": shelf, "block": block}
    holding = db.all(_HOLDING, {**key, "place": np.array(place, "<u2").tobytes()})
    for word, blob in holding:  # The two bytes may also be a count of another place: then nothing is cut.
        postings = np.frombuffer(blob, POSTING)
        left = postings[postings["place"] != place]
        if not left.size:
            db.run(_REMOVE, {**key, "word": word})
        elif left.size < postings.size:
            db.run(_REPLACE, {**key, "word": word, "postings": left.tobytes()})
