"""One writer at a time, on the whole machine. Reasons: docs/decisions/0003-storage.md."""

import fcntl
import os
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.errors import DatabaseError
from app.store.db import BUSY_SECONDS
from app.store.places import Places


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
            self._lock_file(deadline)
            try:
                self._holder = threading.get_ident()
                yield
            finally:
                self._holder = None
                self._unlock_file()
        finally:
            self._threads.leave()

    def _lock_file(self, deadline: float) -> None:
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
                return

    def _unlock_file(self) -> None:
        if self._file is not None:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def _busy(self) -> str:
        return (
            f"Another writer has held {self._path.name} for more than {BUSY_SECONDS:.0f} s. "
            "Stop the process that holds it, then try again."
        )
