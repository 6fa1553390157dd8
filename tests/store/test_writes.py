"""Writes on either database: a view is of one moment, and writes that share a commit spoil no other."""

import threading
from collections.abc import Callable, Sequence

import pytest
from sqlalchemy import text

from app.errors import DatabaseError
from app.store.db import Database
from app.store.dialect import DialectSql
from app.store.group_commit import GroupCommit

INSERT = (
    "WITH given (address, zone) AS (VALUES {rows})"
    " INSERT INTO people (address, key, timezone, timezone_source, access, created_at)"
    " SELECT address, address, zone, 'unknown', 'allowed', '2026-11-21 00:00:00' FROM given WHERE zone <> 'nowhere'"
    " RETURNING address, id"
)


def insert(database: Database, address: str | None, zone: str = "UTC") -> int | None:
    person_id: int | None = database.write_in_group(DialectSql(INSERT), (address, zone))
    return person_id


def test_a_second_transaction_in_the_same_thread_is_refused_at_once(database: Database) -> None:
    with database.transaction(), pytest.raises(RuntimeError, match="open in this thread"), database.transaction():
        pass
    assert insert(database, "+1") is not None


def test_whoever_looks_and_whoever_writes_do_not_wait_for_each_other_and_a_view_does_not_change(
    database: Database,
) -> None:
    count = text("SELECT count(*) FROM people")
    with database.reading() as db:
        assert db.scalar(count) == 0
        insert(database, "+1")
        assert db.scalar(count) == 0, "one view, whatever is committed"
    with database.reading() as db:
        assert db.scalar(count) == 1


def at_once(calls: int, call: Callable[[int], object]) -> dict[int, object]:
    """Make several calls at the same moment, and return the result or error of each."""
    outcomes: dict[int, object] = {}
    gate = threading.Barrier(calls)

    def one(number: int) -> None:
        gate.wait()
        try:
            outcomes[number] = call(number)
        except DatabaseError as error:
            outcomes[number] = error

    threads = [threading.Thread(target=one, args=(number,)) for number in range(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def test_each_caller_gets_its_own_row_and_one_that_cannot_be_kept_spoils_no_other(database: Database) -> None:
    insert(database, "+0")
    # Every third asks for an address that is taken.
    outcomes = at_once(12, lambda number: insert(database, "+0" if number % 3 == 0 else f"+{number}"))
    refused = [outcomes.pop(number) for number in range(0, 12, 3)]
    assert [type(error).__name__ for error in refused] == ["RejectedWrite"] * 4
    assert not any("+0" in str(error) for error in refused)
    with database.reading() as db:
        kept = db.execute(text("SELECT address, id FROM people WHERE address <> '+0'")).all()
    assert {f"+{number}": row_id for number, row_id in outcomes.items()} == {row[0]: row[1] for row in kept}


def test_a_locked_database_refuses_the_whole_group_at_once_and_not_one_after_the_other() -> None:
    tries: list[Sequence[str]] = []
    entered, go_on = threading.Event(), threading.Event()

    def locked(given: Sequence[str]) -> list[str]:
        tries.append(given)
        entered.set()
        assert go_on.wait(30)
        raise DatabaseError("Locked.")

    group, outcomes = GroupCommit(locked), dict[str, object]()

    def run(one: str) -> None:
        try:
            outcomes[one] = group.run(one)
        except DatabaseError as error:
            outcomes[one] = error

    callers = [threading.Thread(target=run, args=(one,)) for one in ("first", "a", "b", "c")]
    callers[0].start()
    assert entered.wait(30)
    for place, caller in enumerate(callers[1:]):
        caller.start()
        while len(group._queued) <= place:
            pass
    go_on.set()
    for caller in callers:
        caller.join()
    assert [len(given) for given in tries] == [1, 3]
    assert {str(outcome) for outcome in outcomes.values()} == {"Locked."}


def test_a_write_that_is_cut_off_is_never_taken_for_done() -> None:
    class Cut(BaseException):
        pass

    def write(given: Sequence[str]) -> Sequence[str]:
        if given == ["cut"]:
            raise Cut
        return given

    group = GroupCommit(write)
    with pytest.raises(Cut):
        group.run("cut")
    assert group.run("whole") == "whole"
