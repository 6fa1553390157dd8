"""Rows of shelves and their documents: the place and length of each document, without its words.

Row ids in all tables of the index carry the person and the kind in their high bits. So a search never reads another
person's rows: they can neither slow it down nor be in its results. Documents are stored in blocks of `BLOCK`, one row
each, so that a search over a hundred thousand reads five hundred rows.
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

Kind = Literal["message", "fact", "episode"]  # The kind of memory that a document is.

KIND_BITS = 2
PLACE_BITS = 30  # SQLite's row ids have 63 bits: this leaves room for two billion people.
MOST_PLACES = 1 << PLACE_BITS

_KINDS: tuple[Kind, ...] = get_args(Kind)  # The order is stored in row ids: append a new kind at the end.

BLOCK = 200  # Places; so many documents fill one page of 4 kB, and a longer row would take several.
SHORT = 400  # Characters; longer texts are found by themselves, without the words around them.

DOCUMENT = np.dtype(
    [
        ("item", "<u4"),
        ("conversation", "<u4"),  # 0 is none.
        ("day", "<i4"),  # `date.toordinal`.
        ("tokens", "<u2"),  # At most `_MOST`, here and below.
        ("head_tokens", "<u2"),
        ("place", "<u2"),  # Relative to the block's first place.
        ("flags", "<u2"),  # `_OWN`, `_SHORT`, and the given bits between them.
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
    item: int  # Row id of the message, fact or episode.
    text: str
    day: date  # On the person's own calendar.
    own: bool = False
    conversation: int | None = None  # Consecutive documents of one conversation are neighbours.
    signs: int = 0  # Bits of `telling.Sign` for the ranking; the lowest bit of the byte is not stored.
    vector: NDArray[np.float32] | None = None  # float32, shape (dim,); None if not made yet.
    speaker: str = ""
    """The speaker's name in a talk of more than the person and the assistant: indexed as words of this text, but not
    counted for its neighbours."""


Length = tuple[int, int]  # The number of counted words in a document, and in its head.


@dataclass(frozen=True)
class Shelved:
    """All documents of a shelf in the order of their places; each property is an array with one entry per document."""

    place: Ints
    rows: NDArray[np.void]  # Raw `DOCUMENT` rows, not unpacked: a search looks at few of them.

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
    def takes_words_after(self) -> Flags:
        """True if the words just after it, in the same conversation, count for it."""
        return np.append(self._goes_on, False) & self._is_short

    @cached_property
    def takes_words_before(self) -> Flags:
        """True if the words just before it, in the same conversation, count for it."""
        return np.append(False, self._goes_on) & self._is_short

    @cached_property
    def _goes_on(self) -> Flags:
        """True if the next document is of the same conversation; has no entry for the last."""
        talked = np.ascontiguousarray(self.rows["conversation"])
        goes_on: Flags = (talked[1:] == talked[:-1]) & (talked[1:] != 0)
        return goes_on

    @cached_property
    def _is_short(self) -> Flags:
        short: Flags = (self.rows["flags"] & _SHORT) != 0
        return short

    def index_of(self, places: Ints) -> Ints:
        """Positions in these arrays of the documents at `places`; each place must hold one."""
        if self.place[-1] == len(self) - 1:  # Nothing was ever removed, the usual case.
            return places
        where: Ints = np.searchsorted(self.place, places)
        return where


def shelf_of(person_id: int, kind: Kind) -> int:
    """Id of the shelf: all documents of one kind of one person."""
    return person_id << KIND_BITS | _KINDS.index(kind)


def kind_of(shelf: int) -> Kind:
    return _KINDS[shelf & ((1 << KIND_BITS) - 1)]


def row_id(shelf: int, place: int) -> int:
    """Row id of a place, or of a block of places, on a shelf."""
    return shelf << PLACE_BITS | place


def place_of(row: int) -> int:
    return row & (MOST_PLACES - 1)


def bounds(shelf: int) -> dict[str, int]:
    """The `first` and `last` possible row id of a shelf, both included."""
    return {"first": row_id(shelf, 0), "last": row_id(shelf + 1, 0) - 1}


def add(db: RawRows, shelf: int, first: int, documents: Sequence[Document], lengths: Sequence[Length]) -> None:
    """Store documents at the places from `first` on."""
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
    """Documents still on a shelf, at places from `first` up to but excluding `upto`."""
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
    """Blocks of these places, each with its places relative to the block's first."""
    blocks: defaultdict[int, list[int]] = defaultdict(list)
    for place in sorted(places):
        blocks[place // block_places].append(place % block_places)
    yield from blocks.items()
