"""Shelves and the documents on them, rows in and out: where each stands and how long it is, without its words.

Row ids of all tables of the index carry the person and the kind in their high bits. So a search never walks another
person's rows: its cost does not grow with their number, and none can be in what it finds. Documents are kept in blocks
of `BLOCK`, one row each, so that a search over a hundred thousand reads five hundred rows.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import groupby
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from app.store.dialect import RawRows, appending

Ints = NDArray[np.intp]
Flags = NDArray[np.bool_]

Kind = Literal["message", "fact", "episode"]  # What a document of the index is.

KIND_BITS = 2
PLACE_BITS = 30  # SQLite's row ids have 63 bits: this leaves two thousand million people.
MOST_PLACES = 1 << PLACE_BITS

_KINDS: tuple[Kind, ...] = get_args(Kind)  # Their order is kept in rows: a new kind goes to the end.

BLOCK = 200  # Places; so many documents fill one page of 4 kB, and a longer row would be spread over several.
SHORT = 400  # Characters; longer texts say enough by themselves to be found without the words around them.

DOCUMENT = np.dtype(
    [
        ("item", "<u4"),
        ("conversation", "<u4"),  # 0 is none.
        ("day", "<i4"),  # As `date.toordinal` counts.
        ("tokens", "<u2"),  # At most `_MOST`, here and below.
        ("head_tokens", "<u2"),
        ("place", "<u2"),  # From the block's first.
        ("flags", "<u2"),  # `_OWN`, `_SHORT`, and the bits between them as they were given.
    ]
)
_OWN, _SIGNS, _SHORT = 0x01, 0xFE, 0x100
_MOST = 2**16 - 1

_APPEND = appending("word_documents", "documents", "id")
_LOAD = "SELECT id, documents FROM word_documents WHERE id BETWEEN :first AND :last ORDER BY id"
_REPLACE = "UPDATE word_documents SET documents = :documents WHERE id = :row"
_REMOVE = "DELETE FROM word_documents WHERE id = :row"


@dataclass(frozen=True)
class Document:
    item: int  # The id of its row: of the message, the fact or the episode.
    text: str
    day: date  # On the person's own calendar.
    own: bool = False
    conversation: int | None = None  # Documents of one conversation that follow each other are neighbours.
    signs: int = 0  # Bits of `telling.Sign`, kept for the ranking; the lowest bit of the byte is not.
    vector: NDArray[np.float32] | None = None  # float32, shape (dim,): what it means, where that is known already.
    speaker: str = ""
    """Who said it, where there are more than the person and the assistant: found as words of the text, and not by what
    is said before and after it, where others speak."""


Length = tuple[int, int]  # How many words that count a document has, and how many of them at its beginning.


@dataclass(frozen=True)
class Shelved:
    """All documents of a shelf, in order of their places; each property is an array of their number."""

    place: Ints
    rows: NDArray[np.void]  # Of the type `DOCUMENT`, as they were read: of a hundred thousand a search looks at few.

    def __len__(self) -> int:
        return self.place.size

    @property
    def own(self) -> Flags:
        own: Flags = (self.rows["flags"] & _OWN) != 0
        return own

    @property
    def signs(self) -> NDArray[np.uint8]:
        return (self.rows["flags"] & _SIGNS).astype(np.uint8)

    @cached_property
    def hears_after(self) -> Flags:
        """Whether what is said just after it, in the same conversation, is counted for it."""
        return np.append(self._goes_on, False) & self._is_short

    @cached_property
    def hears_before(self) -> Flags:
        """The same of what is said just before it."""
        return np.append(False, self._goes_on) & self._is_short

    @cached_property
    def _goes_on(self) -> Flags:
        """Whether the next is of the same conversation; for all but the last."""
        talked = np.ascontiguousarray(self.rows["conversation"])
        goes_on: Flags = (talked[1:] == talked[:-1]) & (talked[1:] != 0)
        return goes_on

    @cached_property
    def _is_short(self) -> Flags:
        short: Flags = (self.rows["flags"] & _SHORT) != 0
        return short

    def index_of(self, places: Ints) -> Ints:
        """Where documents stand in these arrays; each place must have one."""
        if self.place[-1] == len(self) - 1:  # Nothing was ever removed, as for nearly everyone.
            return places
        where: Ints = np.searchsorted(self.place, places)
        return where


def shelf_of(person_id: int, kind: Kind) -> int:
    """The id of all that is kept of one kind of one person: their shelf."""
    return person_id << KIND_BITS | _KINDS.index(kind)


def kind_of(shelf: int) -> Kind:
    return _KINDS[shelf & ((1 << KIND_BITS) - 1)]


def row_id(shelf: int, place: int) -> int:
    """The row of a place, or of a block of places, on a shelf."""
    return shelf << PLACE_BITS | place


def place_of(row: int) -> int:
    return row & (MOST_PLACES - 1)


def bounds(shelf: int) -> dict[str, int]:
    """The `first` and the `last` row id that a shelf may have, both included."""
    return {"first": row_id(shelf, 0), "last": row_id(shelf + 1, 0) - 1}


def add(db: RawRows, shelf: int, first: int, documents: Sequence[Document], lengths: Sequence[Length]) -> None:
    """Keep documents at the places from `first` on."""
    rows = np.array(
        [
            (
                one.item,
                one.conversation or 0,
                one.day.toordinal(),
                min(length, _MOST),
                min(head_length, _MOST),
                place % BLOCK,
                _OWN * one.own | _SIGNS & one.signs | _SHORT * (len(one.text) <= SHORT),
            )
            for place, (one, (length, head_length)) in enumerate(zip(documents, lengths, strict=True), first)
        ],
        DOCUMENT,
    )
    for block, places in groupby(range(first, first + len(rows)), lambda place: place // BLOCK):
        run = list(places)
        blob = rows[run[0] - first : run[-1] - first + 1].tobytes()
        db.run(_APPEND, {"id": row_id(shelf, block), "documents": blob})


def load(db: RawRows, shelf: int, first: int = 0, upto: int = MOST_PLACES) -> Shelved:
    """What is left of a shelf, or of its places from `first` on and below `upto`."""
    blocks = {"first": row_id(shelf, first // BLOCK), "last": row_id(shelf, (upto - 1) // BLOCK)}
    found = db.all(_LOAD, blocks)
    blobs = [blob for _, blob in found]
    rows = np.frombuffer(b"".join(blobs), DOCUMENT)
    sizes = [len(blob) // DOCUMENT.itemsize for blob in blobs]
    place = np.repeat(np.array([place_of(row) * BLOCK for row, _ in found], np.intp), sizes) + rows["place"]
    if place.size and not (first <= place[0] and place[-1] < upto):
        wanted = (place >= first) & (place < upto)
        place, rows = place[wanted], rows[wanted]
    return Shelved(place, rows)


def remove(db: RawRows, shelf: int, places: Collection[int]) -> None:
    for block, some in by_block(places, BLOCK):
        row = row_id(shelf, block)
        ((_, blob),) = db.all(_LOAD, {"first": row, "last": row})
        rows = np.frombuffer(blob, DOCUMENT)
        left = rows[~np.isin(rows["place"], some)]
        if left.size:
            db.run(_REPLACE, {"row": row, "documents": left.tobytes()})
        else:
            db.run(_REMOVE, {"row": row})


def by_block(places: Collection[int], block_places: int) -> Iterator[tuple[int, list[int]]]:
    """The blocks of these places, each with the places counted from its first."""
    blocks: defaultdict[int, list[int]] = defaultdict(list)
    for place in sorted(places):
        blocks[place // block_places].append(place % block_places)
    yield from blocks.items()
