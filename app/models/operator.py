from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, false
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base


class Operator(Base):
    """Someone who logs in to the admin pages."""

    __tablename__ = "operators"
    # The number of one who was removed never becomes another's: what is kept of who did what names them by it.
    __table_args__ = (CheckConstraint("role IN ('owner', 'support')", name="role"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    role: Mapped[str]
    password_hash: Mapped[str]
    """argon2id, with its parameters and salt."""
    must_change_password: Mapped[bool] = mapped_column(default=False, server_default=false())
    generation: Mapped[int] = mapped_column(default=1, server_default="1")
    """Goes up with the password, the role and the second factors: what began under an older one has ended."""
    totp_secret: Mapped[str | None]
    """What the operator's app makes its codes of, in base 32; None without such an app."""
    totp_step: Mapped[int] = mapped_column(default=0, server_default="0")
    """The half minute of the last code that was taken: no code of it, or of one before it, is taken again."""
    failures: Mapped[int] = mapped_column(default=0, server_default="0")
    """Wrong passwords and codes since the last login, from browsers that are not known."""
    last_failure_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class OperatorSession(Base):
    """One login of an operator, kept here so that it can be ended from here."""

    __tablename__ = "operator_sessions"

    token_hash: Mapped[str] = mapped_column(primary_key=True)
    """SHA-256 of the cookie's token: a stolen database opens no session."""
    operator_id: Mapped[int] = mapped_column(ForeignKey("operators.id"))
    generation: Mapped[int] = mapped_column(default=1, server_default="1")
    """The operator's own when it began."""
    csrf_token: Mapped[str]
    created_at: Mapped[datetime]
    last_seen_at: Mapped[datetime]


class OperatorBrowser(Base):
    """A browser in which an operator has logged in: its wrong tries are counted by themselves."""

    __tablename__ = "operator_browsers"

    token_hash: Mapped[str] = mapped_column(primary_key=True)
    operator_id: Mapped[int] = mapped_column(ForeignKey("operators.id"), primary_key=True)
    failures: Mapped[int] = mapped_column(default=0, server_default="0")
    """Wrong passwords and codes since the last login in it."""
    last_failure_at: Mapped[datetime | None]
    last_login_at: Mapped[datetime]


class LoginStep(Base):
    """What has begun and waits for a second factor: a login, or the keeping of a passkey."""

    __tablename__ = "login_steps"
    __table_args__ = (Index(None, "begun_at"),)

    token_hash: Mapped[str] = mapped_column(primary_key=True)
    operator_id: Mapped[int | None] = mapped_column(ForeignKey("operators.id"))
    """None until a passkey says who it is."""
    generation: Mapped[int | None]
    challenge: Mapped[bytes]
    """What a passkey has to sign."""
    begun_at: Mapped[datetime]
