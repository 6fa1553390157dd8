from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base


class Passkey(Base):
    """A key that an operator's device or password safe keeps, and signs logins with."""

    __tablename__ = "passkeys"
    __table_args__ = (Index(None, "operator_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    operator_id: Mapped[int] = mapped_column(ForeignKey("operators.id"))
    name: Mapped[str]
    host: Mapped[str]
    """The host that it was made for; browsers offer it nowhere else."""
    credential_id: Mapped[bytes] = mapped_column(unique=True)
    public_key: Mapped[bytes]
    sign_count: Mapped[int]
    """What the device last counted; many never count."""
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]


class RecoveryCode(Base):
    """A code that stands in for a second factor once; used, it is gone."""

    __tablename__ = "recovery_codes"

    code_hash: Mapped[str] = mapped_column(primary_key=True)
    """SHA-256: with 74 random bits no guess finds it."""
    operator_id: Mapped[int] = mapped_column(ForeignKey("operators.id"), index=True)
