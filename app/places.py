"""A number of places, of which each holds one at a time; some who wait for one are let in before all others."""

import threading


class Places:
    """Like a semaphore, but for who comes first: those let in before others, and among equals who waited longest."""

    def __init__(self, number: int) -> None:
        lock = threading.Lock()
        self._free = number
        self._first = threading.Condition(lock)
        self._others = threading.Condition(lock)
        self._first_waiting = 0

    def take(self, *, before_others: bool = False, seconds: float | None = None) -> bool:
        """Wait for a place, for so many seconds at most, and take it; whether there was one."""
        with self._first:
            try:
                taken = self._wait_before_others(seconds) if before_others else self._wait(seconds)
                self._free -= taken
            finally:
                self._call_next()  # Also by who waited in vain, and was called meanwhile.
            return taken

    def leave(self) -> None:
        """Give the place to whoever waits for one."""
        with self._first:
            self._free += 1
            self._call_next()

    def _wait_before_others(self, seconds: float | None) -> bool:
        self._first_waiting += 1
        try:
            return self._first.wait_for(lambda: self._free > 0, seconds)
        finally:
            self._first_waiting -= 1

    def _wait(self, seconds: float | None) -> bool:
        return self._others.wait_for(lambda: self._free > 0 and not self._first_waiting, seconds)

    def _call_next(self) -> None:
        if self._free:
            (self._first if self._first_waiting else self._others).notify()
