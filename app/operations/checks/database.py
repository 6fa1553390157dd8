"""Checks of the database (private, whole, up to date, nothing stuck) and of its machine: time, zones, disk."""

import os
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path
from shlex import quote
from zoneinfo import ZoneInfo

from sqlalchemy import func, literal_column, select, table
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from app.clock import SystemClock
from app.errors import DatabaseError
from app.models import Message
from app.operations.alerts import MODEL_REFUSED, open_alerts
from app.operations.checks import Finding, bad, ok, warn
from app.settings import Settings
from app.store import open_database
from app.store.db import Database
from app.store.schema import damage, newest_revision, pending, unreadable
from app.store.sqlite import ELSEWHERE, PRAGMAS, SqliteDatabase
from app.store.vector_extension import vector_extension

STUCK = timedelta(minutes=5)  # A turn takes a minute at most, and is retried after that.
LITTLE_DISK_BYTES = 2**30  # A gigabyte holds years of texts, and the copies for backups and updates.
NONE_BYTES = 50 * 2**20  # Below this the next growth of the write-ahead log may fail.
PLAIN_HEADER = b"SQLite format 3\x00"


def check_database(settings: Settings) -> Iterator[Finding]:
    path = settings.database_path
    if settings.is_sqlite and not os.access(path, os.F_OK):
        if os.access(folder := _folder_of(path), os.W_OK | os.X_OK):
            yield warn("database", f"{path} is not there yet. `make serve` or `keepsake migrate` makes it.")
        else:
            yield bad("database", f"{path} cannot be made: {folder} cannot be written to. {ELSEWHERE}")
        return
    try:
        database = open_database(settings)
    except DatabaseError as error:
        yield bad("database", str(error))
        return
    with closing(database):
        yield from check_open(settings, database, reads_all=True)


def _folder_of(path: Path) -> Path:
    """The folder of the path, or the first one above it that exists."""
    return next(folder for folder in path.absolute().parents if os.access(folder, os.F_OK))


def check_open(settings: Settings, database: Database, *, reads_all: bool) -> Iterator[Finding]:
    """The checks on an open database. With `reads_all` all of it is read for damage, which may take a minute."""
    yield from check_files(settings)
    try:
        yield from _contents(database, reads_all=reads_all)
    except DBAPIError as error:
        yield bad("database", str(unreadable(database.place, error)))


def check_files(settings: Settings) -> Iterator[Finding]:
    """Findings about an existing database's files, without opening them as a database."""
    if settings.is_sqlite:
        yield _permissions(settings.database_path)
        yield _encryption(settings)


def check_pages(database: Database) -> Iterator[Finding]:
    """Check that the file is whole; for SQLite only, as a server checks its own."""
    if isinstance(database, SqliteDatabase):
        found = damage(database)
        yield bad("pages", f"damaged: {found}. Restore a backup.") if found else ok("pages", "whole.")


def _permissions(path: Path) -> Finding:
    files = [path, *(path.with_name(path.name + end) for end in ("-wal", "-shm", ".lock"))]
    wanted = [(path.absolute().parent, 0o700)] + [(file, 0o600) for file in files if file.exists()]
    loose = [(file, mode) for file, mode in wanted if stat.S_IMODE(file.stat().st_mode) & ~mode]
    if not loose:
        return ok("permissions", f"{path} and its folder are private to their owner.")
    mend = " && ".join(f"chmod {mode:o} {quote(str(file))}" for file, mode in loose)
    return bad("permissions", f"others on this machine can read what people wrote. Run: {mend}")


def _encryption(settings: Settings) -> Finding:
    with settings.database_path.open("rb") as file:
        start = file.read(len(PLAIN_HEADER))
    if start and start != PLAIN_HEADER:
        return ok("encryption", "the file is encrypted (SQLCipher). Keep DATABASE_KEY apart from the backups.")
    if settings.database_key is None:
        return ok("encryption", "off: whoever has the file can read it. DATABASE_KEY encrypts a new database.")
    says = "DATABASE_KEY is set and the file is not encrypted. Unset it, or begin with a new DATABASE_URL."
    return bad("encryption", says)


def _contents(database: Database, *, reads_all: bool) -> Iterator[Finding]:
    try:
        steps = pending(database)
        with database.inspecting() as db:
            is_empty = not database.is_ours(db)
    except DatabaseError as error:
        yield bad("schema", str(error))
        return
    if is_empty:
        yield warn("schema", f"{database.place} is empty. `make serve` or `keepsake migrate` makes its tables.")
        return
    if steps:
        yield bad("schema", f"{len(steps)} steps behind: this version needs {steps[-1]}. Run: keepsake migrate")
        return
    yield ok("schema", f"at {newest_revision()}, the newest.")
    if reads_all:
        yield from check_pages(database)
    with database.reading() as db:
        if isinstance(database, SqliteDatabase):
            yield _pragmas(db)
            yield _vectors(db)
        else:
            yield _server(db)
        yield from _stuck(db)
        for alert in open_alerts(db):
            level = bad if alert.kind == MODEL_REFUSED else warn
            yield level(f"alert {alert.kind}", f"since {alert.raised_at:%Y-%m-%d %H:%M} UTC: {alert.sentence}")


