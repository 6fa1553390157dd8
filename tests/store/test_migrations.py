"""The schema's way from empty to newest, and what is refused on the way with the file left as it was."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, event, inspect, text
from sqlcipher3 import dbapi2

from app import models
from app.errors import DatabaseError
from app.store.db import Base
from app.store.schema import MIGRATIONS, damage, migrate, pending
from app.store.sqlite import SqliteDatabase
from tests.fakes import FrozenClock
from tests.stores import run_sql

ROOT = Path(__file__).resolve().parents[2]
NEWEST = str(ScriptDirectory(str(MIGRATIONS)).get_current_head())


def made(path: Path, key: str | None = None) -> Path:
    """A migrated database with a person in it, closed, everything in its one file."""
    database = SqliteDatabase(path, key)
    migrate(database)
    with database.transaction() as db:
        db.add(
            models.Person(
                address="+12065550100", key="k", timezone="UTC", access="allowed", created_at=FrozenClock().now()
            )
        )
    database.close()
    return path


def left_by_a_kill(path: Path, statement: str, key: str | None = None) -> Path:
    """A copy of it with the statement's change in the write-ahead log alone, as a process that is killed leaves it."""
    killed = path.with_name(f"killed-{path.name}")
    with dbapi2.connect(str(path)) as raw:
        if key is not None:
            raw.execute(f"PRAGMA key = '{key}'")
        raw.execute("PRAGMA journal_mode = wal")
        raw.execute(statement)
        raw.commit()
        for end in ("", "-wal"):
            shutil.copy(f"{path}{end}", f"{killed}{end}")
    raw.close()
    return killed


def contents(path: Path) -> dict[str, bytes]:
    """The database's files, without the index of the write-ahead log, which SQLite makes anew at each reading."""
    return {file.name: file.read_bytes() for file in path.parent.glob(f"{path.name}*") if file.suffix != ".db-shm"}


def refusal(path: Path, key: str | None = None) -> str:
    """The sentence with which `migrate` refuses this file, which it leaves unchanged, with its write-ahead log."""
    before = contents(path)
    database = SqliteDatabase(path, key)
    try:
        with pytest.raises(DatabaseError) as raised:
            migrate(database)
    finally:
        database.close()
    assert contents(path) == before
    assert str(path) in str(raised.value)
    return str(raised.value)


def shape(connection: Connection) -> dict[str, Any]:
    """All that SQLite knows of each table: columns, keys, checks, indexes."""
    seen = inspect(connection)
    return {
        table: {
            "columns": {
                column["name"]: (str(column["type"]), column["nullable"], str(column["default"]).strip("'\""))
                for column in seen.get_columns(table)
            },
            "primary key": seen.get_pk_constraint(table),
            "foreign keys": sorted(map(str, seen.get_foreign_keys(table))),
            "unique": sorted(map(str, seen.get_unique_constraints(table))),
            "checks": sorted(str(check) for check in seen.get_check_constraints(table)),
            "indexes": sorted(
                (str(index["name"]), index["unique"], str(index["column_names"]), where(index))
                for index in seen.get_indexes(table)
            ),
        }
        for table in seen.get_table_names()
        if table != "alembic_version"
    }


def where(index: Any) -> str:
    clause = str(index.get("dialect_options", {}).get("sqlite_where", ""))
    return clause.replace("IS NOT last_at", "IS DISTINCT FROM last_at")  # As an older migration spelt it.


def test_upgraded_from_empty_is_what_the_tables_say(tmp_path: Path) -> None:
    fresh = create_engine(f"sqlite+pysqlite:///{tmp_path / 'fresh.db'}", module=dbapi2)
    Base.metadata.create_all(fresh)
    with closing(SqliteDatabase(tmp_path / "migrated.db")) as database:
        assert migrate(database)
        with database.engine.connect() as upgraded, fresh.connect() as declared:
            found = shape(upgraded)
            assert found == shape(declared)
            # SQLAlchemy reads no directions of an index, so the one that has them is compared as it was written.
            differences = compare_metadata(MigrationContext.configure(upgraded), Base.metadata)
            assert [one for one in differences if one[1].name != "ix_facts_foremost"] == []
            written = text("SELECT sql FROM sqlite_master WHERE name = 'ix_facts_foremost'")
            assert upgraded.scalar(written) == declared.scalar(written)
    fresh.dispose()
    facts = found["facts"]
    assert "retired_at IS NULL" in str(facts["indexes"]), "partial indexes are compared"
    assert "corrected" in str(facts["checks"]), "and checks"
    assert facts["columns"]["times_told"][2] == "1"


