"""PostgreSQL: advisory locks in place of SQLite's single writer, and errors without people's words.

Reasons: docs/decisions/0039-two-databases.md.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import psycopg
from psycopg.adapt import Buffer, Loader
from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.engine import ExceptionContext, make_url
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.orm import Session

from app.errors import DatabaseError
from app.store.db import NOBODY, Database, Shared
from app.store.dialect import DialectSql, error_summary
from app.store.faultpoints import reach
from app.store.group_commit import RejectedWrite
from app.store.locks import BUSY_SECONDS

_ALL, _ONE, _SHARED = 0x4B656570, 0x4B656571, 0x4B656572
"""Names of advisory locks ("Keep" and the next two): the first is for all writers, the second, with an id, for one
person, the third, with a number, for one shared resource. Taking them in this order prevents deadlocks."""
_NUMBERS: dict[Shared | None, int] = {"money": 1, "sender": 2}
# Another program's locks may follow ours: the wait for all of them is one.
_LEFT = "greatest(1, :most - 1000 * extract(epoch FROM clock_timestamp() - now()))::int::text"
_THEN = f"set_config('lock_timeout', {_LEFT}, true)"
_EXCLUSIVE = text(f"SELECT pg_advisory_xact_lock({_ALL}, 0), {_THEN}")
_FOR_PERSON = text(f"SELECT pg_advisory_xact_lock_shared({_ALL}, 0), pg_advisory_xact_lock({_ONE}, :person), {_THEN}")
_FOR_SHARED = text(f"SELECT pg_advisory_xact_lock({_SHARED}, :number)")

_PATIENCE = {"connect_timeout": 4, "tcp_user_timeout": 4000, "keepalives_idle": 4, "keepalives_interval": 2}
"""By default a machine that is gone is waited for two minutes, and its answers a quarter of an hour. With these a lost
connection and the attempt at another end within the ten seconds in which Twilio has to be told."""

IDLE_WAITS = 12  # A transaction that does nothing for so many waits for a writer, a minute, is ended by the server.
_AS_DURABLE = "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
"""Whatever the server's default: a text acknowledged to Twilio is on its disk. Stricter values stay."""

_AS_UTF8 = "Make one by: CREATE DATABASE keepsake ENCODING 'UTF8' TEMPLATE template0."

_ROW_ERRORS = (psycopg.IntegrityError, psycopg.DataError, psycopg.ProgrammingError)


class PostgresDatabase(Database):
    """One database of a PostgreSQL server, shared by threads, processes and machines."""

    def __init__(self, url: str, busy_seconds: float = BUSY_SECONDS) -> None:
        super().__init__()
        self._busy_seconds = busy_seconds
        parts = make_url(url)
        self.place = f"{parts.database} at {parts.host or parts.query.get('host') or 'this machine'}"
        # Without hide_parameters, error messages would put people's words into logs.
        self.engine: Engine = create_engine(
            parts,
            hide_parameters=True,
            pool_size=16,
            max_overflow=48,  # A server accepts 100 connections by default.
            pool_pre_ping=True,
            isolation_level="READ COMMITTED",
            connect_args={name: value for name, value in _PATIENCE.items() if name not in parts.query},
        )
        event.listen(self.engine, "connect", partial(_prepare, busy_seconds))
        event.listen(self.engine, "handle_error", _hide_rows, retval=True)
        self._views = self.engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._in_this_thread = threading.local()

    @contextmanager
    def _writing(self, person_id: int | None, shared: Shared | None) -> Iterator[Session]:
        if getattr(self._in_this_thread, "writes", False):
            raise RuntimeError("A transaction is open in this thread already; pass its `db` along.")
        self._in_this_thread.writes = True
        try:
            with Session(self.engine, expire_on_commit=False) as db:
                self._wait(db, person_id, shared)
                yield db
        finally:
            self._in_this_thread.writes = False

    def _wait(self, db: Session, person_id: int | None, shared: Shared | None) -> None:
        most = {"most": int(self._busy_seconds * 1000)}
        try:
            db.execute(*((_EXCLUSIVE, most) if person_id is None else (_FOR_PERSON, {**most, "person": person_id})))
            if person_id is not None and shared is not None:
                db.execute(_FOR_SHARED, {"number": _NUMBERS[shared]})
        except OperationalError as error:
            if isinstance(error.orig, psycopg.errors.LockNotAvailable):
                raise DatabaseError(
                    f"Another writer has held {self.place} for more than {self._busy_seconds:.0f} s. "
                    "Stop the process that holds it, then try again."
                ) from None
            raise DatabaseError(f"{self.place} cannot be reached ({error.orig}). Is the server running?") from None

    def _write_rows(self, statement: DialectSql, rows: Sequence[Sequence[object]]) -> list[Any]:
        one = statement.of("postgresql").format(rows=f"({', '.join(['%s'] * len(rows[0]))})")
        kept: dict[object, Any] = {}
        reach("group.before")
        with self.transaction(NOBODY) as db:
            driver: Any = db.connection().connection.dbapi_connection
            try:
                for row in rows:
                    kept |= dict(driver.execute(one, row).fetchall())
            except _ROW_ERRORS as error:
                raise RejectedWrite(f"The database refused a value: {error_summary(error)}.") from None
            except psycopg.Error as error:
                raise DatabaseError(f"The database refused a statement: {error_summary(error)}.") from None
        reach("group.after")
        return [kept.get(row[0]) for row in rows]

    @contextmanager
    def reading(self) -> Iterator[Session]:
        with Session(self._views, expire_on_commit=False, autoflush=False) as db:
            yield db

    @contextmanager
    def inspecting(self) -> Iterator[Session]:
        try:
            with self.reading() as db:
                db.connection()
                yield db
        except DBAPIError as error:
            raise DatabaseError(
                f"{self.place} cannot be used ({error.orig}). Look at DATABASE_URL, and whether the server runs."
            ) from None

    def is_ours(self, db: Session) -> bool:
        there = "SELECT to_regclass('alembic_version') IS NOT NULL AND to_regclass('people') IS NOT NULL"
        return bool(db.scalar(text(there)))

    def mark_ours(self, db: Session) -> None:
        """Do nothing: its tables are the mark."""


class _Number(Loader):
    """Loads `numeric`, the type of a sum of integers, as an int if it has no decimals."""

    def load(self, data: Buffer) -> int | float:
        written = bytes(data).decode()
        return float(written) if "." in written else int(written)


def _prepare(busy_seconds: float, connection: Any, _: object) -> None:
    if (encoding := connection.info.parameter_status("server_encoding")) != "UTF8":
        raise DatabaseError(f"The database stores {encoding}, and people write in all scripts. {_AS_UTF8}")
    connection.adapters.register_loader("numeric", _Number)
    connection.autocommit = True
    wait = int(busy_seconds * 1000)
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = {wait}; SET timezone = 'UTC'; {_AS_DURABLE}")
        # Else whoever stops in a transaction, or whose machine loses its power, would hold everybody up for hours.
        cursor.execute(f"SET idle_in_transaction_session_timeout = {wait * IDLE_WAITS}")
    connection.autocommit = False


def _hide_rows(context: ExceptionContext) -> BaseException | None:
    error, original = context.sqlalchemy_exception, context.original_exception
    if not isinstance(error, DBAPIError) or not isinstance(original, psycopg.Error):
        return None
    original.args = (error_summary(original),)
    return type(error)(error.statement, None, original, hide_parameters=True, code=error.code)
