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

import pytest

from tests.claude_server import ClaudeServer, Reply, call, say, text
from tests.cli.conftest import ALEX, DATABASE, END_SECONDS, ROOT, Run
from tests.forking import Forked
from tests.serving import Serving
from tests.stores import run_sql
from tests.twilio_server import PERSON, TwilioServer

ENOUGH = 20  # Texts under way on four lines before the backup begins.


def remember(run: Run, *sentences: str, **environment: str) -> None:
    for sentence in sentences:
        run.printed("facts", "add", sentence, "--person", ALEX, **environment)


def backed_up(run: Run, **environment: str) -> Path:
    run.printed("backup", "monday.backup", **environment)
    return Path("monday.backup")


def dying(*arguments: str, at: str) -> Forked:
    """`keepsake …` that has a signal sent to it at a named place: `backup.copied:1:KILL`."""
    environment = {"PATH": os.environ["PATH"], "FAULTS": at}
    return Forked("tests.forking:keepsake", *arguments, folder=Path.cwd(), environment=environment)


@pytest.fixture
def with_tea(run: Run, alex: str) -> str:
    remember(run, "Likes tea")
    return alex


def test_a_backup_is_one_file_of_its_owner_alone_and_comes_back_where_nothing_is(run: Run, tmp_path: Path) -> None:
    assert "There is no database at instance/keepsake.db" in run.refusal("backup", "monday.backup")
    assert list(tmp_path.iterdir()) == []
    remember(run, "Likes tea")
    file = backed_up(run)
    before = file.read_bytes()
    assert file.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["instance", file.name]
    with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as opened:
        assert opened.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert opened.execute("SELECT sentence FROM facts").fetchall() == [("Likes tea",)]
    assert "exists already" in run.refusal("backup", str(file))
    assert "is no folder" in run.refusal("backup", "there/is/none")
    assert file.read_bytes() == before
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


def not_a_backup(path: Path) -> None:
    plain_copy(path)
    run_sql(path, "PRAGMA journal_mode = DELETE")


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
        (plain_copy, "is a plain copy of a database and no backup"),
        (not_a_backup, "was not made by `keepsake backup`"),
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


def killed(*arguments: str, at: str) -> None:
    process = dying(*arguments, at=f"{at}:1:KILL")
    with process.stdout:
        assert process.wait(END_SECONDS) == -signal.SIGKILL


def test_r57_what_is_killed_leaves_no_backup_and_can_be_done_again(run: Run, with_tea: str, tmp_path: Path) -> None:
    killed("backup", "monday.backup", at="backup.copied")
    assert not Path("monday.backup").exists()
    file = backed_up(run)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["instance", "monday.backup"]
    remember(run, "Plays the cello")
    for place in ("restore.unpacked", "restore.ready"):
        killed("restore", str(file), "--replace", at=place)
        assert "cello" in run.printed("facts", "list")
    run.printed("restore", str(file), "--replace")
    listed = run.printed("facts", "list")
    assert "Likes tea" in listed
    assert "cello" not in listed


def test_a_backup_is_unpacked_on_the_disk_that_a_link_leads_to(run: Run, with_tea: str, tmp_path: Path) -> None:
    file = backed_up(run)
    DATABASE.symlink_to(shutil.move(DATABASE, tmp_path / "kept.db"))
    killed("restore", str(file), "--replace", at="restore.unpacked")
    assert [one.name for one in tmp_path.glob(".*")] == [".kept.db.partial"], "a rename does not cross disks"


def test_while_a_restore_is_under_way_nothing_else_opens_the_database(run: Run, with_tea: str) -> None:
    file = backed_up(run)
    process = dying("restore", str(file), "--replace", at="restore.unpacked:1:STOP")
    with process.stdout:
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
        assert "is being restored from a backup" in run.refusal("facts", "list")
        process.send_signal(signal.SIGCONT)
        assert process.wait(END_SECONDS) == 0
    assert "Likes tea" in run.printed("facts", "list")


def test_a_full_disk_leaves_no_backup_and_is_said(run: Run, with_tea: str, tmp_path: Path) -> None:
    process = subprocess.run(
        [sys.executable, "-m", "app.cli", "backup", "monday.backup"],
        # Without compiled files, of which the limit would leave a part that no later process can read.
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
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


def test_r57_a_backup_made_under_full_writing_is_one_moment_and_comes_back_on_another_machine(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.otherwise = say("Noted.")
    file = tmp_path / "monday.backup"
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

    with Serving.live(tmp_path, twilio, claude) as keepsake:
        claude.queue(call("extract_memory", {"facts": [{"fact": "Likes black coffee"}]}), say("Coffee it is."))
        keepsake.text("I like black coffee")
        twilio.wait_for(1)
        pouring = [threading.Thread(target=pour, args=(f"+1206555010{number}",)) for number in range(4)]
        for thread in pouring:
            thread.start()
        assert many.wait(END_SECONDS)
        before = list(acknowledged)
        run.printed("backup", str(file))
        enough.set()
        for thread in pouring:
            thread.join()
        assert "is in use by another process. Stop Keepsake" in run.refusal("restore", str(file), "--replace")
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "there")
    run.printed("restore", str(file))
    assert "Likes black coffee" in run.printed("facts", "list", "--person", PERSON)
    with closing(sqlite3.connect(DATABASE)) as opened:
        assert set(before) <= {sid for (sid,) in opened.execute("SELECT sid FROM messages WHERE direction = 'in'")}
        one_moment = opened.execute("SELECT count(*) = max(id) FROM messages").fetchall()
        assert one_moment == [(1,)], "no text without those before"
        assert opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_r57_what_was_under_way_in_the_backup_is_held_and_answered_by_nobody_a_second_time(
    run: Run, tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    may_answer = threading.Event()
    claude.queue(say("One"), Reply(content=[text("Two")], until=may_answer), say("Three"))
    with Serving.live(tmp_path, twilio, claude) as keepsake:
        keepsake.text("First", sid="SM" + "1" * 32)
        twilio.wait_for(1)
        keepsake.text("Second", sid="SM" + "2" * 32)
        assert claude.wait_for(2)
        file = backed_up(run)
        may_answer.set()
        twilio.wait_for(2)
        assert keepsake.terminate() == 0
        told = run.printed("restore", str(file), "--replace")
        assert "and may be settled: replies 0, texts 1." in told
        keepsake.start()
        assert keepsake.ready()[0] == 200
        keepsake.text("Third", sid="SM" + "3" * 32)
        assert [one.body for one in twilio.wait_for(3)] == ["One", "Two", "Three"]
        assert "restored" in keepsake.ready()[1]["alerts"]
        claude.queue(say("Two, tried again"))
        run.printed("people", "retry", PERSON)
        assert [one.body for one in twilio.wait_for(4)][3:] == ["Two, tried again"]
