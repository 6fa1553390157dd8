"""What an earlier version kept is all there, and means what it meant, after the migrations."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from app.memory import index
from app.memory.index import IndexQuery
from app.memory.index.documents import Document
from app.models import Person, Turn
from app.operations import audit
from app.store.schema import migrate
from app.store.sqlite import SqliteDatabase

PERSON = (
    "INSERT INTO people (id, address, key, timezone, timezone_source, access, created_at)"
    " VALUES ({0}, '+1206555010{0}', 'k{0}', 'UTC', 'unknown', 'allowed', '2026-01-01')"
)


@contextmanager
def kept_since(revision: str, *statements: str) -> Iterator[SqliteDatabase]:
    """A database as it was at that migration, with these rows, brought to the newest schema."""
    database = SqliteDatabase(Path("earlier.db"))
    migrate(database, up_to=revision)
    with database.transaction() as db:
        for statement in statements:
            db.execute(text(statement))
    assert migrate(database)
    with database.reading() as db:
        assert db.execute(text("PRAGMA foreign_key_check")).all() == []
    yield database
    database.close()


def refused(database: SqliteDatabase, statement: str, why: str) -> None:
    with pytest.raises(DBAPIError, match=why), database.transaction() as db:
        db.execute(text(statement))


def test_what_an_earlier_version_kept_is_all_there_after_the_tables_were_made_anew() -> None:
    with kept_since(
        "0005_fact_vectors",
        "INSERT INTO people (id, address, key, timezone, timezone_source, access, told_to_wait, created_at)"
        " VALUES (1, '+12065550100', 'k', 'UTC', 'unknown', 'waiting', 1, '2026-11-01 10:00:00')",
        "INSERT INTO conversations (id, person_id, started_at, last_at) VALUES (1, 1, '2026-11-01', '2026-11-01')",
        "INSERT INTO turns (id, person_id, conversation_id, kind, carrier, state, owner, leased_until,"
        " started_at) VALUES (1, 1, 1, 'reply', 'phone', 'done', 'host:1', '2026-11-01', '2026-11-01')",
        "INSERT INTO messages (id, person_id, turn_id, direction, carrier, state, body, created_at)"
        " VALUES (1, 1, 1, 'in', 'phone', 'answered', 'I like tea', '2026-11-01')",
        "INSERT INTO facts (id, person_id, number, version, sentence, normalised, source, confidence,"
        " created_at, recorded_at, retired_at) VALUES"
        " (5, 1, 1, 1, 'Likes coffee', 'likes coffee', 'explicit', 1, '2026-11-01', '2026-11-01', '2026-11-02'),"
        " (6, 1, 1, 2, 'Likes black tea', 'likes black tea', 'explicit', 1, '2026-11-01', '2026-11-02', NULL),"
        " (9, 1, 2, 1, 'Has two dogs', 'has two dogs', 'explicit', 1, '2026-11-01', '2026-11-03', NULL)",
        "INSERT INTO tool_calls (turn_id, attempt, ordinal, name, input, result, is_error, at)"
        " VALUES (1, 1, 1, 'a', '{}', '', 0, '2026-11-01'), (1, 2, 1, 'b', '{}', '', 0, '2026-11-01')",
    ) as database:
        with database.reading() as db:
            assert db.scalars(text("SELECT body FROM messages")).all() == ["I like tea"]
            assert db.execute(text("SELECT person_id, kind FROM notices")).all() == [(1, "wait")]
            assert db.execute(text("SELECT ordinal, name FROM tool_calls ORDER BY id")).all() == [(1, "a"), (2, "b")]
            assert db.scalar(text("PRAGMA foreign_keys")) == 1
            assert [index.find(db, 1, "fact", words) for words in ("tea", "dogs", "coffee")] == [[6], [9], []]
            asked = ("tea, dogs", "black tea, two dogs")
            found = [index.search(db, 1, "fact", IndexQuery(words)) for words in asked]
            assert db.scalar(select(Turn.id).where(Turn.UNINDEXED)), "the texts are left to the job"
        with database.transaction() as db:
            index.add(db, 2, "fact", [Document(6, "Likes black tea", date(2026, 11, 2), own=True)])
            index.add(db, 2, "fact", [Document(9, "Has two dogs", date(2026, 11, 3), own=True)])
            for words, before in zip(asked, found, strict=True):
                anew = index.search(db, 2, "fact", IndexQuery(words))
                assert {name: str(held) for name, held in vars(before).items()} == {
                    name: str(held) for name, held in vars(anew).items()
                }, "as if they had been told today"
            index.remove(db, 1, "fact", [6])
            assert index.find(db, 1, "fact", "tea") == []
        refused(database, "UPDATE messages SET turn_id = 99", "FOREIGN KEY")


def test_facts_of_before_they_were_archived_are_as_fresh_as_they_were_and_tastes_among_them_fade() -> None:
    keep = (
        "INSERT INTO facts (person_id, number, version, sentence, normalised, source, confidence, created_at,"
        " recorded_at, retired_at, last_used_at)"
        " VALUES (1, {0}, 1, '{1}', lower('{1}'), 'explicit', 1, '2026-01-01 00:00:00',"
        " '2026-01-01 00:00:00', {2}, {3})"
    )
    with kept_since(
        "0019_forgotten_episodes",
        PERSON.format(1),
        keep.format(1, "Likes black coffee", "'2026-02-01 00:00:00'", "'2026-03-01 00:00:00'"),
        keep.format(2, "Likes green tea", "NULL", "NULL"),
        keep.format(3, "Has a dog named Max", "NULL", "'2026-03-01 00:00:00'"),
        keep.format(4, "Lives in Lima", "NULL", "'2025-03-01 00:00:00'"),
        "INSERT INTO changes (person_id, actor, verb, at) VALUES (1, 'person', 'remember', '2026-01-01')",
        "INSERT INTO change_items (change_id, added_fact_id) VALUES (1, 2)",
    ) as database:
        with database.reading() as db:
            facts = text("SELECT number, passing, substr(fresh_at, 1, 10), archived_at FROM facts ORDER BY number")
            assert db.execute(facts).all() == [
                (1, 1, "2026-03-01", None),
                (2, 1, "2026-01-01", None),
                (3, 0, "2026-03-01", None),
                (4, 0, "2026-01-01", None),
            ]
        refused(database, "DELETE FROM facts WHERE number = 2", "FOREIGN KEY")
        refused(database, "UPDATE facts SET normalised = 'likes green tea' WHERE number = 3", "UNIQUE")


def test_whoever_could_log_in_before_there_were_roles_is_an_owner_and_stays_logged_in() -> None:
    with kept_since(
        "0024_calendars",
        "INSERT INTO operators (id, name, password_hash, must_change_password, failures, created_at)"
        " VALUES (3, 'operator', 'h', 0, 2, '2026-11-01 10:00:00')",
        "INSERT INTO operator_sessions VALUES ('t', 3, 'c', '2026-11-01', '2026-11-01')",
    ) as database:
        with database.reading() as db:
            kept = text(
                "SELECT id, name, role, password_hash, failures FROM operators JOIN operator_sessions AS session"
                " ON session.operator_id = operators.id AND session.generation = operators.generation"
            )
            assert db.execute(kept).all() == [(3, "operator", "owner", "h", 2)]
        refused(database, "DELETE FROM operators", "FOREIGN KEY")


def test_an_installation_from_before_has_each_persons_last_text_and_tells_no_outcome_that_was_not_kept() -> None:
    said = (
        "INSERT INTO messages (person_id, direction, carrier, state, body, created_at)"
        " VALUES (1, '{}', 'phone', '{}', 'Hi', '2026-11-01')"
    )
    with (
        kept_since(
            "0029_routine_lists",
            *(PERSON.format(person) for person in (1, 2)),
            *(said.format(*one) for one in (("in", "answered"), ("in", "waiting"), ("out", "sent"))),
            "INSERT INTO audit_entries (id, at, who, did, about, reason, times, hash)"
            " VALUES (1, '2026-11-01', 'dana', 'forget', '', '', 1, '')",
        ) as database,
        database.reading() as db,
    ):
        assert db.execute(text("SELECT last_text_id FROM people ORDER BY id")).scalars().all() == [2, 0]
        assert [outcome for _, outcome in audit.find(db, limit=9)] == [None]


def test_a_rest_and_a_closed_window_go_with_their_person() -> None:
    mark = "INSERT INTO marks (name, at, number, note) VALUES ('{}', '2026-11-20 07:00:00.000000', 0, {})"
    with (
        kept_since(
            "0035_turns_memory_on",
            PERSON.format(1),
            *(mark.format(*one) for one in (("rest:1", "'budget'"), ("window:1", "NULL"), ("received_from", "NULL"))),
        ) as database,
        database.reading() as db,
    ):
        person = db.get_one(Person, 1)
        assert f"{person.rests_until:%d %H}" == f"{person.window_shut_at:%d %H}" == "20 07"
        assert person.rests_for == "budget"
        assert db.scalars(text("SELECT name FROM marks")).all() == ["received_from"]
