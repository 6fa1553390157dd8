from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base


class VectorModel(Base):
    """An embedding model that has made vectors; those of different models are never compared."""

    __tablename__ = "vector_models"
    __table_args__ = (CheckConstraint("dimension BETWEEN 1 AND 8192", name="dimension"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    dimension: Mapped[int]
    """Numbers in each of its vectors."""


class StoredVector(Base):
    """What one document means, as an embedding model sees it."""

    __tablename__ = "vectors"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """`shelf << 30 | place`."""
    model_id: Mapped[int] = mapped_column(ForeignKey("vector_models.id"))
    vector: Mapped[bytes]
    """int8, as many as the model's dimension: the direction alone, its length says nothing."""


class VectorBits(Base):
    """The signs of the vectors at a block of places: a bit a number, looked at first where there are many."""

    __tablename__ = "vector_bits"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """`shelf << 30 | block`."""
    model_id: Mapped[int] = mapped_column(ForeignKey("vector_models.id"))
    places: Mapped[bytes]
    """The place of each, uint16 little-endian, counted from the block's first."""
    bits: Mapped[bytes]
    """The signs of each in the same order, in whole bytes, the lowest bit first; 1 is above zero."""
