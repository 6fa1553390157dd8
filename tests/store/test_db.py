"""The database layer: SQLite's options, the order of writers, and the permissions of the file."""

import fcntl
import multiprocessing
import os
import queue
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import text

from app.errors import DatabaseError
from app.settings import load_settings
from app.store.dialect import DialectSql
from app.store.locks import BUSY_SECONDS, Places
from app.store.schema import migrate
from app.store.sqlite import PRAGMAS, SqliteDatabase, open_file
from app.store.vector_extension import VectorExtension, vector_extension

ROOT = Path(__file__).resolve().parents[2]
PERSON = (
    "INSERT INTO people (address, key, timezone, timezone_source, access, created_at) "
    "VALUES (:a, :a, 'UTC', 'unknown', 'allowed', '2026-11-21 17:00:00')"
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[SqliteDatabase]:
    opened = open_at(tmp_path / "instance" / "keepsake.db")
    yield opened
    opened.close()


def open_at(path: Path, key: str | None = None) -> SqliteDatabase:
    database = open_file(load_settings(_env_file=None, database_url=f"sqlite:///{path}", database_key=key))
    migrate(database)
    return database


def count(database: SqliteDatabase) -> int:
    with database.reading() as db:
        return int(db.execute(text("SELECT count(*) FROM people")).scalar_one())


def test_every_connection_of_the_pool_has_every_pragma(database: SqliteDatabase) -> None:
    promised = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1, "busy_timeout": 4000}
    assert promised.items() <= PRAGMAS.items()
    with ExitStack() as open_at_once:
        connections = [open_at_once.enter_context(database.engine.connect()) for _ in range(20)]
        raw = {id(connection.connection.dbapi_connection) for connection in connections}
        assert len(raw) == 20
        for connection in connections:
            read = {name: connection.execute(text(f"PRAGMA {name}")).scalar() for name in PRAGMAS}
            assert read == PRAGMAS
            version = connection.execute(text("SELECT vec_version()")).scalar_one()
        with database.reading() as db:
            assert vector_extension(db) == VectorExtension(version)
            assert vector_extension(db).works


def test_r56_a_long_reader_stops_no_writer_and_the_log_shrinks_after_it(database: SqliteDatabase) -> None:
    log, limit = Path(f"{database.path}-wal"), int(PRAGMAS["journal_size_limit"])
    with database.reading() as export:
        assert export.scalar(text("SELECT count(*) FROM people")) == 0
        for number in range(20):
            with database.transaction() as db:
                db.execute(text(PERSON), {"a": f"{number}" * 2**20})
        assert log.stat().st_size > limit
        assert export.scalar(text("SELECT count(*) FROM people")) == 0
    for number in range(2):  # The first folds the log into the file, the second begins it anew.
        with database.transaction() as db:
            db.execute(text(PERSON), {"a": f"after {number}"})
    assert log.stat().st_size <= limit
    assert count(database) == 22


def test_closing_lets_whoever_writes_finish(tmp_path: Path) -> None:
    path = tmp_path / "keepsake.db"
    database = open_at(path)
    closing = threading.Thread(target=database.close)

    with database.transaction() as db:  # Closed under this thread, the connection would take the process with it.
        closing.start()
        for number in range(2_000):
            db.execute(text(PERSON), {"a": f"+1206555{number:04d}"})
    closing.join()

    reopened = open_at(path)
    assert count(reopened) == 2_000
    reopened.close()


def write_some(database: SqliteDatabase, name: str) -> None:
    for number in range(60):
        with database.transaction() as db:
            # Read first, write then: what fails at once in a deferred transaction that another commit overtook.
            db.execute(text("SELECT count(*) FROM people")).scalar()
            db.execute(text(PERSON), {"a": f"{name}-{number}"})


def write_on_ones_own(path: str, name: str, failures: "multiprocessing.Queue[str]") -> None:
    database = SqliteDatabase(Path(path))
    try:
        write_some(database, name)
    except Exception as error:  # noqa: BLE001  (whatever it is, the test shows it)
        failures.put(repr(error))
    finally:
        database.close()


