"""Keepsakes forked from a process that has everything imported, which saves most of the time of a start.

A forked process is like any other: it has its own memory, threads and files, and it can be killed. An order comes with
the file to print to, {"folder": …, "arguments": […], "environment": {…}}; the answer is the process number.
"""

import atexit
import ctypes
import json
import os
import select
import signal
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

ORDER_BYTES = 65_536
PR_SET_CHILD_SUBREAPER = 36  # Source: prctl(2). Whoever's parent has ended is our child then, to be waited for.


class Forked:
    """`keepsake …` with faults (`tests/faults/armed.py`), used as a `subprocess.Popen` is."""

    def __init__(self, *arguments: str, folder: Path, environment: dict[str, str]) -> None:
        reader, writer = os.pipe()
        order = {"folder": str(folder), "arguments": arguments, "environment": environment}
        self.pid = _ask(json.dumps(order).encode(), writer)
        os.close(writer)
        self.stdout = os.fdopen(reader, encoding="utf-8")
        self._ended = os.pidfd_open(self.pid)
        self._exit_code: int | None = None

    def send_signal(self, number: int) -> None:
        """Nothing happens where it has ended."""
        if self._exit_code is None:
            signal.pidfd_send_signal(self._ended, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, or the negative number of the signal that ended it.

        Raises:
            TimeoutError: it has not ended by then.
        """
        if self._exit_code is None:
            if not select.select([self._ended], [], [], timeout)[0]:
                raise TimeoutError(f"Process {self.pid} has not ended in {timeout} s.")
            self._exit_code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            os.close(self._ended)
        return self._exit_code


def _ask(order: bytes, printed_to: int) -> int:
    channel = _forker()
    _adopt(True)
    try:
        socket.send_fds(channel, [order], [printed_to])
        return int(channel.recv(ORDER_BYTES))
    finally:
        _adopt(False)


@cache
def _forker() -> socket.socket:
    """The way to the process that forks: one for each process that runs tests, which ends with it."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        forker = subprocess.Popen(
            [sys.executable, "-m", "tests.forking", str(its.fileno())],
            cwd=Path(__file__).parent.parent,
            pass_fds=[its.fileno()],
        )

    def end() -> None:
        ours.close()
        forker.wait()

    atexit.register(end)
    return ours


def _adopt(is_so: bool) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, int(is_so), 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def _fork_on_order(channel: socket.socket) -> None:
    """Fork a Keepsake for each order until the channel ends; returns in each of those that were forked."""
    while True:
        order, files, *_ = socket.recv_fds(channel, ORDER_BYTES, 1)
        if not order:
            sys.exit()
        its_number, number_of = os.pipe()
        between = os.fork()
        if not between:
            if forked := os.fork():
                os.write(number_of, str(forked).encode())
                os._exit(0)  # From now on it is the child of whoever ordered it.
            for file in (channel.fileno(), its_number, number_of):
                os.close(file)
            return _become(json.loads(order), *files)
        os.waitpid(between, 0)
        channel.send(os.read(its_number, ORDER_BYTES))
        for file in (its_number, number_of, *files):
            os.close(file)


def _become(order: dict[str, Any], printed_to: int) -> None:
    os.dup2(printed_to, 1)
    os.dup2(printed_to, 2)
    os.close(printed_to)
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.argv = ["keepsake", *order["arguments"]]


if __name__ == "__main__":
    from app.cli.__main__ import run
    from tests.faults.armed import arm

    _fork_on_order(socket.socket(fileno=int(sys.argv[1])))
    arm(os.environ.get("FAULTS", ""))
    run()
