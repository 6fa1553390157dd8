from datetime import datetime

from sqlalchemy import ForeignKey, false
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base


class Operator(Base):
    """Someone who logs in to the admin pages."""

    __tablename__ = "operators"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    password_hash: Mapped[str]
    """argon2id, with its parameters and salt."""
    must_change_password: Mapped[bool] = mapped_column(default=False, server_default=false())
    failures: Mapped[int] = mapped_column(default=0, server_default="0")
    """Wrong passwords since the last right one."""
    last_failure_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class OperatorSession(Base):
    """One login of an operator, kept here so that it can be ended from here."""

    __tablename__ = "operator_sessions"

    token_hash: Mapped[str] = mapped_column(primary_key=True)
    """SHA-256 of the cookie's token: a stolen database opens no session."""
    operator_id: Mapped[int] = mapped_column(ForeignKey("operators.id"))
    csrf_token: Mapped[str]
    created_at: Mapped[datetime]
    last_seen_at: Mapped[datetime]
