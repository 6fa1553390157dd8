"""Texts answered by threads of this process: one lane a person, people in parallel.

The queue here is only a list of whom to look at; what there is to do stands in the database. A person's texts are
looked at once they have been quiet for a moment, so that a thought sent as several texts is one turn.
"""

import heapq
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from app.services import Clock
from app.store.locks import Places

DESKS = 3
"""How many lanes work at one moment: one thinks, one writes, one waits for the disk. Those that wait for the model or
the carrier are not among them, and who comes back from there is seated before those who begin: they waited longer.

Threads of one process share one interpreter: two hundred that would work at once do not get more done than three, and
a webhook would come behind them all.
"""

logger = logging.getLogger(__name__)


class LocalBackground:
    """Worker threads and the quiet windows of the people who were woken."""

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
        """A heap; an entry holds for as long as `_due_at` says the same."""
        self._first_woken: dict[int, float] = {}
        self._due_at: dict[int, float] = {}
        self._busy: set[int] = set()
        self._stopping = False
        self._looked_at = clock.monotonic()
        self._threads: list[threading.Thread] = []
        self._desks = Places(DESKS)
        self._here = threading.local()

    def start(self, work: Callable[[int], None]) -> None:
        self._work = work
        self._threads = [
            threading.Thread(target=self._answer_the_due, name=f"lane-{number}", daemon=True)
            for number in range(self._workers)
        ]
        for thread in self._threads:
            thread.start()

    def wake(self, person_id: int, *, at_once: bool = False, after_seconds: float | None = None) -> None:
        """Look at the person when their quiet window is over; each text opens it anew, up to the longest wait.

        `after_seconds` opens no window, cuts none short, and puts nothing off that is due sooner.
        """
        now = self._clock.monotonic()
        with self._changed:
            earlier = self._due_at.get(person_id)
            if after_seconds is not None:
                if person_id in self._first_woken:
                    return  # Their window ends within seconds, and then all there is to do is done.
                due = now + after_seconds if earlier is None else min(now + after_seconds, earlier)
            else:
                first = self._first_woken.setdefault(person_id, now)
                due = now if at_once else min(now + self._quiet_seconds, first + self._max_seconds)
            self._due_at[person_id] = due
            if due != earlier:
                heapq.heappush(self._due, (due, person_id))
            if earlier is None or due < earlier:  # A window that only moves on is looked at when it was to end.
                self._changed.notify()

    @contextmanager
    def at_a_desk(self) -> Iterator[None]:
        """Wait for a desk, and keep it for the block: a lane's, or a job's, which has no right to more than a lane."""
        self._desks.take()
        self._here.sits = True
        try:
            yield
        finally:
            self._here.sits = False
            self._desks.leave()

    @contextmanager
    def away(self) -> Iterator[None]:
        """Leave the desk to another for as long as the block waits for something outside, if this thread has one."""
        if not getattr(self._here, "sits", False):
            yield
            return
        self._desks.leave()
        try:
            yield
        finally:
            self._desks.take(before_others=True)

    def alive_seconds(self) -> float:
        """How long ago a lane last looked for work; asking has a free one look again."""
        with self._changed:
            self._changed.notify()
            return self._clock.monotonic() - self._looked_at

    def stop(self, grace_seconds: float) -> None:
        """Take no more work; what is under way has `grace_seconds` to end, and what waits stays in the database."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
            self._idle.wait_for(lambda: not self._busy, timeout=grace_seconds)

    def _answer_the_due(self) -> None:
        while (person_id := self._next()) is not None:
            try:
                assert self._work is not None  # noqa: S101  (threads exist only after start)
                with self.at_a_desk():
                    self._work(person_id)
            except Exception:  # The worker's loop: one person's trouble must not end the lane for everyone.
                logger.exception("Person %s could not be answered", person_id)
            finally:
                with self._changed:
                    self._busy.discard(person_id)
                    if person_id in self._due_at:  # Woken meanwhile.
                        heapq.heappush(self._due, (self._due_at[person_id], person_id))
                    if not self._busy:
                        self._idle.notify_all()

    def _next(self) -> int | None:
        """The next person who is due and whom nobody is answering; None when the process stops."""
        with self._changed:
            while not self._stopping:
                self._looked_at = now = self._clock.monotonic()
                person_id, wait = self._pop_due(now)
                if person_id is not None:
                    self._busy.add(person_id)
                    self._changed.notify()  # Another thread takes over the watch for the next who is due.
                    return person_id
                self._wait(now, wait)
            return None

    def _wait(self, now: float, seconds: float | None) -> None:
        """Until something has changed, or `seconds` have passed. One thread watches the clock for all that are free.

        If each did, every instant at which somebody is due would wake hundreds of them to find one person.
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
        """Who is due and free, or in how many seconds somebody will be; those who are answered come again after it."""
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
