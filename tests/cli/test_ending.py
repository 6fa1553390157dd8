"""The end of a process: a command ends at once with its exit code and full output, a server ends on signals."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli.serve import SIGNALS, Stopping
from tests.cli.conftest import DATABASE, END_SECONDS, ROOT

AT_THE_END = (
    "import atexit, sys, threading\n{before}\nfrom app.cli.__main__ import run\nsys.argv[1:] = {arguments!r}\nrun()"
)


def ended(*arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", AT_THE_END.format(before=before, arguments=list(arguments))],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=END_SECONDS,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "status"), [(["facts", "list", "--json"], 0), (["facts", "list", "--person", "+12065550199"], 1)]
)
def test_what_libraries_do_at_the_end_is_not_waited_for_and_what_was_written_is_in_the_one_file(
    migrated: Path, arguments: list[str], status: int
) -> None:
    process = ended(*arguments, before="atexit.register(threading.Event().wait)")
    assert process.returncode == status
    assert (process.stdout == "[]\n") == (status == 0)
    assert bool(process.stderr) == (status != 0)
    left = {file.name for file in DATABASE.parent.iterdir()}
    assert left <= {"keepsake.db", "keepsake.db.lock", "keepsake.db.use", "secret_key"}


def test_a_fault_is_shown_as_python_shows_it_and_is_exit_code_1() -> None:
    process = ended("people", "list", before="import app.cli.people\nsys.modules['app.cli.people'].everyone = None")
    assert process.returncode == 1
    assert "TypeError" in process.stderr


def test_a_reader_that_has_gone_is_no_fault() -> None:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    command, pipe = [sys.executable, "-m", "app.cli", "--help"], subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.wait(END_SECONDS) == 1
        assert process.stderr.read() == b""


@pytest.mark.parametrize("name", ["stdin", "stdout", "stderr"])
def test_a_command_whose_input_or_output_was_closed_from_the_start_is_done(migrated: Path, name: str) -> None:
    assert ended("text", before=f"sys.{name} = None").returncode == 0


def test_a_letter_that_the_terminal_does_not_have_is_a_question_mark_and_in_json_an_escape(alex: str) -> None:
    latin = "sys.stdout.reconfigure(encoding='latin-1')"
    process = ended("facts", "add", "Likes 🍕", "--person", alex, before=latin)
    assert (process.returncode, process.stdout.strip()) == (0, "1  Likes ?")
    assert "Likes 🍕" in str(json.loads(ended("facts", "list", "--json", before=latin).stdout))


@pytest.fixture
def stopping() -> Iterator[Stopping]:
    before = {number: signal.getsignal(number) for number in SIGNALS}
    yield Stopping()
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_before_the_wait_ends_it_and_a_second_the_process(stopping: Stopping, number: signal.Signals) -> None:
    os.kill(os.getpid(), number)
    stopping.wait()
    assert {signal.getsignal(one) for one in SIGNALS} == {signal.SIG_DFL}
