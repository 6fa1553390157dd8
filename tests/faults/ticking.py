"""A process that forks schedulers to be killed, one after the other.

Each line on stdin is one order, each on stdout one word back.

Order:  {"settings": {…}, "clock": "FILE", "kill_at": 17}: look once at what is due now, and bring it; at the 17th place
        of `faultpoints.py` that is reached on the way, die. Where the last scheduler has died, a new one looks.
Back:   `looked`, or `died`
"""

import json
import os
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from app.conversation import turn, waiting
from app.jobs import begin_routines, reconcile_sends
from app.services import Services
from app.settings import load_settings
from app.store.faultpoints import watch
from app.wiring import build_services
from tests.fakes import InlineBackground
from tests.faults.shared_clock import SharedClock
from tests.faults.zygote import live_once_alone


class _Child:
    """A scheduler in a process of its own, which looks when it is told to."""

    def __init__(self, order: dict[str, Any]) -> None:
        told, self._orders = os.pipe()
        self._answers, answer = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            os.close(self._orders)
            _live(order, told, answer)
        os.close(told)
        os.close(answer)

    def look(self, kill_at: int) -> bool:
        """Whether it lived through it."""
        with suppress(BrokenPipeError):
            os.write(self._orders, bytes([kill_at]))
            if os.read(self._answers, 1):
                return True
        os.waitpid(self._pid, 0)
        os.close(self._orders)
        os.close(self._answers)
        return False


class _Killer:
    """Has the process die at the appointed place."""

    def __init__(self) -> None:
        self._left = 0

    def arm(self, kill_at: int) -> None:
        self._left = kill_at

    def met(self, _: str) -> None:
        self._left -= 1
        if not self._left:
            os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Obey the orders until stdin ends."""
    live_once_alone()
    child = None
    for line in sys.stdin:
        order = json.loads(line)
        child = child or _Child(order)
        is_alive = child.look(order["kill_at"])
        child = child if is_alive else None
        os.write(1, b"looked\n" if is_alive else b"died\n")


def _live(order: dict[str, Any], orders: int, answers: int) -> None:
    killer = _Killer()
    watch(killer.met)
    clock = SharedClock(Path(order["clock"]))
    background = InlineBackground(clock)
    services = build_services(load_settings(**order["settings"]))
    services = replace(services, clock=clock, background=background)
    background.start(partial(turn.answer, services))
    while told := os.read(orders, 1):
        killer.arm(told[0])
        _look(services, background)
        killer.arm(0)
        os.write(answers, b"!")
    os._exit(0)


def _look(services: Services, background: InlineBackground) -> None:
    begin_routines.run(services)
    waiting.wake_waiting(services, quiet_seconds=0)
    background.run(within_seconds=0)
    reconcile_sends.run(services)
    begin_routines.run(services)
    background.run(within_seconds=0)


if __name__ == "__main__":
    main()
