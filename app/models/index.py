"""The index of what was said and is remembered: words and vectors, by shelf and place."""

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base
from app.store.dialect import ByBytes, partial_index


class Shelf(Base):
    """All documents of one kind of one person, each at a place of its own: 0, 1, 2, … in the order they came."""

    BEHIND = text("shelves.embedded < places")

    __tablename__ = "shelves"
    __table_args__ = (
        CheckConstraint("embedded BETWEEN 0 AND places", name="embedded"),
        partial_index("ix_shelves_behind", "id", where=BEHIND),
        Index(None, "model_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # `person << 2 | kind`.
    places: Mapped[int]  # How many were ever given out; a place is never used twice.
    embedded: Mapped[int] = mapped_column(default=0, server_default="0")
    """Below this place every document that is left has been given its vector by the model."""
    model_id: Mapped[int | None] = mapped_column(ForeignKey("vector_models.id"))


class WordDocuments(Base):
    """What the search by words has to know of the documents at a block of places, besides their words."""

    __tablename__ = "word_documents"
    __table_args__ = (CheckConstraint("length(documents) % 20 = 0", name="documents"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # `shelf << 30 | block`.
    documents: Mapped[bytes]  # 20 bytes each, by place: `words.DOCUMENT`.


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
    postings: Mapped[bytes]  # 4 bytes each, by place: `words.POSTING`.


class VectorModel(Base):
    """An embedding model that has made vectors; those of different models are never compared."""

    __tablename__ = "vector_models"
    __table_args__ = (CheckConstraint("dimension BETWEEN 1 AND 8192", name="dimension"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    dimension: Mapped[int]  # Numbers in each of its vectors.


class StoredVector(Base):
    """What one document means, as an embedding model sees it."""

    __tablename__ = "vectors"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # `shelf << 30 | place`.
    model_id: Mapped[int] = mapped_column(ForeignKey("vector_models.id"))
    vector: Mapped[bytes]  # int8, as many as the model's dimension: the direction alone, its length says nothing.


class VectorBits(Base):
    """The signs of the vectors at a block of places: a bit a number, looked at first where there are many."""

    __tablename__ = "vector_bits"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # `shelf << 30 | block`.
    model_id: Mapped[int] = mapped_column(ForeignKey("vector_models.id"))
    places: Mapped[bytes]  # The place of each, uint16 little-endian, counted from the block's first.
    bits: Mapped[bytes]  # The signs of each in the same order, in whole bytes, the lowest bit first; 1 is above zero.
