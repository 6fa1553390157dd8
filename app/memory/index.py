"""Facts found by their words, always inside one person.

What is removed here is found no more by any way: neither by its words nor by its vector. PostgreSQL will have a
module of its own with the same functions.
"""

import re

from sqlalchemy import text
from sqlalchemy.orm import Session

from app.memory import vectors
from app.memory.row_ids import bounds, fact_of, row_id

_ADD = text("INSERT INTO fact_words(rowid, sentence) VALUES (:row, :sentence)")
_REMOVE = text("DELETE FROM fact_words WHERE rowid = :row")
_FIND = text("SELECT rowid FROM fact_words WHERE fact_words MATCH :query AND rowid BETWEEN :first AND :last")


def add(db: Session, person_id: int, fact_id: int, sentence: str) -> None:
    db.execute(_ADD, {"row": row_id(person_id, fact_id), "sentence": sentence})


def remove(db: Session, person_id: int, fact_id: int) -> None:
    db.execute(_REMOVE, {"row": row_id(person_id, fact_id)})
    vectors.remove(db, person_id, fact_id)


def find(db: Session, person_id: int, words: str) -> list[int]:
    """Ids of the person's live facts that hold all the words, in any form (*dogs* finds *dog*)."""
    query = " AND ".join(f'"{word}"' for word in re.findall(r"\w+", words))
    if not query:
        return []
    found = db.execute(_FIND, {"query": query, **bounds(person_id)})
    return [fact_of(row) for row in found.scalars()]
