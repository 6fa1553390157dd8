"""SQLite: a file, its pragmas, and one writer at a time. Reasons: docs/decisions/0003-storage.md."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, cast

from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.engine import Connection
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool, QueuePool
from sqlcipher3 import dbapi2

from app.errors import DatabaseError
from app.settings import Settings
from app.store.db import Database
from app.store.dialect import DialectSql
from app.store.faultpoints import reach
from app.store.group_commit import RejectedWrite
from app.store.locks import BUSY_SECONDS, UseLock, WriterLock, make_private_folder
from app.store.vector_extension import LoadExtension, load_sqlite_vec, prepare

_ROW_ERRORS = (dbapi2.IntegrityError, dbapi2.DataError, dbapi2.InterfaceError, dbapi2.ProgrammingError, OverflowError)

ELSEWHERE = "Set DATABASE_URL to a file in a folder that may be written to, such as sqlite:///instance/keepsake.db."

CHECKED_AT_START_BYTES = 64 * 2**20  # A full check reads every page; beyond this size `keepsake doctor` does it.

APPLICATION_ID = 0x4B656570  # "Keep", in SQLite's header: tells our files from those of other programs.

PRAGMAS: dict[str, int | str] = {
    "journal_mode": "wal",
    "synchronous": 2,  # FULL: a text acknowledged to Twilio is on the disk, not only in its cache.
    "foreign_keys": 1,
    "secure_delete": 1,  # Deleted data is overwritten with zeros; SQLite's default leaves it readable.
    "busy_timeout": int(BUSY_SECONDS * 1000),
    "journal_size_limit": 16 * 2**20,  # Bytes: the log grows while somebody reads long, and shrinks to this afterwards.
    "temp_store": 2,  # In memory, so that sorting spills no people's words into /tmp.
    "trusted_schema": 0,
}
"""Set on every connection and read back by `keepsake doctor` and the tests."""


class SqliteDatabase(Database):
    """One SQLite file, shared by threads and processes on one machine; one of them writes at a time."""

    def __init__(self, path: Path, key: str | None = None, load_vectors: LoadExtension = load_sqlite_vec) -> None:
        super().__init__()
        self.path = path
        self.place = str(path)
        self._key = key
        self._lock = WriterLock(path.with_name(path.name + ".lock"))
        self.use = UseLock(path.with_name(path.name + ".use"))
        # One connection for each thread that may have a session open; idle ones cost little.
        self.engine = _engine(self._connect, poolclass=QueuePool, pool_size=16, max_overflow=256)
        event.listen(self.engine, "connect", lambda raw, record: prepare(raw, record.info, load_vectors))
        self._writer_kept: Connection | None = None

    def _connect(self) -> Any:
        self.use.share()
        connection = self._open("rwc")
        ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
        empty = connection.execute("PRAGMA page_count").fetchone()[0] == 0
        for name, value in PRAGMAS.items():
            if name != "journal_mode" or ours or empty:
                connection.execute(f"PRAGMA {name} = {value}")
        return connection

    def _open(self, mode: str) -> Any:
        connection = dbapi2.connect(
            f"{self.path.resolve().as_uri()}?mode={mode}",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
        )
        # SQLCipher reports a wrong key on stderr; the caller reports the refusal already.
        connection.execute("PRAGMA cipher_log_level = NONE")
        if self._key is not None:
            quoted = self._key.replace("'", "''")
            connection.execute(f"PRAGMA key = '{quoted}'")
        connection.create_function("lower", 1, lambda said: said and f"{said}".lower(), deterministic=True)
        return connection

    @contextmanager
    def inspecting(self) -> Iterator[Session]:
        """A view of a file that may not be ours: neither the file nor its write-ahead log changes by a byte.

        The last ordinary connection to close folds the log into the file; a read-only one leaves both alone. Without
        a log an ordinary connection is used, since a read-only one would leave an empty log behind.
        """
        real = self.path.resolve()
        mode = "ro" if real.with_name(f"{real.name}-wal").exists() else "rwc"
        engine = _engine(partial(self._open, mode), poolclass=NullPool)
        with Session(engine) as db:
            db.execute(text("PRAGMA trusted_schema = 0"))
            yield db

    def beside(self, path: Path) -> "SqliteDatabase":
        """The database in another file, with the same key."""
        return SqliteDatabase(path, self._key)

    def copy_to(self, copy: "SqliteDatabase") -> None:
        """Copy all committed data to a new file, without stopping writers.

        Raises:
            DatabaseError: the copy cannot be written, as when the disk is full.
        """
        # One step inside one view: between several steps a write by another process would restart the copy.
        with self.inspecting() as db, closing(copy._open("rwc")) as target:  # noqa: SLF001  (its own class)
            try:
                cast("Any", db.connection().connection.dbapi_connection).backup(target)
            except dbapi2.Error as error:
                raise DatabaseError(f"{copy.path} could not be written: {error}.") from None

    def seal(self) -> None:
        """Close the file and fold its log into it, so that it is complete by itself until opened for writing again.

        Raises:
            DatabaseError: another program has it open.
        """
        self._close_connections()
        try:
            with closing(self._open("rw")) as connection:
                connection.execute("PRAGMA journal_mode = DELETE").fetchone()
        except dbapi2.Error as error:
            raise DatabaseError(f"{self.path} could not be closed: {error}. Close whatever has it open.") from None

    @contextmanager
    def _writing(self, person_id: int | None, shared: object) -> Iterator[Session]:  # noqa: ARG002  (one writer)
        with self._writing_turn() as connection, Session(connection, expire_on_commit=False) as db:
            yield db

    @contextmanager
    def rebuilding(self) -> Iterator[Session]:
        """A transaction that checks foreign keys only at its end, so that a migration may recreate tables."""
        with self._writing_turn() as connection:
            _execute(connection, "PRAGMA foreign_keys = OFF")  # It has no effect inside a transaction.
            try:
                with Session(connection, expire_on_commit=False) as db:
                    yield db
                    broken = db.execute(text("PRAGMA foreign_key_check")).first()
                    if broken is not None:
                        raise DatabaseError(f"A row of {broken[0]} would point at nothing in {broken[2]}.")
                    db.commit()
            finally:
                _execute(connection, "PRAGMA foreign_keys = ON")
        self._note_change()

    def is_ours(self, db: Session) -> bool:
        return bool(db.execute(text("PRAGMA application_id")).scalar() == APPLICATION_ID)

    def mark_ours(self, db: Session) -> None:
        db.execute(text(f"PRAGMA application_id = {APPLICATION_ID}"))

    def damage(self, db: Session, *, at_start: bool = False) -> str | None:
        if at_start and self.path.stat().st_size > CHECKED_AT_START_BYTES:
            return None
        found = db.execute(text("PRAGMA quick_check(1)")).scalar()
        return None if found == "ok" else str(found)

    def _write_rows(self, statement: DialectSql, rows: Sequence[Sequence[object]]) -> list[Any]:
        places = ", ".join([f"({', '.join('?' * len(rows[0]))})"] * len(rows))
        values = [value for row in rows for value in row]
        with self._writing_turn(before_others=True) as connection:
            reach("group.before")
            # Outside BEGIN a statement is its own transaction, committed when its last row is fetched.
            kept = dict(_execute(connection, statement.sqlite.format(rows=places), values))
            reach("group.after")
        self._note_change()
        return [kept.get(row[0]) for row in rows]

    @contextmanager
    def _writing_turn(self, *, before_others: bool = False) -> Iterator[Connection]:
        with self._lock.held(before_others=before_others) as seconds_left:
            try:
                # A program that knows nothing of our lock may hold the file: the wait for both is one.
                _execute(self._writer(), f"PRAGMA busy_timeout = {int(seconds_left * 10) * 100}")
                yield self._writer()
            except BaseException:
                self._drop_stuck_writer()
                raise

    def _writer(self) -> Connection:
        # Only one thread writes at a time, so one connection is kept: a checkout costs as much as a small write.
        if self._writer_kept is None:
            self._writer_kept = self.engine.connect().execution_options(keepsake_writes=True)
        return self._writer_kept

    def _drop_stuck_writer(self) -> None:
        # After a failed COMMIT (on a full disk, say) SQLAlchemy sends no ROLLBACK, and every later write would find
        # the connection still inside that transaction, even if SQLite itself has rolled back.
        writing = self._writer_kept
        if writing is None:
            return
        driver = writing.connection.dbapi_connection
        if writing.get_transaction() is not None or (driver is not None and driver.in_transaction):
            self._writer_kept = None
            writing.invalidate()
            writing.close()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        with Session(self.engine, expire_on_commit=False, autoflush=False) as db:
            yield db

    def close(self) -> None:
        """Close the file, once the current writer is done.

        Closing a connection while another thread uses it crashes the process.
        """
        self._close_connections()
        self.use.release()

    def _close_connections(self) -> None:
        if self._writer_kept is not None:
            # After BUSY_SECONDS the writer keeps its connection; the end of the process rolls its work back.
            with suppress(DatabaseError), self._lock.held(before_others=True):
                if self._writer_kept is not None:
                    self._writer_kept.close()
                    self._writer_kept = None
        self.engine.dispose()


def open_file(settings: Settings) -> SqliteDatabase:
    """Like `open_database`; a missing folder is created too, private to its owner."""
    path = settings.database_path
    try:
        make_private_folder(path.parent)
        if not path.exists():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise DatabaseError(f"{path} cannot be made: {error.filename}: {error.strerror}. {ELSEWHERE}") from None
    if not path.is_file():
        raise DatabaseError(f"{path} is {'a folder' if path.is_dir() else 'no ordinary file'}. {ELSEWHERE}")
    # SQLite's log and our locks lie beside the file.
    locks = filter(Path.exists, (path.with_name(path.name + end) for end in (".lock", ".use")))
    for place in (path, path.resolve().parent, *locks):
        if not os.access(place, os.R_OK | os.W_OK):
            denied = "cannot be written to by the user who runs this. Mend its owner or mode, or choose another place."
            raise DatabaseError(f"{place} {denied} {ELSEWHERE}")
    key = settings.database_key.get_secret_value() if settings.database_key else None
    return SqliteDatabase(path, key)


def _engine(connect: Callable[[], Any], **pool: Any) -> Engine:
    # Without hide_parameters, error messages would put people's words into logs.
    engine = create_engine("sqlite+pysqlite://", module=dbapi2, creator=connect, hide_parameters=True, **pool)
    event.listen(engine, "begin", _begin)
    return engine


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("keepsake_writes", False)
    _execute(connection, "BEGIN IMMEDIATE" if writes else "BEGIN")


def _execute(connection: Connection, statement: str, values: Sequence[object] = ()) -> list[Any]:
    """All rows of a statement given straight to the driver, since SQLAlchemy's overhead would exceed a write's cost.

    Raises:
        DatabaseError: the database refused it.
    """
    driver: Any = connection.connection.dbapi_connection
    try:
        rows: list[Any] = driver.execute(statement, values).fetchall()
    except _ROW_ERRORS as error:
        raise RejectedWrite(f"The database refused a value: {error}.") from None
    except dbapi2.Error as error:
        raise DatabaseError(f"The database refused a statement: {error}.") from None
    return rows
