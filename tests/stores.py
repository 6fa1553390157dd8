"""A new database, and wrappers of a store: one with a full disk, one that runs code before a transaction."""

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
    """The bytes of a migrated SQLite file; cached, because the migrations take longer than most tests."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "keepsake.db"
        with closing(SqliteDatabase(path)) as database:
            migrate(database)
        return path.read_bytes()


def run_sql(path: Path, *statements: str) -> None:
    """Run statements on an unencrypted file, as another program would."""
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        for statement in statements:
            raw.execute(statement)


def does_not_load(connection: Any) -> None:
    """A loader of sqlite-vec that fails."""
    raise dbapi2.OperationalError("not a library")


def migrated(path: Path, load: LoadExtension) -> SqliteDatabase:
    """A migrated database that loads sqlite-vec with `load`."""
    database = SqliteDatabase(path, load_vectors=load)
    migrate(database)
    return database


class _InFront:
    """Forwards everything but `transaction` to the store behind it."""

    def __init__(self, store: Database) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class FullDisk(_InFront):
    """A store on which the next transaction for which `is_full` returns True fails with a full disk."""

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
    """A store that calls `happen` once before a writing transaction, so after earlier reads.

    It is called before the transaction that follows the first `after` ones.
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
