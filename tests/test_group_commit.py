"""Writes that share one commit: each is on the disk when its caller hears of it, and none spoils another's."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import text

from app.db import Database, Statements
from app.errors import DatabaseError
from app.group_commit import GroupCommit, _Write


def insert(statements: Statements, address: str) -> str:
    statements.first_row(
        "INSERT INTO people (address, key, timezone, timezone_source, access, created_at)"
        " VALUES (?, ?, 'UTC', 'unknown', 'allowed', '2026-11-21 00:00:00')",
        (address, address),
    )
    return address


def count(database: Database) -> int:
    with database.reading() as db:
        return int(db.execute(text("SELECT count(*) FROM people")).scalar_one())


def test_a_write_returns_what_its_work_returned_once_it_is_kept(database: Database) -> None:
    assert database.together(lambda db: insert(db, "+1")) == "+1"
    assert count(database) == 1


def test_a_write_that_cannot_be_kept_leaves_the_others_of_its_group_kept(database: Database) -> None:
    database.together(lambda db: insert(db, "+0"))
    outcomes: dict[int, object] = {}
    gate = threading.Barrier(12)

    def write(number: int) -> None:
        gate.wait()
        try:
            # Every third asks for an address that is taken.
            outcomes[number] = database.together(lambda db: insert(db, "+0" if number % 3 == 0 else f"+{number}"))
        except DatabaseError as error:
            outcomes[number] = type(error).__name__

    threads = [threading.Thread(target=write, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [outcomes[number] for number in range(0, 12, 3)] == ["DatabaseError"] * 4
    assert count(database) == 1 + 8


def test_a_work_that_is_cut_off_is_never_taken_for_done(database: Database) -> None:
    class Cut(BaseException):
        pass

    def work(_: Statements) -> None:
        raise Cut

    with pytest.raises(Cut):
        database.together(work)
    assert database.together(lambda db: insert(db, "+1")) == "+1"


def test_after_a_commit_that_failed_the_next_write_succeeds(database: Database) -> None:
    with database.transaction() as db:
        db.execute(text("CREATE TABLE late (id INTEGER REFERENCES people (id) DEFERRABLE INITIALLY DEFERRED)"))
    for _ in range(3):  # SQLite refuses at COMMIT, where SQLAlchemy sends no ROLLBACK.
        with pytest.raises(Exception, match="FOREIGN KEY"), database.transaction() as db:
            db.execute(text("INSERT INTO late VALUES (99)"))
    database.together(lambda db: insert(db, "+1"))
    assert count(database) == 1


def test_a_locked_database_refuses_the_whole_group_at_once_and_not_one_after_the_other(database: Database) -> None:
    tries: list[int] = []

    @contextmanager
    def locked() -> Iterator[Statements]:
        tries.append(1)
        raise DatabaseError
        yield

    group: GroupCommit[Statements] = GroupCommit(locked)
    writes: list[_Write[Statements, object]] = [_Write(lambda db: insert(db, "+1")) for _ in range(6)]
    group._commit(writes)
    assert len(tries) == 1
    assert all(isinstance(write.error, DatabaseError) and write.is_done for write in writes)