def test_processes_and_threads_that_write_at_once_never_find_the_database_busy(database: SqliteDatabase) -> None:
    spawn = multiprocessing.get_context("spawn")
    failures = spawn.Queue()
    alone = [(str(database.path), f"writer-{number}", failures) for number in range(4)]
    writers: list[threading.Thread | multiprocessing.process.BaseProcess] = [
        *(spawn.Process(target=write_on_ones_own, args=one) for one in alone[:2]),
        *(threading.Thread(target=write_on_ones_own, args=one) for one in alone[2:]),
        *(threading.Thread(target=write_some, args=(database, f"sharer-{number}")) for number in range(3)),
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert failures.empty()
    failures.close()
    failures.join_thread()
    assert count(database) == 7 * 60


KEEP = "INSERT INTO marks (name, at, number) VALUES {rows} RETURNING name, number"


def wait_for_writers(places: Places, number: int) -> None:
    while len(places._first) + len(places._others) < number:
        pass


def test_a_text_that_comes_in_is_written_before_what_waited_for_its_turn_already(database: SqliteDatabase) -> None:
    there: list[object] = []

    def answer() -> None:
        with database.transaction() as db:
            there.append(db.scalar(text("SELECT name FROM marks")))

    def take_in() -> None:
        database.write_in_group(DialectSql(KEEP), ("a text", "2026-11-21 17:00:00", 1))

    places = database._lock._threads
    with database.transaction():
        answering = threading.Thread(target=answer)
        answering.start()
        wait_for_writers(places, 1)
        taking_in = threading.Thread(target=take_in)
        taking_in.start()
        wait_for_writers(places, 2)
    for thread in (answering, taking_in):
        thread.join(10)
    assert there == ["a text"]


def test_whoever_cannot_write_in_time_is_told_so_and_what_to_do(database: SqliteDatabase) -> None:
    held = os.open(database.path.with_name("keepsake.db.lock"), os.O_RDWR)
    fcntl.flock(held, fcntl.LOCK_EX)  # As another process holds it.
    with pytest.raises(DatabaseError, match=f"more than {BUSY_SECONDS:.0f} s. Stop the process"):
        database.transaction().__enter__()
    os.close(held)
    with database.transaction() as db:
        db.execute(text(PERSON), {"a": "+1"})


def test_who_has_just_left_comes_behind_those_who_wait_and_who_waits_no_longer_takes_nothing() -> None:
    places, seated = Places(1), queue.SimpleQueue[str]()
    places.take()
    assert not places.take(before_others=True, seconds=0)
    assert not places.take(seconds=0)

    def come() -> None:
        places.take()
        seated.put("who waited")
        places.leave()

    threading.Thread(target=come, daemon=True).start()
    wait_for_writers(places, 1)
    places.leave()
    places.take()
    seated.put("who was there")
    assert [seated.get(timeout=10) for _ in range(2)] == ["who waited", "who was there"]


FORK = """
import os, sys
from pathlib import Path
from app.errors import DatabaseError
from app.store.locks import WriterLock

lock = WriterLock(Path(sys.argv[1]))
with lock.held():
    pass
to_child, to_parent = os.pipe(), os.pipe()
if os.fork() == 0:
    with lock.held():
        os.write(to_parent[1], b"h")
        os.read(to_child[0], 1)
    os._exit(0)
os.read(to_parent[0], 1)
try:
    with lock.held():
        print("both hold it")
except DatabaseError:
    print("the child alone holds it")
os.write(to_child[1], b"g")
os.wait()
with lock.held():
    print("the parent holds it")
"""


def test_a_forked_child_has_a_lock_of_its_own(tmp_path: Path) -> None:
    # In a process of its own, because a process that has had threads should not fork.
    done = subprocess.run(
        [sys.executable, "-c", FORK, tmp_path / "lock"],
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.stdout.decode().splitlines() == ["the child alone holds it", "the parent holds it"]


def test_the_files_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)  # The most careless machine there is.
    try:
        database = open_at(tmp_path / "instance" / "keepsake.db")
        with database.transaction() as db:
            db.execute(text(PERSON), {"a": "+1"})
        files = {file.name: stat.S_IMODE(file.stat().st_mode) for file in database.path.parent.iterdir()}
        database.close()
    finally:
        os.umask(before)
    assert stat.S_IMODE(database.path.parent.stat().st_mode) == 0o700
    assert files.keys() >= {"keepsake.db", "keepsake.db-wal", "keepsake.db-shm", "keepsake.db.lock"}
    assert set(files.values()) == {0o600}


def test_with_a_key_nothing_can_be_read_from_the_files_and_with_it_all_of_it(tmp_path: Path) -> None:
    path = tmp_path / "keepsake.db"
    database = open_at(path, key="it's a key")
    with database.transaction() as db:
        db.execute(text(PERSON), {"a": "plaintext-marker"})
    held = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    database.close()
    assert b"plaintext-marker" not in held
    assert b"SQLite format 3" not in held
    assert b"people" not in held
    with sqlite3.connect(path) as plain, pytest.raises(sqlite3.DatabaseError):
        plain.execute("SELECT count(*) FROM people")
    plain.close()
    again = open_at(path, key="it's a key")
    assert count(again) == 1
    again.close()
