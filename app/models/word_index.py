from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base
from app.store.dialect import ByBytes, partial_index

_BEHIND = "embedded < places"

BEHIND = text(f"shelves.{_BEHIND}")
"""For queries: SQLite takes a partial index only where the query itself says the index's condition."""


class Shelf(Base):
    """All documents of one kind of one person, each at a place of its own: 0, 1, 2, … in the order they came."""

    __tablename__ = "shelves"
    __table_args__ = (
        CheckConstraint("embedded BETWEEN 0 AND places", name="embedded"),
        partial_index("ix_shelves_behind", "id", where=_BEHIND),
        Index(None, "model_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """`person << 2 | kind`."""
    places: Mapped[int]
    """How many were ever given out; a place is never used twice."""
    embedded: Mapped[int] = mapped_column(default=0, server_default="0")
    """Below this place every document that is left has been given its vector by the model."""
    model_id: Mapped[int | None] = mapped_column(ForeignKey("vector_models.id"))


class WordDocuments(Base):
    """What the search by words has to know of the documents at a block of places, besides their words."""

    __tablename__ = "word_documents"
    __table_args__ = (CheckConstraint("length(documents) % 20 = 0", name="documents"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """`shelf << 30 | block`."""
    documents: Mapped[bytes]
    """20 bytes each, by place: `words.DOCUMENT`."""


class WordPostings(Base):
    """Where a word stands in the documents at a block of places."""

    __tablename__ = "word_postings"
    __table_args__ = (
        CheckConstraint("length(postings) BETWEEN 4 AND 16384 AND length(postings) % 4 = 0", name="postings"),
        {"sqlite_with_rowid": False},
    )

    shelf: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    block: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    word: Mapped[str] = mapped_column(ByBytes, primary_key=True)
    postings: Mapped[bytes]
    """4 bytes each, by place: `words.POSTING`."""
