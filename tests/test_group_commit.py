"""Writes that share one commit: each is on the disk when its caller hears of it, and none spoils another's."""

import threading

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.db import Database
from app.errors import DatabaseError


def insert(db: Session, address: str) -> str:
    db.execute(
        text(
            "INSERT INTO people (address, key, timezone, timezone_source, access, created_at)"
            " VALUES (:address, :address, 'UTC', 'unknown', 'allowed', '2026-11-21 00:00:00')"
        ),
        {"address": address},
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
        except IntegrityError as error:
            outcomes[number] = type(error).__name__

    threads = [threading.Thread(target=write, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [outcomes[number] for number in range(0, 12, 3)] == ["IntegrityError"] * 4
    assert count(database) == 1 + 8


def test_a_work_that_is_cut_off_is_never_taken_for_done(database: Database) -> None:
    class Cut(BaseException):
        pass

    def work(_: Session) -> None:
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

    def begin() -> object:
        tries.append(1)
        raise DatabaseError

    from app.group_commit import GroupCommit, _Write

    group = GroupCommit(begin)  # type: ignore[arg-type]
    writes = [_Write(lambda db: insert(db, "+1")) for _ in range(6)]
    group._commit(writes)  # type: ignore[arg-type]
    assert len(tries) == 1
    assert all(isinstance(write.error, DatabaseError) and write.is_done for write in writes)
