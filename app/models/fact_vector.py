from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base


class FactVector(Base):
    """What a live fact means, as an embedding model sees it."""

    __tablename__ = "fact_vectors"
    __table_args__ = (CheckConstraint("length(vector) BETWEEN 4 AND 16384 AND length(vector) % 4 = 0", name="vector"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """`person << 32 | fact`: a search seeks into one person's rows."""
    model: Mapped[str]
    """Which embedding model made it; vectors of different models are never compared."""
    vector: Mapped[bytes]
    """float32, little-endian, unit length, 1 to 4,096 numbers."""
