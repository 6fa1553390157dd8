"""A start that is refused: one sentence, and the files as they were."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from app.store.schema import migrate
from app.store.sqlite import SqliteDatabase
from tests.cli.conftest import DATABASE, ROOT, Run

# Root may write anywhere, until it takes that right (CAP_DAC_OVERRIDE, 1) from what it starts (PR_CAPBSET_DROP, 24).
LIKE_ANYBODY = """
import ctypes, os, sys
if os.geteuid() == 0:
    ctypes.CDLL(None).prctl(24, 1)
os.execv(sys.executable, [sys.executable, "-c", *sys.argv[1:]])
"""
EACH_MIGRATED = """
import json, sys
from click.testing import CliRunner
from app.cli import main
for path in sys.argv[1:]:
    done = CliRunner().invoke(main, ["migrate"], prog_name="keepsake", env={"DATABASE_URL": f"sqlite:///{path}"})
    print(json.dumps([done.exit_code, done.stdout, done.stderr]))
"""


def left_by_a_kill(key: str | None = None) -> None:
    """A newer Keepsake's database, of which the mark of the newer one stands in the write-ahead log alone."""
    database = SqliteDatabase(Path("running.db"), key)
    migrate(database)
    with database.transaction() as db:
        db.execute(text("UPDATE alembic_version SET version_num = '9999_from_the_future'"))
    DATABASE.parent.mkdir(mode=0o700)
    for end in ("", "-wal"):
        shutil.copy(f"running.db{end}", f"{DATABASE}{end}")
    database.close()


def contents() -> dict[str, bytes]:
    """The files in the folder, without SQLite's index of the write-ahead log, which each reading makes anew."""
    return {file.name: file.read_bytes() for file in DATABASE.parent.iterdir() if file.suffix != ".db-shm"}


@pytest.mark.parametrize(
    ("command", "key", "given", "says"),
    [
        ("serve", None, {}, "was made by a newer Keepsake: it is at 9999_from_the_future"),
        ("serve", None, {"DATABASE_KEY": "a key"}, "is not a database that can be read: DATABASE_KEY is wrong"),
        ("migrate", "the key", {}, "is not a database that can be read: DATABASE_KEY is wrong or missing"),
        ("serve", "the key", {"DATABASE_KEY": "another"}, "is not a database that can be read: DATABASE_KEY is wrong"),
    ],
)
def test_a_refused_start_is_one_sentence_and_leaves_the_file_and_its_log(
    run: Run, capfd: pytest.CaptureFixture[str], command: str, key: str | None, given: dict[str, str], says: str
) -> None:
    left_by_a_kill(key)
    before = contents()
    said = run.refusal(command, **given)
    assert said.startswith(f"{DATABASE} {says}")
    assert said.count("\n") == 1
    assert run("doctor", **given).exit_code == 1
    assert capfd.readouterr() == ("", ""), "and not a line of the library's own"
    assert contents() == before


def test_a_database_that_cannot_be_where_it_should_be_is_one_sentence_with_the_way_out(run: Run) -> None:
    Path("folder").mkdir()
    Path("notes.txt").touch()
    Path("read-only").mkdir()
    for file in (Path("read-only/there.db"), Path("locked.db")):
        file.touch(0o400)
    Path("read-only").chmod(0o500)
    denied, unwritable = "Permission denied", "cannot be written to by the user who runs this."
    sentences = {
        "folder": "folder is a folder.",
        "/dev/null": "/dev/null is no ordinary file.",
        "notes.txt/keepsake.db": "notes.txt/keepsake.db cannot be made: notes.txt: File exists.",
        "notes.txt/in/keepsake.db": "notes.txt/in/keepsake.db cannot be made: notes.txt/in: Not a directory.",
        "read-only/keepsake.db": f"read-only/keepsake.db cannot be made: read-only/keepsake.db: {denied}.",
        "read-only/there.db": f"read-only/there.db {unwritable}",
        "locked.db": f"locked.db {unwritable}",
        "read-only/in/keepsake.db": f"read-only/in/keepsake.db cannot be made: read-only/in: {denied}.",
    }
    process = subprocess.run(
        [sys.executable, "-c", LIKE_ANYBODY, EACH_MIGRATED, *sentences],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    Path("read-only").chmod(0o700)
    for sentence, line in zip(sentences.values(), process.stdout.splitlines(), strict=True):
        exit_code, printed, said = json.loads(line)
        assert (exit_code, printed) == (1, ""), said
        assert said.startswith(sentence)
        assert "Set DATABASE_URL to a file in a folder that may be written to" in said
        assert said.count("\n") == 1
    assert "bad   database: folder is a folder." in run("doctor", DATABASE_URL="sqlite:///folder").stdout
