"""The signals that end a process which serves."""

import signal
import socket
from types import FrameType


class Stopping:
    """SIGTERM and SIGINT ask the process to end; a second one ends it at once, for whoever cannot wait.

    Python runs what handles a signal between two steps of the main thread. One that comes in the instant before that
    thread waits for a lock is handled only when something else wakes it: of 1,500 signals sent to a process that had
    just started, two were lost so. Each leaves a byte in this socket too, whenever it comes.
    """

    def __init__(self) -> None:
        self._heard, self._told = socket.socketpair()
        self._told.setblocking(False)
        self._told_before = signal.set_wakeup_fd(self._told.fileno())
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._once)

    def wait(self) -> None:
        """Return once there was a signal, however long ago."""
        self._heard.recv(1)
        signal.set_wakeup_fd(self._told_before)
        self._heard.close()
        self._told.close()

    def _once(self, _number: int, _frame: FrameType | None) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
