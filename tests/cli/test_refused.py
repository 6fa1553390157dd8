"""A start that is refused: one sentence, and the files as they were."""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from app.store.schema import migrate
from app.store.sqlite import SqliteDatabase
from tests.cli.conftest import DATABASE, ROOT, Run

# Root may read and write anywhere, until it takes these rights (CAP_DAC_OVERRIDE, 1, and CAP_DAC_READ_SEARCH, 2) from
# what it starts (PR_CAPBSET_DROP, 24).
LIKE_ANYBODY = """
import ctypes, os, sys
if os.geteuid() == 0:
    ctypes.CDLL(None).prctl(24, 1)
    ctypes.CDLL(None).prctl(24, 2)
os.execv(sys.executable, [sys.executable, "-c", *sys.argv[1:]])
"""
EACH_TRIED = """
import json, sys
from click.testing import CliRunner
from app.cli import main
command, *paths = sys.argv[1:]
for path in paths:
    done = CliRunner().invoke(main, [command], prog_name="keepsake", env={"DATABASE_URL": f"sqlite:///{path}"})
    print(json.dumps([done.exit_code, done.stdout, done.stderr]))
"""


def like_anybody(command: str, *paths: str) -> list[tuple[int, str, str]]:
    """Exit code, output and refusal of the command on each of the databases, by a user who is not root."""
    process = subprocess.run(
        [sys.executable, "-c", LIKE_ANYBODY, EACH_TRIED, command, *paths],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in process.stdout.splitlines()]


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
    Path("others.db").touch()
    Path("others.db.lock").touch(0o400)
    denied = "Permission denied"
    unwritable = "cannot be written to by the user who runs this. Mend its owner or mode, or choose another place. Set"
    sentences = {
        "folder": "folder is a folder.",
        "/dev/null": "/dev/null is no ordinary file.",
        "notes.txt/keepsake.db": "notes.txt/keepsake.db cannot be made: notes.txt: File exists.",
        "notes.txt/in/keepsake.db": "notes.txt/in/keepsake.db cannot be made: notes.txt/in: Not a directory.",
        "read-only/keepsake.db": f"read-only/keepsake.db cannot be made: read-only/keepsake.db: {denied}.",
        "read-only/there.db": f"read-only/there.db {unwritable}",
        "locked.db": f"locked.db {unwritable}",
        "others.db": f"others.db.lock {unwritable}",
        "read-only/in/keepsake.db": f"read-only/in/keepsake.db cannot be made: read-only/in: {denied}.",
    }
    tried = like_anybody("migrate", *sentences)
    for path in ("read-only/keepsake.db", "read-only/in/keepsake.db", "others.db"):
        ((exit_code, printed, _),) = like_anybody("doctor", path)
        assert exit_code == 1
        assert re.search(r"^bad   database: .* cannot be written to", printed, re.MULTILINE)
        assert "disk: " in printed, "and it goes on"
    Path(".env").touch(0)
    assert "bad   settings: Settings to mend: .env: Permission denied." in like_anybody("doctor", "new.db")[0][1]
    Path("read-only").chmod(0o700)
    for sentence, (exit_code, printed, said) in zip(sentences.values(), tried, strict=True):
        assert (exit_code, printed) == (1, ""), said
        assert said.startswith(sentence)
        assert "Set DATABASE_URL to a file in a folder that may be written to" in said
        assert said.count("\n") == 1
    assert "bad   database: folder is a folder." in run("doctor", DATABASE_URL="sqlite:///folder").stdout


@pytest.mark.sqlite
def test_a_full_disk_is_no_damage_and_nothing_is_to_be_moved_away(run: Run, migrated: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, before[1]))
    try:
        said, checked = run.refusal("facts", "list"), run("doctor").stdout
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert said.startswith(f"{DATABASE} cannot be used (disk I/O error). Nothing was changed. Make room")
    assert "bad   database: instance/keepsake.db cannot be used (disk I/O error)" in checked
    assert "damaged" not in said + checked
    assert "backup" not in said + checked
