"""Operators, how they log in, and their audit entries."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base
from app.store.dialect import partial_index


class Operator(Base):
    """Someone who logs in to the admin pages."""

    __tablename__ = "operators"
    # The id of a removed operator is never given to another one: the audit entries name operators by it.
    __table_args__ = (CheckConstraint("role IN ('owner', 'support')", name="role"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    role: Mapped[str]
    password_hash: Mapped[str]  # argon2id, with its parameters and salt.
    must_change_password: Mapped[bool] = mapped_column(default=False, server_default=false())
    generation: Mapped[int] = mapped_column(default=1, server_default="1")
    """Increases with each change of password, role or second factor; whatever began under an older one has ended."""
    totp_secret: Mapped[str | None]  # Base-32 secret of the operator's code app; None without an app.
    totp_step: Mapped[int] = mapped_column(default=0, server_default="0")
    """The half minute of the last accepted code: neither that code nor an earlier one is accepted again."""
    failures: Mapped[int] = mapped_column(default=0, server_default="0")
    """Wrong passwords and codes from unknown browsers since the last login."""
    last_failure_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class OperatorSession(Base):
    """One login of an operator, stored so that it can be ended on our side."""

    __tablename__ = "operator_sessions"

    token_hash: Mapped[str] = mapped_column(primary_key=True)
    """SHA-256 of the cookie's token: a stolen database opens no session."""
    operator_id: Mapped[int] = mapped_column(ForeignKey("operators.id"))
    generation: Mapped[int] = mapped_column(default=1, server_default="1")  # The operator's generation when it began.
    csrf_token: Mapped[str]
    created_at: Mapped[datetime]
    last_seen_at: Mapped[datetime]


class OperatorBrowser(Base):
    """A known browser: an operator has logged in with it before, and its wrong tries are counted apart."""

    __tablename__ = "operator_browsers"

    token_hash: Mapped[str] = mapped_column(primary_key=True)
    operator_id: Mapped[int] = mapped_column(ForeignKey("operators.id"), primary_key=True)
    failures: Mapped[int] = mapped_column(default=0, server_default="0")
    """Wrong passwords and codes in this browser since its last login."""
    last_failure_at: Mapped[datetime | None]
    last_login_at: Mapped[datetime]


class LoginStep(Base):
    """Something that waits for a second factor: a login, or the registration of a passkey."""

    __tablename__ = "login_steps"
    __table_args__ = (Index(None, "begun_at"),)

    token_hash: Mapped[str] = mapped_column(primary_key=True)
    operator_id: Mapped[int | None] = mapped_column(ForeignKey("operators.id"))  # None until a passkey identifies them.
    generation: Mapped[int | None]
    challenge: Mapped[bytes]  # The bytes that a passkey has to sign.
    begun_at: Mapped[datetime]


class Passkey(Base):
    """A key that an operator's device or password safe keeps and signs logins with."""

    __tablename__ = "passkeys"
    __table_args__ = (Index(None, "operator_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    operator_id: Mapped[int] = mapped_column(ForeignKey("operators.id"))
    name: Mapped[str]
    host: Mapped[str]  # The host it was made for; browsers offer it nowhere else.
    credential_id: Mapped[bytes] = mapped_column(unique=True)
    public_key: Mapped[bytes]
    sign_count: Mapped[int]  # The device's last count; many devices never count.
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]


class RecoveryCode(Base):
    """A code that replaces a second factor once, and is deleted when used."""

    __tablename__ = "recovery_codes"

    code_hash: Mapped[str] = mapped_column(primary_key=True)  # SHA-256: with 74 random bits no guess finds it.
    operator_id: Mapped[int] = mapped_column(ForeignKey("operators.id"), index=True)


class AuditEntry(Base):
    """One thing that an operator did, or that was done from the terminal. Rows are only ever added.

    No column points at another table: an entry outlives the person and the operator it names.
    """

    SHOWS = text("audit_entries.shows")
    NOT_DONE = "not_done"
    """The `did` of an entry which says that another entry's action was refused, failed, or was done in part."""

    __tablename__ = "audit_entries"
    __table_args__ = (
        Index(None, "at"),
        Index(None, "who", "at"),
        Index(None, "person_id", "at"),
        partial_index("ix_audit_entries_shown", "person_id", "id", where=SHOWS),
        partial_index("ix_audit_entries_outcomes", "about", where=f"did = '{NOT_DONE}'"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)  # From 1, without a gap.
    at: Mapped[datetime]
    who: Mapped[str]  # An operator's name, `terminal`, or `nobody` for a tried name that no operator has.
    did: Mapped[str]  # A fixed word: the name of the page's action, or of the command.
    person_id: Mapped[int | None]  # The person concerned; None if it was nobody, or everybody.
    about: Mapped[str]
    """The rows concerned, such as `fact 3`, or `fact 1-3 2-5` of the people 1 and 2, or `operator 2 dana`: kinds,
    ids, operators' names and words of ours, and nothing that anybody wrote. For `not_done`, the entry: `entry 12`."""
    reason: Mapped[str]
    """The operator's own words, if a reason was asked for; for `not_done`, the code of the cause; otherwise empty."""
    times: Mapped[int]  # More than 1 if one entry stands for many events: refused logins.
    shows: Mapped[bool] = mapped_column(server_default=false())  # True if people's words were shown.
    hash: Mapped[str]
    """SHA-256 in hexadecimal over the hash of the entry before it and all columns above: `audit.hash_of`."""


class Reveal(Base):
    """Permission for one session to see one person's words for a while."""

    __tablename__ = "reveals"
    __table_args__ = (UniqueConstraint("session", "person_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    session: Mapped[str]  # SHA-256 of the token in the session's cookie: it names the session and opens nothing.
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    until: Mapped[datetime]