def test_an_index_of_some_rows_is_one_of_the_same_rows_on_both() -> None:
    indexes = [index.dialect_options for table in Base.metadata.sorted_tables for index in table.indexes]
    where = [(str(one["postgresql"]["where"]), str(one["sqlite"]["where"])) for one in indexes]
    assert [pair for pair in where if pair[0] != pair[1]] == []
    assert {postgresql for postgresql, _ in where} > {"None"}, "there are such"


def test_migrations_are_numbered_under_the_names_of_their_files_and_head_names_the_last() -> None:
    scripts = list(ScriptDirectory(str(MIGRATIONS)).walk_revisions())[::-1]
    for number, script in enumerate(scripts, start=1):
        assert script.revision.startswith(f"{number:04}_")
        assert Path(script.path).stem == script.revision
        assert script.doc, f"{script.revision} says at its top why it is"
    files = sorted(file.stem for file in (MIGRATIONS / "versions").glob("*.py"))
    assert (MIGRATIONS / "HEAD").read_text() == f"{files[-1]}\n", "so that two branches cannot both add one"
    assert files[-1] == NEWEST


def test_r62_no_step_reads_all_turns_for_each_turn(tmp_path: Path) -> None:
    path, turns, thousands = tmp_path / "keepsake.db", 2000, list[int]()
    with closing(SqliteDatabase(path)) as old:
        migrate(old, up_to="0034_what_to_stop")
    run_sql(
        path,
        "INSERT INTO people (id, address, key, timezone, timezone_source, access, created_at)"
        " VALUES (1, '+1', 'k', 'UTC', 'unknown', 'allowed', '2026-01-01')",
        "INSERT INTO conversations (id, person_id, started_at, last_at) VALUES (1, 1, '2026-01-01', '2026-01-01')",
        f"WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT {turns})"
        " INSERT INTO turns (person_id, conversation_id, carrier, kind, state, owner, started_at, leased_until)"
        " SELECT 1, 1, 'phone', 'reply', 'done', 'me', '2026-01-01', '2026-01-01' FROM n",
        "INSERT INTO messages (person_id, turn_id, direction, carrier, state, body, created_at)"
        " SELECT 1, id, 'in', 'phone', 'answered', 'Hi', '2026-01-01' FROM turns",
    )
    with closing(SqliteDatabase(path)) as database:
        tick = partial(thousands.append, 1)  # Returns None, so that SQLite goes on.
        event.listen(database.engine, "connect", lambda raw, _: raw.set_progress_handler(tick, 1000))
        migrate(database)
    assert len(thousands) < turns


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    path = made(tmp_path / "keepsake.db")
    before = path.read_bytes()
    database = SqliteDatabase(path)
    assert migrate(database) == []
    assert pending(database) == []
    assert damage(database) is None
    database.close()
    assert path.read_bytes() == before


DOOMED = '''"""Doomed."""
import os, signal
from alembic import op
revision = "9999_doomed"
down_revision = "NEWEST"

def upgrade():
    op.execute("CREATE TABLE half (x)")
    op.execute("DELETE FROM people")
    os.kill(os.getpid(), signal.SIGKILL)
'''

MIGRATE = """
import sys
from pathlib import Path
from app.store.sqlite import SqliteDatabase
from app.store.schema import migrate

migrate(SqliteDatabase(Path(sys.argv[1])))
"""


