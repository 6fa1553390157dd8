"""Locks on files beside the database, of which the system lets go with their process, however that ends.

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

BUSY_SECONDS = 5.0  # Half of what Twilio may be kept waiting before a 5xx tells it to try again.

_MADE_HERE = re.compile("[0-9a-f]{32}")


def make_private_folder(path: Path) -> None:
    path.mkdir(parents=True, mode=0o700, exist_ok=True)


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

    def _gives_up(self, queue: deque[threading.Lock], called: threading.Lock) -> bool:
        """Whether somebody who waits no longer goes without a place; it may have been handed to them meanwhile."""
        with self._guard:
            if called in queue:
                queue.remove(called)
                return True
            return False


class WriterLock:
    """Among threads a place for one, among processes a lock on a file.

    SQLite's own busy handler sleeps and polls; several writers then wait hundreds of milliseconds at the 99th
    percentile, with this lock in front of BEGIN IMMEDIATE about ten.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._threads = Places(1)
        self._holder: int | None = None
        self._file: int | None = None
        self._pid = 0

    @contextmanager
    def held(self, *, before_others: bool = False) -> Iterator[None]:
        """The block is the one writer; `before_others` for the little that somebody outside waits for.

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
                yield
            finally:
                self._holder = None
                fcntl.flock(file, fcntl.LOCK_UN)
        finally:
            self._threads.leave()

    def _lock_file(self, deadline: float) -> int:
        if self._file is None or self._pid != os.getpid():  # A forked child must not share its parent's lock.
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            weakref.finalize(self, os.close, self._file).atexit = False  # There it would end a write under way.
            self._pid = os.getpid()
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise DatabaseError(self._busy()) from None
                time.sleep(0.001)  # flock has no time-out; another process holds the lock for about a millisecond.
            else:
                return self._file

    def _busy(self) -> str:
        return (
            f"Another writer has held {self._path.name} for more than {BUSY_SECONDS:.0f} s. "
            "Stop the process that holds it, then try again."
        )


class UseLock:
    """Shared by all who have the database open, or held by one who puts another file in its place."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._held: weakref.finalize[[int], UseLock] | None = None

    def share(self) -> None:
        """Be one of those who use the database, unless this one is so already or is alone with it.

        Raises:
            DatabaseError: somebody is alone with it.
        """
        if self._held is not None:
            return
        if not self._takes(fcntl.LOCK_SH):
            raise DatabaseError(
                f"{self._path.with_suffix('')} is being restored from a backup. Try again once that has ended."
            )

    def take_alone(self) -> None:
        """Be the only one who uses the database.

        Raises:
            Refused: somebody else uses it.
        """
        if not self._takes(fcntl.LOCK_EX):
            raise Refused(
                f"{self._path.with_suffix('')} is in use by another process. Stop Keepsake and every other command on "
                "it, then try again."
            )

    def let_go(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            held()

    def _takes(self, kind: int) -> bool:
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return False
        self._held = weakref.finalize(self, os.close, file)
        return True


class Process:
    """One process among all that share a database, and so the locks of one machine, known by a token made at its start.

    Host and process number do not tell processes apart: two containers may have both in common, and one that starts
    again has its own of before. A file that nobody holds is one of a process that is gone.
    """

    def __init__(self, database: Path) -> None:
        make_private_folder(database.parent)
        self._beside = database
        for left in database.parent.glob(f"{database.name}.process-*"):  # By those that were killed.
            self.is_gone(left.name.rpartition("-")[2])
        self.token = secrets.token_hex(16)
        self._close = weakref.finalize(self, os.close, self._held())  # Once only, however often it is called.

    def is_gone(self, token: str) -> bool:
        """Whether the process that made the token has surely ended; of a token of another make nobody knows."""
        if not _MADE_HERE.fullmatch(token):
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
        """The process claims nothing more."""
        self._path(self.token).unlink(missing_ok=True)
        self._close()

    def _held(self) -> int:
        while True:
            file = os.open(self._path(self.token), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(file, fcntl.LOCK_EX)
            if os.fstat(file).st_nlink:
                return file
            os.close(file)  # Somebody who started at this moment took it for one that was left, and removed it.

    def _path(self, token: str) -> Path:
        return self._beside.with_name(f"{self._beside.name}.process-{token}")
