"""How a command ends its process: at once, with the code that it came to and all that it said."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import END_SECONDS, ROOT

AT_THE_END = (
    "import atexit, sys, threading\n{before}\nfrom app.cli.__main__ import run\nsys.argv[1:] = {arguments!r}\nrun()"
)


def ended(*arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", AT_THE_END.format(before=before, arguments=list(arguments))],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=END_SECONDS,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "status"),
    [(["people", "list", "--json"], 0), (["facts", "list", "--person", "+12065550199"], 1), (["no"], 2)],
)
def test_what_libraries_do_at_the_end_is_not_waited_for(arguments: list[str], status: int) -> None:
    process = ended(*arguments, before="atexit.register(threading.Event().wait)")
    assert process.returncode == status
    assert (process.stdout == "[]\n") == (status == 0)
    assert bool(process.stderr) == (status != 0)


def test_what_it_wrote_is_folded_into_the_one_file() -> None:
    assert ended("people", "list").returncode == 0
    left = {file.name for file in Path("instance").iterdir()}
    assert left <= {"keepsake.db", "keepsake.db.lock", "keepsake.db.use", "secret_key"}


def test_a_fault_is_shown_as_python_shows_it_and_is_exit_code_1() -> None:
    process = ended(
        "people", "list", before="import app.cli.people\nsys.modules['app.cli.people'].ready_services = None"
    )
    assert process.returncode == 1
    assert "TypeError" in process.stderr


def test_a_reader_that_has_gone_is_no_fault() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "app.cli", "--help"],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(END_SECONDS) == 1
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()
