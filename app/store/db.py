"""The interface of both databases: sessions that write, sessions that read, and the base class of all tables."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal

from sqlalchemy import DateTime, Engine, MetaData
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.types import TypeDecorator

from app.errors import DatabaseError
from app.store.dialect import DialectSql, Long
from app.store.faultpoints import reach
from app.store.group_commit import GroupCommit

UNAVAILABLE = (DatabaseError, OperationalError, InternalError, NoConnection)
"""Errors of a database that is busy, full, read-only or gone: the same work may succeed a little later."""


class UtcDateTime(TypeDecorator[datetime]):
    """An aware instant in UTC; the databases store it without a zone."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no zone; times come aware from the clock.")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.replace(tzinfo=UTC)


def as_stored(instant: datetime) -> str:
    """An instant as `UtcDateTime` stores it, for the one statement that bypasses SQLAlchemy."""
    return instant.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")


class Base(DeclarativeBase):
    """Base class of all tables."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: UtcDateTime, int: Long}  # noqa: RUF012  (SQLAlchemy reads it from the class)


Shared = Literal["money", "sender"]
"""Resources that several people share and one at a time may allot: the day's budget; our sender's pace and state."""

NOBODY = 0
"""The `person_id` of a transaction that adds rows of several people and reads only what exclusive ones change."""

ANEW = {"carried": False}
"""The `info` of a column that the next version of a row does not copy; it copies all other columns."""


def copied_columns(row: Base) -> dict[str, Any]:
    """Values that the next version of a row copies, by column name."""
    columns = row.__mapper__.columns
    return {name: getattr(row, name) for name, column in columns.items() if column.info.get("carried", True)}


class Database(ABC):
    """One database, shared by threads and by processes."""

    engine: Engine
    place: str  # Its name in messages: a path, or a host and a database; never a password.

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._changes = 0
        self._groups: dict[DialectSql, GroupCommit] = {}

    @abstractmethod
    def _writing(self, person_id: int | None, shared: Shared | None) -> AbstractContextManager[Session]:
        """A session in a new transaction, which begins once it holds the locks on all that it may write."""

    @abstractmethod
    def _write_rows(self, statement: DialectSql, rows: Sequence[Sequence[object]]) -> list[Any]:
        """Results of `write_in_group`, one per row, once all rows are committed."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Session]:
        """One consistent view; changes made in it are discarded."""

    @abstractmethod
    def inspecting(self) -> AbstractContextManager[Session]:
        """A view of a database that may not be ours; it changes nothing there."""

    def rebuilding(self) -> AbstractContextManager[Session]:
        """Like `transaction`, for migrations: tables may be recreated in it.

        Raises:
            DatabaseError: a foreign key would be broken.
        """
        return self.transaction()

    @abstractmethod
    def is_ours(self, db: Session) -> bool:
        """True if the tables in the database are Keepsake's."""

    @abstractmethod
    def mark_ours(self, db: Session) -> None:
        """Mark the database as Keepsake's."""

    def damage(self, db: Session, *, at_start: bool = False) -> str | None:  # noqa: ARG002  (a server looks itself)
        """Description of corrupt data, or None; with `at_start` a check that would take long is skipped."""
        return None

    def close(self) -> None:
        """Close all connections, once the current writer is done."""
        self.engine.dispose()

    @contextmanager
    def transaction(self, person_id: int | None = None, shared: Shared | None = None) -> Iterator[Session]:
        """A writing transaction: committed when the block ends, rolled back when it raises.

        With `person_id`, a read-modify-write may touch only that person's rows and those that `shared` covers: on
        PostgreSQL others write at the same time. Without it the transaction is exclusive, as each is on SQLite.

        Raises:
            DatabaseError: another writer held the database for longer than `BUSY_SECONDS`.
        """
        with self._writing(person_id, shared) as db:
            yield db
            reach("commit.before")
            db.commit()
        self._note_change()
        reach("commit.after")

    def write_in_group(self, statement: DialectSql, row: Sequence[object]) -> Any:
        """The statement's result for the row, once committed; None if it returns none for the row.

        All rows that callers submit at the same moment share one transaction. `{rows}` in the statement stands for
        their values; it must return, for each row kept, the row's first value and the result.

        Raises:
            DatabaseError: as `transaction`, or the database refused the row. The row is not kept.
        """
        group = self._groups.get(statement)
        if group is None:
            group = self._groups.setdefault(statement, GroupCommit(partial(self._write_rows, statement)))
        return group.run(row)

    def wait_for_change(self, seen: int, seconds: float) -> int:
        """Number of commits made by this process, once it differs from `seen` or `seconds` have passed."""
        with self._changed:
            self._changed.wait_for(lambda: self._changes != seen, timeout=seconds)
            return self._changes

    def _note_change(self) -> None:
        with self._changed:
            self._changes += 1
            self._changed.notify_all()