def test_a_migration_that_is_killed_half_way_leaves_the_old_schema_and_the_data(tmp_path: Path) -> None:
    # The next version of Keepsake, whose migration dies after its first half, in a process of its own.
    shutil.copytree(ROOT / "app", tmp_path / "app", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(MIGRATIONS, tmp_path / "migrations", ignore=shutil.ignore_patterns("__pycache__"))
    path = made(tmp_path / "keepsake.db")
    step = tmp_path / "migrations" / "versions" / "9999_doomed.py"
    step.write_text(DOOMED.replace("NEWEST", NEWEST))
    (tmp_path / "migrations" / "HEAD").write_text("9999_doomed\n")
    assert upgrade_in(tmp_path, path) == -signal.SIGKILL

    database = SqliteDatabase(path)
    assert migrate(database) == []
    with database.reading() as db:
        assert not inspect(db.connection()).has_table("half")
        assert db.execute(text("SELECT count(*) FROM people")).scalar() == 1
    database.close()

    step.write_text(DOOMED.replace("NEWEST", NEWEST).replace("    os.kill(os.getpid(), signal.SIGKILL)\n", ""))
    assert upgrade_in(tmp_path, path) == 0, "the same step, whole, goes through afterwards"


def upgrade_in(tree: Path, path: Path) -> int:
    return subprocess.run(
        [sys.executable, "-c", MIGRATE, path], cwd=tree, env=os.environ | {"PYTHONPATH": str(tree)}, check=False
    ).returncode


NEWER = "UPDATE alembic_version SET version_num = '9999_from_the_future'"
KEY_IS_WRONG = ("DATABASE_KEY is wrong or missing, or the file is another program's",)


def spoil(path: Path) -> None:
    content = bytearray(made(path).read_bytes())
    content[2 * 4096 : 6 * 4096] = os.urandom(4 * 4096)
    path.write_bytes(content)


def cut_off(path: Path) -> None:
    with made(path).open("r+b") as file:
        file.truncate(path.stat().st_size // 2 // 4096 * 4096)


@pytest.mark.parametrize(
    ("make", "key", "says"),
    [
        (lambda path: run_sql(made(path), NEWER), None, ("newer Keepsake", "9999_from_the_future", "Update Keepsake")),
        (
            lambda path: run_sql(path, "CREATE TABLE invoices (id)"),
            None,
            ("another program", "invoices", "DATABASE_URL"),
        ),
        (
            lambda path: run_sql(path, "PRAGMA journal_mode = wal", "CREATE TABLE invoices (id)"),
            None,
            ("another program", "invoices", "DATABASE_URL"),
        ),
        (lambda path: path.write_text("Dear diary, today I texted a machine. " * 200), None, KEY_IS_WRONG),
        (spoil, None, ("damaged", "backup")),
        (cut_off, None, ("damaged", "backup")),
        (lambda path: made(path, key="the key"), None, KEY_IS_WRONG),
        (lambda path: made(path, key="the key"), "another key", KEY_IS_WRONG),
        (made, "a key", KEY_IS_WRONG),
    ],
)
def test_a_database_that_is_not_ours_or_not_whole_is_refused(
    tmp_path: Path, make: Callable[[Path], object], key: str | None, says: tuple[str, ...]
) -> None:
    path = tmp_path / "keepsake.db"
    make(path)
    said = refusal(path, key)
    assert [word for word in says if word not in said] == []


def test_a_log_that_was_left_beside_a_refused_file_is_not_folded_into_it(tmp_path: Path) -> None:
    newer = left_by_a_kill(made(tmp_path / "newer.db"), NEWER)
    assert b"9999_from_the_future" not in newer.read_bytes(), "it stands in the log alone"
    assert "9999_from_the_future" in refusal(newer)

    assert "invoices" in refusal(left_by_a_kill(tmp_path / "foreign.db", "CREATE TABLE invoices (id)"))

    encrypted = left_by_a_kill(made(tmp_path / "encrypted.db", "the key"), NEWER, "the key")
    for key in (None, "another key"):
        assert "DATABASE_KEY is wrong or missing" in refusal(encrypted, key)
    assert "9999_from_the_future" in refusal(encrypted, "the key")

    spoilt = left_by_a_kill(made(tmp_path / "spoilt.db"), "DELETE FROM people")
    with spoilt.open("r+b") as file:
        file.truncate(spoilt.stat().st_size // 2 // 4096 * 4096)
    assert "damaged" in refusal(spoilt)
