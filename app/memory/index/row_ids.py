"""Row ids that carry the person and the kind in their high bits: what the tables of the index are searched by.

A search seeks into one person's rows of one kind and never walks another's, so its cost does not grow with the number
of people, and no row of another person can be in what it finds.
"""

from typing import Literal, get_args

Kind = Literal["message", "fact", "episode"]
"""What a document of the index is."""

KIND_BITS = 2
PLACE_BITS = 30  # SQLite's row ids have 63 bits: this leaves two thousand million people.
MOST_PLACES = 1 << PLACE_BITS

_KINDS: tuple[Kind, ...] = get_args(Kind)  # Their order is kept in rows: a new kind goes to the end.


def shelf_of(person_id: int, kind: Kind) -> int:
    """The id of all that is kept of one kind of one person: their shelf."""
    return person_id << KIND_BITS | _KINDS.index(kind)


def person_of(shelf: int) -> int:
    return shelf >> KIND_BITS


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
