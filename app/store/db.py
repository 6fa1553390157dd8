"""The database as all above it knows it: sessions that write, sessions that look, and the tables' common ground."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal

from sqlalchemy import DateTime, Engine, MetaData
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.types import TypeDecorator

from app.store.dialect import Long, Spelt
from app.store.faultpoints import reach
from app.store.group_commit import GroupCommit


class UtcDateTime(TypeDecorator[datetime]):
    """An aware instant in UTC; the databases are told of no zones."""

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
    """An instant as `UtcDateTime` writes it, for the one statement that goes to the driver itself."""
    return instant.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")


class Base(DeclarativeBase):
    """All tables."""

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
"""What several people draw on and one at a time may decide over: the day's money, the pace and state of our sender."""

NOBODY = 0
"""In place of a person's id: a transaction that adds rows of several people, by what only one that is alone changes."""

ANEW = {"carried": False}
"""The `info` of a column that each version of a row has for itself; the next version takes over all others."""


def carried_on(row: Base) -> dict[str, Any]:
    """The columns of a row that its next version has from it, by name."""
    columns = row.__mapper__.columns
    return {name: getattr(row, name) for name, column in columns.items() if column.info.get("carried", True)}


class Database(ABC):
    """One database, shared by threads and by processes."""

    engine: Engine
    place: str  # As messages name it: a path, or a host and a name; never a password.

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._changes = 0
        self._groups: dict[Spelt, GroupCommit] = {}

    @abstractmethod
    def _writing(self, person_id: int | None, shared: Shared | None) -> AbstractContextManager[Session]:
        """A session in a transaction of its own, begun when nobody else may write what it may."""

    @abstractmethod
    def _write_rows(self, statement: Spelt, rows: Sequence[Sequence[object]]) -> list[Any]:
        """What `together` returns for each of the rows, once all are committed."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Session]:
        """One consistent view; nothing that is changed in it is kept."""

    @abstractmethod
    def looking(self) -> AbstractContextManager[Session]:
        """One view of a database that may not be ours, which is not changed by it."""

    def rebuilding(self) -> AbstractContextManager[Session]:
        """As `transaction`, for migrations: tables may be made anew in it.

        Raises:
            DatabaseError: a row would point at nothing.
        """
        return self.transaction()

    @abstractmethod
    def is_ours(self, db: Session) -> bool:
        """Whether the tables that are there are Keepsake's."""

    @abstractmethod
    def mark_ours(self, db: Session) -> None:
        """Have the database known as Keepsake's."""

    def damage(self, db: Session, *, at_start: bool = False) -> str | None:  # noqa: ARG002  (a server looks itself)
        """What is wrong with what is stored, or None; `at_start` looks only where it takes no time to speak of."""
        return None

    def close(self) -> None:
        """Let go of it, once whoever writes at this moment is done."""
        self.engine.dispose()

    @contextmanager
    def transaction(self, person_id: int | None = None, shared: Shared | None = None) -> Iterator[Session]:
        """One writing transaction: committed when the block ends, rolled back when it raises.

        Of one that names a person, nothing but what is theirs, and what it names as `shared`, may be read to be
        written: on PostgreSQL others write at the same moment. Without a person it is alone, as each is on SQLite.

        Raises:
            DatabaseError: another writer held the database for longer than `BUSY_SECONDS`.
        """
        with self._writing(person_id, shared) as db:
            yield db
            reach("commit.before")
            db.commit()
        self._note_change()
        reach("commit.after")

    def together(self, statement: Spelt, row: Sequence[object]) -> Any:
        """What the statement returns for the row, once it is committed; None when it returns nothing for it.

        It is made for all rows that are handed in at the same moment, as one transaction. `{rows}` in it stands for
        their values; it returns the first value of each row that it kept, and what is to be handed back for it.

        Raises:
            DatabaseError: as `transaction`; or the database refused it. Then the row is not kept.
        """
        group = self._groups.get(statement)
        if group is None:
            group = self._groups.setdefault(statement, GroupCommit(partial(self._write_rows, statement)))
        return group.run(row)

    def wait_for_change(self, seen: int, seconds: float) -> int:
        """The number of commits made by this process, once it differs from `seen` or `seconds` have passed."""
        with self._changed:
            self._changed.wait_for(lambda: self._changes != seen, timeout=seconds)
            return self._changes

    def _note_change(self) -> None:
        with self._changed:
            self._changes += 1
            self._changed.notify_all()
