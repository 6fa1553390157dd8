"""Facts found by their words, always inside one person.

The row id of the keyword table carries the person in its high bits, so that a search seeks into that person's rows and
its cost does not grow with the number of people. PostgreSQL will have a module of its own with the same functions.
"""

import re

from sqlalchemy import text
from sqlalchemy.orm import Session

PERSON_SHIFT = 32  # Room for four thousand million facts a database; sqlite row ids have 63 bits.

_ADD = text("INSERT INTO fact_words(rowid, sentence) VALUES (:row, :sentence)")
_REMOVE = text("DELETE FROM fact_words WHERE rowid = :row")
_FIND = text("SELECT rowid FROM fact_words WHERE fact_words MATCH :query AND rowid BETWEEN :first AND :last")


def add(db: Session, person_id: int, fact_id: int, sentence: str) -> None:
    db.execute(_ADD, {"row": _row(person_id, fact_id), "sentence": sentence})


def remove(db: Session, person_id: int, fact_id: int) -> None:
    db.execute(_REMOVE, {"row": _row(person_id, fact_id)})


def find(db: Session, person_id: int, words: str) -> list[int]:
    """Ids of the person's live facts that hold all the words, in any form (*dogs* finds *dog*)."""
    query = " AND ".join(f'"{word}"' for word in re.findall(r"\w+", words))
    if not query:
        return []
    found = db.execute(_FIND, {"query": query, "first": _row(person_id, 0), "last": _row(person_id + 1, 0) - 1})
    return [row & ((1 << PERSON_SHIFT) - 1) for row in found.scalars()]


def _row(person_id: int, fact_id: int) -> int:
    return person_id << PERSON_SHIFT | fact_id
