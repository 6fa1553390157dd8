"""A number of places, of which each holds one at a time; some who wait for one are let in before all others."""

import threading
from collections import deque


class Places:
    """Like a semaphore, but in order: those let in before others, and among equals who waited longest.

    Whoever leaves hands the place on: were it free for a moment, who has just left could take it again and again, and
    those who wait would wait for a second.
    """

    def __init__(self, number: int) -> None:
        self._guard = threading.Lock()
        self._free = number
        """None of them, as long as anybody waits."""
        self._first: deque[threading.Lock] = deque()
        self._others: deque[threading.Lock] = deque()

    def take(self, *, before_others: bool = False, seconds: float = -1) -> bool:
        """Wait for a place, for so many seconds at most (−1 for ever), and take it; whether there was one."""
        queue = self._first if before_others else self._others
        with self._guard:
            if self._free:
                self._free -= 1
                return True
            called = threading.Lock()  # As a signal: who waits is woken by whoever leaves, and by nobody else.
            called.acquire()
            queue.append(called)
        try:
            if called.acquire(timeout=seconds):
                return True
        except BaseException:
            if not self._gives_up(queue, called):
                self.leave()
            raise
        return not self._gives_up(queue, called)

    def leave(self) -> None:
        """Give the place to whoever waits for one."""
        with self._guard:
            waiting = self._first or self._others
            if waiting:
                waiting.popleft().release()
            else:
                self._free += 1

    def waiting(self, *, before_others: bool = False) -> int:
        """How many wait for a place: those who are let in before others, or the others."""
        with self._guard:
            return len(self._first if before_others else self._others)

    def _gives_up(self, queue: deque[threading.Lock], called: threading.Lock) -> bool:
        """Whether somebody who waits no longer goes without a place; it may have been handed to them meanwhile."""
        with self._guard:
            if called in queue:
                queue.remove(called)
                return True
            return False
