"""Threads of this process that answer texts: one lane for each person, people in parallel.

The queue holds only ids of people; the work itself stands in the database. A person's texts are answered once they
have been quiet for a moment, so that a thought sent as several texts becomes one turn.
"""

import heapq
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from app.services import Clock
from app.store.locks import Places

DESKS = 3
"""Number of lanes that work at once: one computes, one writes, one waits for the disk. A lane that waits for the model
or the carrier leaves its desk; when it comes back it goes before lanes that begin, since it has waited longer.

Threads of one process share one interpreter: two hundred at work get no more done than three, and a webhook would
queue behind them all.
"""

logger = logging.getLogger(__name__)


class LocalBackground:
    """Worker threads, and the quiet windows of the people they are to answer."""

    def __init__(self, clock: Clock, *, workers: int, quiet_seconds: float, max_seconds: float) -> None:
        self._clock = clock
        self._workers = workers
        self._quiet_seconds = quiet_seconds
        self._max_seconds = max_seconds
        self._work: Callable[[int], None] | None = None
        lock = threading.Lock()
        self._changed = threading.Condition(lock)
        self._idle = threading.Condition(lock)
        self._watched_until: float | None = None
        self._due: list[tuple[float, int]] = []
        """A heap of (instant, person id); an entry counts only while `_due_at` agrees with it."""
        self._first_woken: dict[int, float] = {}
        self._due_at: dict[int, float] = {}
        self._busy: set[int] = set()
        self._stopping = False
        self._looked_at = clock.monotonic()
        self._threads: list[threading.Thread] = []
        self._desks = Places(DESKS)
        self._this_thread = threading.local()

    def start(self, work: Callable[[int], None]) -> None:
        self._work = work
        self._threads = [
            threading.Thread(target=self._answer_due, name=f"lane-{number}", daemon=True)
            for number in range(self._workers)
        ]
        for thread in self._threads:
            thread.start()

    def wake(self, person_id: int, *, at_once: bool = False) -> None:
        """Queue the person for the end of their quiet window, which each text restarts, up to the longest wait."""
        now = self._clock.monotonic()
        with self._changed:
            first = self._first_woken.setdefault(person_id, now)
            self._queue(person_id, now if at_once else min(now + self._quiet_seconds, first + self._max_seconds))

    def wake_within(self, person_id: int, seconds: float) -> None:
        """Queue the person in so many seconds, unless they are due sooner; it neither opens nor shortens a window."""
        due = self._clock.monotonic() + seconds
        with self._changed:
            if person_id not in self._first_woken:  # Else a window ends in a moment, and then everything due is done.
                self._queue(person_id, min(due, self._due_at.get(person_id, due)))

    def _queue(self, person_id: int, due: float) -> None:
        earlier = self._due_at.get(person_id)
        self._due_at[person_id] = due
        if due != earlier:
            heapq.heappush(self._due, (due, person_id))
        if earlier is None or due < earlier:  # A postponed window wakes no thread: one looks at the old end.
            self._changed.notify()

    @contextmanager
    def at_a_desk(self) -> Iterator[None]:
        """Wait for a desk and hold it during the block; a job queues for one just as a lane does."""
        self._desks.take()
        self._this_thread.sits = True
        try:
            yield
        finally:
            self._this_thread.sits = False
            self._desks.leave()

    @contextmanager
    def leave_desk(self) -> Iterator[None]:
        """Give up this thread's desk, if it has one, while the block waits for something outside."""
        if not getattr(self._this_thread, "sits", False):
            yield
            return
        self._desks.leave()
        try:
            yield
        finally:
            self._desks.take(before_others=True)

    def alive_seconds(self) -> float:
        """Seconds since a lane last looked for work; the call also makes a free lane look again."""
        with self._changed:
            self._changed.notify()
            return self._clock.monotonic() - self._looked_at

    def stop(self, grace_seconds: float) -> None:
        """Take no more work; turns under way have `grace_seconds` to end, and waiting texts stay in the database."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
            self._idle.wait_for(lambda: not self._busy, timeout=grace_seconds)

    def _answer_due(self) -> None:
        while (person_id := self._next()) is not None:
            try:
                assert self._work is not None  # noqa: S101  (threads exist only after start)
                with self.at_a_desk():
                    self._work(person_id)
            except Exception:  # One person's failure must not end the thread that serves everyone.
                logger.exception("Person %s could not be answered", person_id)
            finally:
                with self._changed:
                    self._busy.discard(person_id)
                    if person_id in self._due_at:  # The person was woken meanwhile.
                        heapq.heappush(self._due, (self._due_at[person_id], person_id))
                    if not self._busy:
                        self._idle.notify_all()

    def _next(self) -> int | None:
        """The next person who is due and not being answered; None when the process stops."""
        with self._changed:
            while not self._stopping:
                self._looked_at = now = self._clock.monotonic()
                person_id, wait = self._pop_due(now)
                if person_id is not None:
                    self._busy.add(person_id)
                    self._changed.notify()  # Another thread takes over watching the clock.
                    return person_id
                self._wait(now, wait)
            return None

    def _wait(self, now: float, seconds: float | None) -> None:
        """Wait until something changes or `seconds` have passed. One thread watches the clock for all free ones.

        If each watched, every due instant would wake hundreds of threads to find one person.
        """
        until = None if seconds is None else now + seconds
        if until is None or (self._watched_until is not None and self._watched_until <= until):
            self._changed.wait()
            return
        self._watched_until = until
        self._changed.wait(seconds)
        if self._watched_until == until:
            self._watched_until = None

    def _pop_due(self, now: float) -> tuple[int | None, float | None]:
        """A person due and free, or the seconds until one is due. Anyone being answered is queued again afterwards."""
        while self._due:
            due, person_id = self._due[0]
            holds = self._due_at.get(person_id) == due
            if holds and due > now:
                return None, due - now
            heapq.heappop(self._due)
            if holds and person_id not in self._busy:
                del self._due_at[person_id]
                self._first_woken.pop(person_id, None)
                return person_id, None
        return None, None
