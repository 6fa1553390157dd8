"""Row ids that carry the person in their high bits: what the tables of words and of vectors are searched by.

A search seeks into one person's rows and never walks another's, so its cost does not grow with the number of people.
"""

PERSON_SHIFT = 32  # Room for four thousand million facts a database; SQLite's row ids have 63 bits.


def row_id(person_id: int, fact_id: int) -> int:
    return person_id << PERSON_SHIFT | fact_id


def fact_of(row: int) -> int:
    return row & ((1 << PERSON_SHIFT) - 1)


def bounds(person_id: int) -> dict[str, int]:
    """The `first` and the `last` row id that a person may have, both included."""
    return {"first": row_id(person_id, 0), "last": row_id(person_id + 1, 0) - 1}