def _pragmas(db: Session) -> Finding:
    tables = [table(f"pragma_{name}") for name in PRAGMAS]  # SQLite also has each as a table of one row.
    values = (select(literal_column("*")).select_from(one).scalar_subquery() for one in tables)
    if wrong := _wrong(PRAGMAS, db.execute(select(*values)).one()):
        return bad("pragmas", f"{wrong}. Is the file on a network drive? SQLite needs a local disk.")
    return ok("pragmas", ", ".join(f"{name}={value}" for name, value in PRAGMAS.items()))


def _server(db: Session) -> Finding:
    wanted = {"server_encoding": "UTF8", "fsync": "on", "synchronous_commit": "on"}
    shown = [func.current_setting(name) for name in ("server_version", *wanted)]
    server, *found = db.execute(select(*shown)).one()
    if wrong := _wrong(wanted, found):
        return bad("server", f"PostgreSQL {server}: {wrong}. A text that was taken in could be lost or cut.")
    return ok("server", f"PostgreSQL {server}; what is committed is on its disk. Vectors are measured by numpy.")


def _wrong(wanted: Mapping[str, object], found: Iterable[object]) -> str:
    """The values that are wrong, each with the right one; empty if none is."""
    each = zip(wanted.items(), found, strict=True)
    return "; ".join(f"{name} is {value}, not {right}" for (name, right), value in each if value != right)


def _vectors(db: Session) -> Finding:
    extension = vector_extension(db)
    if extension.works:
        return ok("vectors", f"sqlite-vec {extension.version} searches by vectors.")
    return warn(
        "vectors",
        f"{extension.problem}, so numpy searches by vectors: the same results, slower. "
        "There is nothing to do until a person has tens of thousands of memories.",
    )


def _stuck(db: Session) -> Iterator[Finding]:
    now = SystemClock().now()
    waiting = select(func.count()).where(
        Message.UNDER_WAY, Message.state == "waiting", Message.created_at < now - STUCK
    )
    unknown = select(func.count()).where(Message.TROUBLED, Message.state == "unknown")
    newest_at = select(Message.created_at).order_by(Message.id.desc()).limit(1)
    late, unsure, newest = db.execute(select(*(one.scalar_subquery() for one in (waiting, unknown, newest_at)))).one()
    if newest is not None and newest > now:
        yield bad("newest text", f"it is of {newest:%Y-%m-%d %H:%M} UTC, which is still to come. Set the clock by NTP.")
    if late:
        yield bad(
            "unanswered",
            f"{late} waiting for more than 5 minutes. Is keepsake serve running? If so, the model is away, a budget is "
            "spent, or too much came at once: look at the alerts and the log.",
        )
    else:
        yield ok("unanswered", "no text has waited for more than 5 minutes.")
    if unsure:
        says = f"{unsure} replies may or may not have been sent. A running server looks them up at Twilio."
        yield warn("unsure", says)
    else:
        yield ok("unsure", "every reply is known to be sent or not.")


def check_machine(settings: Settings) -> Iterator[Finding]:
    now, zones = SystemClock().now(), version("tzdata")
    year = int(zones.partition(".")[0])
    if now.year < year:
        says = f"it is {now:%Y-%m-%d %H:%M} UTC here, before the zone data of {year}. Set the clock by NTP."
        yield bad("clock", says)
    else:
        says = f"{now:%Y-%m-%d %H:%M:%S} UTC. If that is wrong by more than a minute, set the clock by NTP."
        yield ok("clock", says)
    if year < now.year - 1:
        yield warn("tzdata", f"{zones} is more than a year old, and countries change their clocks. Update Keepsake.")
    else:
        yield ok("tzdata", f"{zones}; New York is at {now.astimezone(ZoneInfo('America/New_York')):%H:%M}.")
    folder = _folder_of(settings.beside_database)
    free = shutil.disk_usage(folder).free
    says = f"{free / 2**30:,.1f} GB free in {folder}."
    if free < NONE_BYTES:
        yield bad("disk", f"{says} Texts can soon not be kept: make room.")
    else:
        yield warn("disk", f"{says} Make room soon.") if free < LITTLE_DISK_BYTES else ok("disk", says)
