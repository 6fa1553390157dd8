"""`keepsake backup` and `keepsake restore`: one file, made at any time; put back whole, or not at all."""

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlcipher3 import dbapi2

from tests.claude_server import ClaudeServer, Reply, call, say, text
from tests.cli.conftest import ALEX, DATABASE, END_SECONDS, ROOT, Run
from tests.serving import Serving
from tests.twilio_server import PERSON, TwilioServer

ENOUGH = 20  # Texts under way on four lines before the backup begins.


def remember(run: Run, *sentences: str, **environment: str) -> None:
    for sentence in sentences:
        run.printed("facts", "add", sentence, "--person", ALEX, **environment)


def backed_up(run: Run, **environment: str) -> Path:
    run.printed("backup", "monday.backup", **environment)
    return Path("monday.backup")


def dying(*arguments: str, at: str, folder: Path) -> "subprocess.Popen[str]":
    """`keepsake …` that has a signal sent to it at a named place: `backup.copied:1:KILL`."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.forking", *arguments],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "FAULTS": at},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.fixture
def with_tea(run: Run, alex: str) -> str:
    remember(run, "Likes tea")
    return alex


def test_a_backup_is_one_file_of_its_owner_alone_and_nothing_is_left_beside_it(
    run: Run, with_tea: str, tmp_path: Path
) -> None:
    file = backed_up(run)
    assert file.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["instance", file.name]
    with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as opened:
        assert opened.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert opened.execute("SELECT sentence FROM facts").fetchall() == [("Likes tea",)]


def test_a_backup_is_never_written_over_another_nor_where_there_is_no_folder(run: Run, with_tea: str) -> None:
    file = backed_up(run)
    before = file.read_bytes()
    assert "exists already" in run.refusal("backup", str(file))
    assert "is no folder" in run.refusal("backup", "there/is/none")
    assert file.read_bytes() == before


def test_where_there_is_no_database_none_is_made_to_be_backed_up(run: Run, tmp_path: Path) -> None:
    assert "There is no database at instance/keepsake.db" in run.refusal("backup", "monday.backup")
    assert list(tmp_path.iterdir()) == []


def test_a_backup_comes_back_on_a_machine_that_has_nothing(run: Run, with_tea: str) -> None:
    file = backed_up(run)
    shutil.rmtree("instance")
    assert "No database was there to tell" in run.printed("restore", str(file))
    assert "Likes tea" in run.printed("facts", "list")
    run.printed("log", "verify")


def test_a_database_that_is_there_is_replaced_only_when_asked_and_kept_aside(run: Run, with_tea: str) -> None:
    file = backed_up(run)
    remember(run, "Plays the cello")
    assert "--replace" in run.refusal("restore", str(file))
    assert "cello" in run.printed("facts", "list")
    done = run.printed("restore", str(file), "--replace")
    assert "Likes tea" in run.printed("facts", "list")
    assert "cello" not in run.printed("facts", "list")
    (kept,) = Path("instance").glob("keepsake.db.before-*")
    assert str(kept.name) in done
    assert "cello" in run.printed("facts", "list", DATABASE_URL=f"sqlite:///{kept}")


def test_an_encrypted_database_is_backed_up_encrypted_and_opens_with_its_key_alone(run: Run) -> None:
    key = {"DATABASE_KEY": "correct horse battery staple"}
    run.printed("people", "allow", ALEX, **key)
    remember(run, "Likes tea", **key)
    file = backed_up(run, **key)
    assert b"Likes tea" not in file.read_bytes()
    shutil.rmtree("instance")
    for wrong in ({}, {"DATABASE_KEY": "another one entirely"}):
        refused = run.refusal("restore", str(file), **wrong)
        assert f"{file} cannot be restored: it is not a database that can be read: DATABASE_KEY is wrong" in refused
    run.printed("restore", str(file), **key)
    assert "Likes tea" in run.printed("facts", "list", **key)


def plain_copy(path: Path) -> None:
    shutil.copy(DATABASE, path)


def copy_with_its_log(path: Path) -> None:
    plain_copy(path)
    path.with_name(f"{path.name}-wal").touch()


def run_sql(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as opened:
        opened.execute(statement)


def not_a_backup(path: Path) -> None:
    plain_copy(path)
    run_sql(path, "PRAGMA journal_mode = DELETE")


def newer(path: Path) -> None:
    shutil.copy("monday.backup", path)
    run_sql(path, "UPDATE alembic_version SET version_num = '9999'")


def damaged(path: Path) -> None:
    shutil.copy("monday.backup", path)
    with path.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(os.urandom(4096 * 60))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda _: None, "wrong.backup is no file, so there is nothing to restore."),
        (Path.touch, "wrong.backup is empty"),
        (lambda path: path.write_text("Dear diary, " * 900), "not a database that can be read"),
        (lambda path: run_sql(path, "CREATE TABLE songs (title)"), "another program: it holds the table songs"),
        (plain_copy, "is a plain copy of a database and no backup"),
        (copy_with_its_log, "is a plain copy of a database and no backup"),
        (not_a_backup, "was not made by `keepsake backup`"),
        (newer, "was made by a newer Keepsake: it is at 9999"),
        (damaged, "damaged"),
    ],
)
def test_r58_a_file_that_is_no_backup_is_refused_with_the_reason_and_the_database_stays(
    run: Run, with_tea: str, make: Callable[[Path], object], says: str
) -> None:
    backed_up(run)
    remember(run, "Plays the cello")
    make(Path("wrong.backup"))
    refused = run.refusal("restore", "wrong.backup", "--replace")
    assert says in refused
    assert ".partial" not in refused
    assert "cello" in run.printed("facts", "list")
    assert not list(Path("instance").glob(".*"))


def test_a_damaged_database_is_not_replaced_unseen_since_it_alone_knows_who_opted_out(run: Run, with_tea: str) -> None:
    file = backed_up(run)
    Path("instance/keepsake.db").write_bytes(os.urandom(8192))
    refused = run.refusal("restore", str(file), "--replace")
    assert "move it away and restore without --replace" in refused
    Path("instance/keepsake.db").rename("instance/broken.db")
    run.printed("restore", str(file))
    assert "Likes tea" in run.printed("facts", "list")


def test_r57_a_backup_that_is_killed_leaves_no_backup_and_the_next_one_is_whole(
    run: Run, with_tea: str, tmp_path: Path
) -> None:
    process = dying("backup", "monday.backup", at="backup.copied:1:KILL", folder=tmp_path)
    process.communicate(timeout=END_SECONDS)
    assert process.returncode == -signal.SIGKILL
    assert not Path("monday.backup").exists()
    backed_up(run)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["instance", "monday.backup"]


@pytest.mark.parametrize("place", ["restore.unpacked", "restore.ready"])
def test_r57_a_restore_that_is_killed_leaves_the_database_as_it_was_and_can_be_done_again(
    run: Run, with_tea: str, tmp_path: Path, place: str
) -> None:
    file = backed_up(run)
    remember(run, "Plays the cello")
    process = dying("restore", str(file), "--replace", at=f"{place}:1:KILL", folder=tmp_path)
    process.communicate(timeout=END_SECONDS)
    assert process.returncode == -signal.SIGKILL
    assert "cello" in run.printed("facts", "list")
    run.printed("restore", str(file), "--replace")
    assert "cello" not in run.printed("facts", "list")
    assert "Likes tea" in run.printed("facts", "list")


def test_while_a_restore_is_under_way_nothing_else_opens_the_database(run: Run, with_tea: str, tmp_path: Path) -> None:
    file = backed_up(run)
    process = dying("restore", str(file), "--replace", at="restore.unpacked:1:STOP", folder=tmp_path)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
    assert "is being restored from a backup" in run.refusal("facts", "list")
    process.send_signal(signal.SIGCONT)
    process.communicate(timeout=END_SECONDS)
    assert process.returncode == 0
    assert "Likes tea" in run.printed("facts", "list")


def test_a_full_disk_leaves_no_backup_and_is_said(run: Run, with_tea: str, tmp_path: Path) -> None:
    process = subprocess.run(
        [sys.executable, "-m", "app.cli", "backup", "monday.backup"],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY)),
        capture_output=True,
        text=True,
        timeout=END_SECONDS,
        check=False,
    )
    assert process.returncode == 1
    assert "could not be written" in process.stderr
    assert "Traceback" not in process.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["instance"]


def rows_of(path: Path, statement: str) -> list[Any]:
    with closing(dbapi2.connect(f"{path.as_uri()}?mode=ro", uri=True)) as opened:
        return list(opened.execute(statement))


def test_r57_a_backup_made_under_full_writing_is_one_moment_and_serves_on_another_machine(
    tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.otherwise = say("Noted.")
    file, here, there = tmp_path / "monday.backup", tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    many, enough = threading.Event(), threading.Event()
    acknowledged: list[str] = []

    def pour(sender: str) -> None:
        count = 0
        while not enough.is_set():
            sid = f"SM{sender[1:]}{count:0>21}"
            assert keepsake.text(f"Text {count}", sender=sender, sid=sid) == 200
            acknowledged.append(sid)
            count += 1
            if len(acknowledged) == ENOUGH:
                many.set()

    with Serving.live(here, twilio, claude) as keepsake:
        claude.queue(call("extract_memory", {"facts": [{"fact": "Likes black coffee"}]}), say("Coffee it is."))
        keepsake.text("I like black coffee")
        twilio.wait_for(1)
        pouring = [threading.Thread(target=pour, args=(f"+1206555010{number}",)) for number in range(4)]
        for thread in pouring:
            thread.start()
        assert many.wait(END_SECONDS)
        before = list(acknowledged)
        keepsake.command("backup", str(file))
        enough.set()
        for thread in pouring:
            thread.join()
        in_use = dying("restore", str(file), "--replace", at="", folder=here)
        assert "is in use by another process. Stop Keepsake" in in_use.communicate(timeout=END_SECONDS)[0]
        assert in_use.returncode == 1
    sids = {sid for (sid,) in rows_of(file, "SELECT sid FROM messages WHERE direction = 'in'")}
    assert set(before) <= sids
    assert rows_of(file, "PRAGMA integrity_check") == [("ok",)]
    assert rows_of(file, "SELECT count(*) = max(id) FROM messages") == [(1,)], (
        "one moment: no text without those before"
    )
    other = Serving.live(there, twilio, claude)
    other.command("restore", str(file))
    assert "Likes black coffee" in other.command("facts", "list", "--person", PERSON)
    sent = len(twilio.accepted)
    claude.otherwise = say("Welcome back.")
    with other:
        assert other.ready()[0] == 200
        other.text("Hello again", sid="SM" + "9" * 32)
        assert [one.body for one in twilio.wait_for(sent + 1)[sent:]] == ["Welcome back."]


def test_r57_what_was_under_way_in_the_backup_is_held_and_answered_by_nobody_a_second_time(
    tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    file, may_answer = tmp_path / "monday.backup", threading.Event()
    claude.queue(say("One"), Reply(content=[text("Two")], until=may_answer), say("Three"))
    with Serving.live(tmp_path, twilio, claude) as keepsake:
        keepsake.text("First", sid="SM" + "1" * 32)
        twilio.wait_for(1)
        keepsake.text("Second", sid="SM" + "2" * 32)
        assert claude.wait_for(2)
        keepsake.command("backup", str(file))
        may_answer.set()
        twilio.wait_for(2)
        assert keepsake.terminate() == 0
        told = keepsake.command("restore", str(file), "--replace")
        assert "0 replies and 1 texts were under way in the backup and are held" in told
        keepsake.start()
        keepsake.text("Third", sid="SM" + "3" * 32)
        assert [one.body for one in twilio.wait_for(3)] == ["One", "Two", "Three"]
        assert "restored" in keepsake.ready()[1]["alerts"]
        claude.queue(say("Two, tried again"))
        keepsake.command("people", "retry", PERSON)
        assert [one.body for one in twilio.wait_for(4)][3:] == ["Two, tried again"]
