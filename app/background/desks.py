"""How many lanes work at one moment. Those that wait for the model or the carrier are not among them.

Threads of one process share one interpreter: two hundred that would work at once do not get more done than three, and
a webhook would come behind them all.
"""

import threading

DESKS = 3  # One thinks, one writes, one waits for the disk.


class Desks:
    """Places to work at. Whoever comes back with an answer is seated before those who begin: they waited longer."""

    def __init__(self, places: int) -> None:
        lock = threading.Lock()
        self._free = places
        self._back = threading.Condition(lock)
        self._new = threading.Condition(lock)
        self._waiting_back = 0

    def take(self, *, before_others: bool = False) -> None:
        """Wait for a place and take it."""
        with self._back:
            if before_others:
                self._waiting_back += 1
                self._back.wait_for(lambda: self._free > 0)
                self._waiting_back -= 1
            else:
                self._new.wait_for(lambda: self._free > 0 and not self._waiting_back)
            self._free -= 1
            self._call_next()

    def leave(self) -> None:
        """Give the place to whoever waits for one."""
        with self._back:
            self._free += 1
            self._call_next()

    def _call_next(self) -> None:
        if self._free:
            (self._back if self._waiting_back else self._new).notify()
