"""The commands in this process, by click's runner, and in processes of their own."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.cli import main
from tests.ports import HeldPort

ROOT = Path(__file__).resolve().parent.parent.parent
Run = Callable[..., Result]
ALEX = "+12065550100"
END_SECONDS = 60.0  # Far more than an end takes; what has not ended by then never will.


@pytest.fixture
def run() -> Iterator[Run]:
    """`keepsake …` in the test's own folder and with its own environment; what it set of logging is set back."""
    root, app = logging.getLogger(), logging.getLogger("app")
    before = (root.handlers[:], root.level, app.level)

    def run(*arguments: str, input: str | None = None, **environment: str) -> Result:  # noqa: A002  (click's name)
        return CliRunner().invoke(main, arguments, prog_name="keepsake", input=input, env=environment)

    yield run
    root.handlers[:], level, app_level = before
    root.setLevel(level)
    app.setLevel(app_level)


@pytest.fixture
def alex(run: Run) -> str:
    """The number of somebody who may text."""
    assert run("people", "allow", ALEX).exit_code == 0
    return ALEX


def listed_of(noun: str, run: Run, *arguments: str) -> list[dict[str, object]]:
    """What `keepsake NOUN list --json` has, a row each."""
    result = run(noun, "list", "--json", *arguments)
    assert result.exit_code == 0, result.stderr
    found: list[dict[str, object]] = json.loads(result.stdout)
    return found


class Keepsake(subprocess.Popen[str]):
    """`keepsake …` in a process of its own, in the test's folder or another, with pipes; ended with the test."""

    def __init__(self, *arguments: str, folder: Path | None = None, **environment: str) -> None:
        super().__init__(
            [sys.executable, "-m", "app.cli", *arguments],
            cwd=folder,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def lines_until(self, beginning: str) -> list[str]:
        """What it prints, up to the line that begins so; each line has to come while it runs."""
        assert self.stdout is not None
        lines: list[str] = []
        for line in self.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith(beginning):
                return lines
        raise AssertionError(f"It ended without {beginning!r}: {lines}\n{self.communicate()[1]}")

    def output(self) -> tuple[str, str]:
        """What else it prints and logs until it ends."""
        return self.communicate(timeout=END_SECONDS)


@pytest.fixture
def start() -> Iterator[Callable[..., Keepsake]]:
    started: list[Keepsake] = []

    def start(*arguments: str, **environment: str) -> Keepsake:
        started.append(Keepsake(*arguments, folder=None, **environment))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture(name="free_port")
def a_free_port() -> Iterator[int]:
    with HeldPort() as port:
        yield port
