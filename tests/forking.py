"""Processes forked from one that has everything imported, which saves most of the start-up time.

    Forked("tests.forking:keepsake", "serve", folder=folder, environment={"FAULTS": "tool.ran:1:KILL,turn.kept:2:STOP"})

runs that function with these words. A forked process is like any other: it has its own memory, threads and files, and
it can be killed. A fault makes it kill or stop itself the nth time it reaches a named place (`faultpoints.py`). An
order comes with the socket for its stdin, stdout and stderr; the answer is the process id.
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
import threading
import time
from collections import Counter
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from app.cli.__main__ import run
from app.store.faultpoints import watch

ROOT = Path(__file__).resolve().parent.parent
ORDER_BYTES = 65_536
PR_SET_CHILD_SUBREAPER = 36  # Orphans become our children, so that we can wait for them. Source: prctl(2).
ANYWHERE = "*"

_wanted: dict[tuple[str, int], signal.Signals] = {}
_seen: Counter[str] = Counter()
_guard = threading.Lock()


class Forked:
    """A process that runs one function, used like a `subprocess.Popen`."""

    def __init__(self, does: str, *words: str, folder: Path, environment: dict[str, str]) -> None:
        self._ours, its = socket.socketpair()
        order = {"does": does, "words": words, "folder": str(folder), "environment": environment}
        with its:
            self.pid = _ask(json.dumps(order).encode(), its.fileno())
        self.stdout = self._ours.makefile(encoding="utf-8")
        self._ended = os.pidfd_open(self.pid)
        self._exit_code: int | None = None

    def tell(self, line: str) -> None:
        """Write a line to its stdin; does nothing if it has ended."""
        with suppress(OSError):
            self._ours.sendall(f"{line}\n".encode())

    def printed(self, timeout: float | None = None) -> str:
        """Wait for its end, and return everything it printed."""
        with self.stdout as lines:
            words = lines.read()
        self.wait(timeout)
        return words

    def send_signal(self, number: int) -> None:
        """Send a signal; does nothing if it has ended."""
        if self._exit_code is None:
            signal.pidfd_send_signal(self._ended, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, and return its exit code, or the negative number of the signal that ended it.

        Raises:
            TimeoutError: it has not ended in time.
        """
        if self._exit_code is None:
            if not select.select([self._ended], [], [], timeout)[0]:
                raise TimeoutError(f"Process {self.pid} has not ended in {timeout} s.")
            self._exit_code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            os.close(self._ended)
            self._ours.close()  # Its output can still be read.
        return self._exit_code


def keepsake(*arguments: str) -> None:
    """Run `keepsake …` with the faults of the environment."""
    arm(os.environ.get("FAULTS", ""))
    sys.argv = ["keepsake", *arguments]
    run()


def arm(faults: str) -> None:
    """Make this process signal itself at these places from now on; earlier faults are dropped."""
    _watch_all()
    with _guard:
        _seen.clear()
        _wanted.clear()
        for place, arrival, kind in (fault.split(":") for fault in faults.split(",") if fault):
            _wanted[place, int(arrival)] = signal.Signals[f"SIG{kind}"]


@cache
def _watch_all() -> None:
    watch(_meet)


def _meet(place: str) -> None:
    with _guard:
        _seen.update((place, ANYWHERE))
        wishes = [_wanted.get((one, _seen[one])) for one in (place, ANYWHERE)]
    for wish in filter(None, wishes):
        # The signal goes to this thread: one sent to the process may reach another, while this one runs on.
        signal.pthread_kill(threading.get_ident(), wish)


def _ask(order: bytes, socket_of_it: int) -> int:
    channel = _forker()
    _adopt(True)
    try:
        socket.send_fds(channel, [order], [socket_of_it])
        return int(channel.recv(ORDER_BYTES))
    finally:
        _adopt(False)


@cache
def _forker() -> socket.socket:
    """A channel to the forking process; each test process has one, which ends with it."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        forker = subprocess.Popen(
            [sys.executable, "-m", "tests.forking", "--forker", str(its.fileno())], cwd=ROOT, pass_fds=[its.fileno()]
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
    """Fork for each order until the channel is closed."""
    while True:
        order, files, *_ = socket.recv_fds(channel, ORDER_BYTES, 1)
        if not order:
            return
        its_number, number_of = os.pipe()
        between = os.fork()
        if not between:
            if forked := os.fork():
                os.write(number_of, str(forked).encode())
                os._exit(0)  # The orphaned process becomes a child of the test process.
            for file in (channel.fileno(), its_number, number_of):
                os.close(file)
            _become(json.loads(order), *files)
        os.waitpid(between, 0)
        channel.send(os.read(its_number, ORDER_BYTES))
        for file in (its_number, number_of, *files):
            os.close(file)


def _become(order: dict[str, Any], its_socket: int) -> None:
    for file in range(3):
        os.dup2(its_socket, file)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")  # The old ones would still seek, as in files.
    os.close(its_socket)
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    module, _, name = order["does"].partition(":")
    status = 1
    try:
        getattr(import_module(module), name)(*order["words"])
        status = 0
    except BaseException:  # noqa: BLE001  (shown as Python itself shows it)
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    if sys.argv[1] == "--forker":
        from tests.faults.lives import live_once_alone

        with TemporaryDirectory() as folder:
            live_once_alone(Path(folder))
        _fork_on_order(socket.socket(fileno=int(sys.argv[2])))
    else:
        # libfaketime refuses a sleep whose end passes before it begins, as happens on a busy machine.
        vars(time)["sleep"] = partial(select.select, [], [], [])
        keepsake(*sys.argv[1:])
