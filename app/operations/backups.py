"""Backups of the database: one file each, made while Keepsake runs, checked, and restored in the database's place.

A file gets its own name only once it is whole. Until then it lies in a folder beside it, so that a process that is
killed leaves nothing that could be taken for a backup, or for the database.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.errors import DatabaseError, Refused
from app.models import marks
from app.settings import Settings
from app.store import schema
from app.store.faultpoints import reach
from app.store.sqlite import SqliteDatabase

MARK = "backed_up"  # Within a backup: when it was made.


def check_is_sqlite(settings: Settings) -> None:
    """Raise `Refused` unless the database is a file, since a PostgreSQL server has its own backups."""
    if not settings.is_sqlite:
        raise Refused(
            "DATABASE_URL names a PostgreSQL database, which `pg_dump --format=custom` copies while Keepsake runs and "
            "`pg_restore` brings back while it is stopped. This command is for an SQLite file."
        )


def back_up(database: SqliteDatabase, file: Path, now: datetime) -> int:
    """Write a backup to `file`, readable by its owner alone, and return its size in bytes.

    Raises:
        Refused: the file exists, or its folder does not.
        DatabaseError: it could not be written, or is not whole.
    """
    _check_new(file)
    with _folder_beside(file) as folder:
        written = folder / file.name
        os.close(os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(database.beside(written)) as copy:
            database.copy_to(copy)
            reach("backup.copied")
            with copy.transaction() as db:
                marks.put(db, MARK, now)
            copy.seal()
            if found := _damage(copy):
                raise DatabaseError(f"The backup is damaged ({found}), and was not kept. `keepsake doctor` says more.")
        _sync(written)
        _check_new(file)
        written.replace(file)
    _sync(file.parent)
    return file.stat().st_size


@contextmanager
def unpack(file: Path, present: SqliteDatabase) -> Iterator[SqliteDatabase]:
    """A copy of the backup in a folder beside the database, checked in full and migrated to the newest schema.

    The backup itself is only read.

    Raises:
        Refused: the file is no backup that can be restored here. Call `check_is_file` first.
    """
    place = present.path.resolve()  # The copy has to be on the disk of the file that a link leads to.
    with _folder_beside(place) as folder:
        written = folder / place.name
        shutil.copyfile(file, written)
        written.chmod(0o600)
        reach("restore.unpacked")
        with closing(present.beside(written)) as copy:
            try:
                _check_is_backup(copy, file)
            except DatabaseError as error:
                raise Refused(f"{file} cannot be restored: {str(error).replace(str(written), 'it')}") from None
            yield copy


def replace_database(copy: SqliteDatabase, present: SqliteDatabase, now: datetime) -> Path | None:
    """Make the copy the database from now on. Returns the path that keeps the old one, or None if there was none."""
    place = present.path.resolve()
    kept = place.with_name(f"{place.name}.before-{now:%Y%m%dT%H%M%S.%f}") if database_exists(place) else None
    copy.seal()
    _sync(copy.path)
    if kept is not None:
        present.seal()
        os.link(place, kept)
    reach("restore.ready")
    copy.path.replace(place)
    _sync(place.parent)
    return kept


def database_exists(path: Path) -> bool:
    """True if there is a database; an empty file is none."""
    return path.exists() and path.stat().st_size > 0


def _check_new(file: Path) -> None:
    if os.path.lexists(file):
        raise Refused(f"{file} exists already, and no backup is written over another. Choose another name.")
    if not file.parent.is_dir():
        raise Refused(f"{file.parent} is no folder. Make it first, or choose another place.")


def check_is_file(file: Path) -> None:
    """Raise `Refused` unless there is something to restore: such a file, and not an empty one."""
    if not file.is_file() or not file.stat().st_size:
        raise Refused(f"{file} is {'empty' if file.is_file() else 'no file'}, so there is nothing to restore.")


def _check_is_backup(copy: SqliteDatabase, file: Path) -> None:
    try:
        with copy.inspecting() as db:
            if db.scalar(text("PRAGMA journal_mode")) == "wal":
                raise Refused(
                    f"{file} is a plain copy of a database and no backup: what was written last may be missing from "
                    "it. If the whole folder was copied while Keepsake was stopped, put that folder back as it was."
                )
    except DBAPIError as error:
        raise schema.unreadable(copy.path, error) from None
    if found := _damage(copy):
        raise DatabaseError(f"{copy.path} is damaged ({found}).")
    schema.migrate(copy)
    with copy.reading() as db:
        if marks.read(db, MARK) is None:
            raise DatabaseError(f"{copy.path} was not made by `keepsake backup`.")


def _damage(database: SqliteDatabase) -> str | None:
    """The first damage that SQLite finds in pages, rows or indexes, or None."""
    try:
        with database.inspecting() as db:
            found = db.scalar(text("PRAGMA integrity_check(1)"))
    except DBAPIError as error:
        return str(error.orig)
    return None if found == "ok" else str(found)


@contextmanager
def _folder_beside(path: Path) -> Iterator[Path]:
    """An empty folder of our own on the same disk; one left by an earlier killed process is removed."""
    folder = path.with_name(f".{path.name}.partial")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sync(path: Path) -> None:
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
