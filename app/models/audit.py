from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base
from app.store.dialect import partial_index

_SHOWS = "shows"

# For queries: SQLite takes a partial index only where the query itself says the index's condition.
SHOWS = text("audit_entries.shows")

NOT_DONE = "not_done"
"""What an entry did that says of another one that it was refused, failed, or was done in part."""


class AuditEntry(Base):
    """One thing that an operator did, or that was done from the terminal. Rows are only ever added.

    No column points at another table: an entry outlives the person and the operator it names.
    """

    __tablename__ = "audit_entries"
    __table_args__ = (
        Index(None, "at"),
        Index(None, "who", "at"),
        Index(None, "person_id", "at"),
        partial_index("ix_audit_entries_shown", "person_id", "id", where=_SHOWS),
        partial_index("ix_audit_entries_outcomes", "about", where=f"did = '{NOT_DONE}'"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    """From 1, without a gap."""
    at: Mapped[datetime]
    who: Mapped[str]
    """An operator's name; `terminal`; or `nobody`, where a name was tried that no operator has."""
    did: Mapped[str]
    """A fixed word: the name of the page's action, or of the command."""
    person_id: Mapped[int | None]
    """Whom it was about; None where it was about nobody, or about everybody."""
    about: Mapped[str]
    """Which rows it was about, such as `fact 3`, or `fact 1-3 2-5` of the people 1 and 2, or `operator 2 dana`: kinds,
    ids, operators' names and words of ours, and nothing that anybody wrote. Of `not_done`, the entry: `entry 12`."""
    reason: Mapped[str]
    """The operator's own words for it, where they were asked; of `not_done` the code of why not; else empty."""
    times: Mapped[int]
    """How often, where many are one entry: refused logins."""
    shows: Mapped[bool] = mapped_column(server_default=false())
    """Whether people's words were shown by it."""
    hash: Mapped[str]
    """SHA-256 in hexadecimal, over the hash of the entry before it and all columns above: `audit.hash_of`."""


class Reveal(Base):
    """That one session may see one person's words for a while."""

    __tablename__ = "reveals"
    __table_args__ = (UniqueConstraint("session", "person_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    session: Mapped[str]
    """The session's name, as `operators.session_name` makes it of the cookie's token."""
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    until: Mapped[datetime]
