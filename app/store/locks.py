"""Locks on files beside the database. The system releases them when their process ends, however it ends.

Reasons: docs/decisions/0003-storage.md and 0034-owners-of-turns.md.
"""

import fcntl
import os
import re
import secrets
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.errors import DatabaseError, Refused

BUSY_SECONDS = 4.0  # A text waits twice at most, with others and then alone: its 5xx comes within ten seconds.

_TOKEN = re.compile("[0-9a-f]{32}")


def make_private_folder(path: Path) -> None:
    path.mkdir(parents=True, mode=0o700, exist_ok=True)


class Places:
    """A fair semaphore: those who ask with `before_others` go first, and within each queue the longest waiter.

    A thread that leaves hands its place on directly. If the place were free for a moment, that thread could take it
    again and again while others wait for a second.
    """

    def __init__(self, number: int) -> None:
        self._guard = threading.Lock()
        self._free = number
        """Zero while any thread waits."""
        self._first: deque[threading.Lock] = deque()
        self._others: deque[threading.Lock] = deque()

    def take(self, *, before_others: bool = False, seconds: float = -1) -> bool:
        """Take a place, waiting at most `seconds` (−1 means for ever); True if it was taken."""
        queue = self._first if before_others else self._others
        with self._guard:
            if self._free:
                self._free -= 1
                return True
            called = threading.Lock()  # A signal: only a thread that leaves wakes the one that waits.
            called.acquire()
            queue.append(called)
        try:
            if called.acquire(timeout=seconds):
                return True
        except BaseException:
            if not self._leave_queue(queue, called):
                self.leave()
            raise
        return not self._leave_queue(queue, called)

    def leave(self) -> None:
        """Give the place to the next waiting thread, or free it."""
        with self._guard:
            waiting = self._first or self._others
            if waiting:
                waiting.popleft().release()
            else:
                self._free += 1

    def _leave_queue(self, queue: deque[threading.Lock], called: threading.Lock) -> bool:
        """True if the thread left the queue without a place; False if it was handed one meanwhile."""
        with self._guard:
            if called in queue:
                queue.remove(called)
                return True
            return False


class WriterLock:
    """One writer at a time: one place among threads, and a file lock among processes.

    With SQLite's own busy handler, which sleeps and polls, several writers wait hundreds of milliseconds at the 99th
    percentile; with this lock in front of BEGIN IMMEDIATE, about ten.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._threads = Places(1)
        self._holder: int | None = None
        self._file: int | None = None
        self._pid = 0

    @contextmanager
    def held(self, *, before_others: bool = False) -> Iterator[float]:
        """Make the block the only writer; yields the seconds left to wait, and `before_others` is for short writes.

        Raises:
            DatabaseError: another writer held the database for longer than `BUSY_SECONDS`.
        """
        if self._holder == threading.get_ident():
            raise RuntimeError("A transaction is open in this thread already; pass its `db` along.")
        deadline = time.monotonic() + BUSY_SECONDS
        if not self._threads.take(before_others=before_others, seconds=BUSY_SECONDS):
            raise DatabaseError(self._busy())
        try:
            file = self._lock_file(deadline)
            try:
                self._holder = threading.get_ident()
                yield max(0.0, deadline - time.monotonic())
            finally:
                self._holder = None
                fcntl.flock(file, fcntl.LOCK_UN)
        finally:
            self._threads.leave()

    def _lock_file(self, deadline: float) -> int:
        if self._file is None or self._pid != os.getpid():  # A forked child must not share its parent's lock.
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            weakref.finalize(self, os.close, self._file).atexit = False  # At exit it would unlock during a write.
            self._pid = os.getpid()
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise DatabaseError(self._busy()) from None
                time.sleep(0.001)  # flock has no timeout; another process holds the lock for about a millisecond.
            else:
                return self._file

    def _busy(self) -> str:
        return (
            f"Another writer has held {self._path.name} for more than {BUSY_SECONDS:.0f} s. "
            "Stop the process that holds it, then try again."
        )


class UseLock:
    """A lock shared by all that have the database open, or held alone by the one that replaces its file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._held: weakref.finalize[[int], UseLock] | None = None

    def share(self) -> None:
        """Take the lock as one of several users, unless this object holds it already, shared or alone.

        Raises:
            DatabaseError: another process holds it alone.
        """
        if self._held is not None:
            return
        if not self._try_lock(fcntl.LOCK_SH):
            raise DatabaseError(
                f"{self._path.with_suffix('')} is being restored from a backup. Try again once that has ended."
            )

    def take_alone(self) -> None:
        """Take the lock as the only user of the database, until `release`.

        Raises:
            Refused: another process uses the database.
        """
        if not self._try_lock(fcntl.LOCK_EX):
            raise Refused(
                f"{self._path.with_suffix('')} is in use by another process. Stop Keepsake and every other command on "
                "it, then try again."
            )

    def release(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            held()

    def _try_lock(self, kind: int) -> bool:
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return False
        self._held = weakref.finalize(self, os.close, file)
        return True


class Process:
    """One of the processes that share a database on one machine, identified by a token made at its start.

    Host and process id do not identify it: two containers may have both in common, and a restarted one gets its old
    id again. A file whose lock nobody holds belongs to a process that has ended.
    """

    def __init__(self, database: Path) -> None:
        make_private_folder(database.parent)
        self._beside = database
        there = [one.name.rpartition("-")[2] for one in database.parent.glob(f"{database.name}.process-*")]
        self.others = sum(not self.is_gone(token) for token in there)  # Killed processes leave their files.
        """Number of other processes on the database when this one started."""
        self.token = secrets.token_hex(16)
        self._close = weakref.finalize(self, os.close, self._held())  # Runs once, however often it is called.

    def is_gone(self, token: str) -> bool:
        """True if the process that made the token has surely ended; False for a token in another form."""
        if not _TOKEN.fullmatch(token):
            return False
        path = self._path(token)
        try:
            file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return True
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            path.unlink(missing_ok=True)
        except BlockingIOError:
            return False
        finally:
            os.close(file)
        return True

    def close(self) -> None:
        """Give up the token; the process must claim nothing more."""
        self._path(self.token).unlink(missing_ok=True)
        self._close()

    def _held(self) -> int:
        while True:
            file = os.open(self._path(self.token), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(file, fcntl.LOCK_EX)
            if os.fstat(file).st_nlink:
                return file
            os.close(file)  # A process that started at this moment took it for a leftover and removed it.

    def _path(self, token: str) -> Path:
        return self._beside.with_name(f"{self._beside.name}.process-{token}")
