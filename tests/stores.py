"""A new database, and stores in front of one: with a full disk, or with something that happens before a transaction."""

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy.orm import Session
from sqlcipher3 import dbapi2

from app.store.db import Database, Shared
from app.store.schema import migrate
from app.store.sqlite import SqliteDatabase
from app.store.vector_extension import LoadExtension


@cache
def newest_database() -> bytes:
    """A SQLite file as the migrations leave it: they take longer than most tests."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "keepsake.db"
        with closing(SqliteDatabase(path)) as database:
            migrate(database)
        return path.read_bytes()


def run_sql(path: Path, *statements: str) -> None:
    """Have them done in a file without a key, as another program would."""
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        for statement in statements:
            raw.execute(statement)


def does_not_load(connection: Any) -> None:
    """In the place of what loads sqlite-vec."""
    raise dbapi2.OperationalError("not a library")


def migrated(path: Path, load: LoadExtension) -> SqliteDatabase:
    """A database of a machine that loads sqlite-vec so."""
    database = SqliteDatabase(path, load_vectors=load)
    migrate(database)
    return database


class _InFront:
    """As the store behind it, but for `transaction`."""

    def __init__(self, store: Database) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class FullDisk(_InFront):
    """The next transaction for which `is_full` says so ends as on a full disk: undone."""

    def __init__(self, store: Database, is_full: Callable[[], bool]) -> None:
        super().__init__(store)
        self._is_full = is_full
        self.refused = 0

    @contextmanager
    def transaction(self, person_id: int | None = None, shared: Shared | None = None) -> Iterator[Session]:
        with self._store.transaction(person_id, shared) as db:
            yield db
            if not self.refused and self._is_full():
                self.refused += 1
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class Meanwhile(_InFront):
    """`happen` is called once, between what was read first and what is written then.

    `after` so many writing transactions it is called, before the next.
    """

    def __init__(self, store: Database, happen: Callable[[], object], *, after: int = 0) -> None:
        super().__init__(store)
        self._to_happen = [happen]
        self._after = after

    @contextmanager
    def transaction(self, person_id: int | None = None, shared: Shared | None = None) -> Iterator[Session]:
        if self._to_happen and not self._after:
            self._to_happen.pop()()
        self._after -= 1
        with self._store.transaction(person_id, shared) as db:
            yield db
