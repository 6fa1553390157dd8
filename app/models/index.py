"""The index of messages, facts and episodes: words and vectors, by shelf and place."""

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base
from app.store.dialect import ByBytes, partial_index


class Shelf(Base):
    """All documents of one kind of one person, each at its own place: 0, 1, 2, … in order of arrival."""

    BEHIND = text("shelves.embedded < places")

    __tablename__ = "shelves"
    __table_args__ = (
        CheckConstraint("embedded BETWEEN 0 AND places", name="embedded"),
        partial_index("ix_shelves_behind", "id", where=BEHIND),
        Index(None, "model_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # `person << 2 | kind`.
    places: Mapped[int]  # The number of places ever assigned; a place is never reused.
    embedded: Mapped[int] = mapped_column(default=0, server_default="0")
    """Below this place, every remaining document has its vector from the model."""
    model_id: Mapped[int | None] = mapped_column(ForeignKey("vector_models.id"))


class WordDocuments(Base):
    """Data about the documents at a block of places that the search by words needs besides their words."""

    __tablename__ = "word_documents"
    __table_args__ = (CheckConstraint("length(documents) % 20 = 0", name="documents"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # `shelf << 30 | block`.
    documents: Mapped[bytes]  # 20 bytes each, by place: `words.DOCUMENT`.


class WordPostings(Base):
    """Positions of one word in the documents at a block of places."""

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
    """An embedding model that has made vectors; vectors of different models are never compared."""

    __tablename__ = "vector_models"
    __table_args__ = (CheckConstraint("dimension BETWEEN 1 AND 8192", name="dimension"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    dimension: Mapped[int]  # Numbers in each of its vectors.


class StoredVector(Base):
    """The meaning of one document, as an embedding model sees it."""

    __tablename__ = "vectors"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # `shelf << 30 | place`.
    model_id: Mapped[int] = mapped_column(ForeignKey("vector_models.id"))
    vector: Mapped[bytes]  # int8, one per dimension of the model; only the direction counts, not the length.


class VectorBits(Base):
    """Signs of the vectors at a block of places, one bit a number: a search over many vectors reads these first."""

    __tablename__ = "vector_bits"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # `shelf << 30 | block`.
    model_id: Mapped[int] = mapped_column(ForeignKey("vector_models.id"))
    places: Mapped[bytes]  # The place of each, as uint16 little-endian, relative to the block's first place.
    bits: Mapped[bytes]  # The signs of each, in the same order, in whole bytes, lowest bit first; 1 means above zero.
