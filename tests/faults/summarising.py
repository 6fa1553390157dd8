"""A process that has everything imported and forks one run of the job that summarises, to be killed at a named place.

Each line on stdin is one order, each on stdout how the run ended (negative: the signal that ended it).

Order:  {"settings": {…}, "now": "2026-11-21T18:00:00+00:00", "kill_at": "draft.kept"}
"""

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

from app.clients.claude import ClaudeModel
from app.clients.summariser import ModelSummariser
from app.features.offline.extract import ExtractiveSummariser
from app.jobs import summarise_quiet
from app.settings import load_settings
from app.store.faultpoints import watch
from app.wiring import build_services
from tests.fakes import FrozenClock

ROOT = Path(__file__).resolve().parents[2]


class Runs:
    """`runs.run(settings, now)` is the job's run in a process of its own."""

    def __init__(self, process: "Popen[str]") -> None:
        self._process = process

    def run(self, settings: dict[str, Any], now: datetime, *, kill_at: str = "") -> int:
        """How the run ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        order = {"settings": settings, "now": now.isoformat(), "kill_at": kill_at}
        self._process.stdin.write(f"{json.dumps(order)}\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


@contextmanager
def runs() -> Iterator[Runs]:
    command = [sys.executable, "-m", "tests.faults.summarising"]
    with Popen(command, stdin=PIPE, stdout=PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}) as process:
        yield Runs(process)
        assert process.stdin is not None
        process.stdin.close()


def main() -> None:
    """Obey the orders until stdin ends."""
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _run(json.loads(line))
        _, status = os.waitpid(child, 0)
        os.write(1, f"{os.waitstatus_to_exitcode(status)}\n".encode())


def _run(order: dict[str, Any]) -> None:
    def met(place: str) -> None:
        if place == order["kill_at"]:
            os.kill(os.getpid(), signal.SIGKILL)

    settings, clock = load_settings(**order["settings"]), FrozenClock(datetime.fromisoformat(order["now"]))
    key = settings.anthropic_api_key
    assert key is not None
    small = ClaudeModel(
        api_key=key.get_secret_value(),
        model=settings.claude_small_model,
        base_url=settings.anthropic_base_url,
        clock=clock,
    )
    summariser = ModelSummariser(small, ExtractiveSummariser())
    services = replace(build_services(settings), clock=clock, summariser=summariser)
    watch(met)
    summarise_quiet.run(services)
    os._exit(0)


if __name__ == "__main__":
    main()
