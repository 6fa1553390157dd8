"""The commands in this process, by click's runner, and in processes of their own."""

import logging
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.cli import main

ROOT = Path(__file__).resolve().parent.parent.parent
Run = Callable[..., Result]


@pytest.fixture
def run() -> Iterator[Run]:
    """`keepsake …` in the test's own folder; what it set of logging is set back."""
    root, app = logging.getLogger(), logging.getLogger("app")
    before = (root.handlers[:], root.level, app.level)

    def run(*arguments: str, **options: str) -> Result:
        return CliRunner().invoke(main, arguments, prog_name="keepsake", **options)  # type: ignore[arg-type]

    yield run
    root.handlers[:], level, app_level = before
    root.setLevel(level)
    app.setLevel(app_level)


class Keepsake(subprocess.Popen[str]):
    """`keepsake …` in a process of its own, in the test's folder, with pipes; ended with the test."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        super().__init__(
            [sys.executable, "-m", "app.cli", *arguments],
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


@pytest.fixture
def start() -> Iterator[Callable[..., Keepsake]]:
    started: list[Keepsake] = []

    def start(*arguments: str, **environment: str) -> Keepsake:
        started.append(Keepsake(*arguments, **environment))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])
