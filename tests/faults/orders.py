"""A process that has everything imported and obeys orders, mostly by forking somebody to be killed.

An order is a line of JSON on its stdin, an answer a line on its stdout; what else it says goes to `log` in its folder.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.serving import ROOT


class Orders:
    """One such process: it runs the module's `main`."""

    def __init__(self, module: str, folder: Path) -> None:
        with (folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", module],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )

    def give(self, **order: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()

    def answer(self) -> str:
        """The next one, once it comes."""
        assert self._process.stdout is not None
        answer = self._process.stdout.readline().strip()
        assert answer, "The process that obeys has died."
        return answer

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


def obey(live: Callable[[dict[str, Any]], object]) -> None:
    """In such a process: fork somebody for each order, who lives by it, and say how they `ended`."""
    for line in sys.stdin:
        child = os.fork()
        if not child:
            live(json.loads(line))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        say(f"ended {os.waitstatus_to_exitcode(status)}")


def say(word: str) -> None:
    os.write(1, f"{word}\n".encode())  # One write, so that threads' words never mix, and nothing stays in a buffer.
