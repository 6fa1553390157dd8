"""Many small writes that ask at the same moment, committed together: one wait for the disk instead of one each."""

import threading
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Generic, TypeVar

from sqlalchemy.orm import Session

T = TypeVar("T")


class _Write(Generic[T]):
    """One write and what came of it."""

    def __init__(self, work: Callable[[Session], T]) -> None:
        self.work = work
        self.is_done = False
        self.error: Exception | None = None
        self.result: T | None = None


class GroupCommit:
    """Whoever comes first leads: it takes along all that was queued while the one before it waited for the disk."""

    def __init__(self, transaction: Callable[[], AbstractContextManager[Session]]) -> None:
        self._transaction = transaction
        self._leading = threading.Lock()
        self._queued: deque[_Write[object]] = deque()

    def run(self, work: Callable[[Session], T]) -> T:
        """What `work` returned, once it is on the disk; what it raised, when it did, and then nothing of it is kept."""
        write: _Write[T] = _Write(work)
        self._queued.append(write)  # type: ignore[arg-type]
        with self._leading:
            if not write.is_done:
                self._commit([self._queued.popleft() for _ in range(len(self._queued))])
        if write.error is not None:
            raise write.error
        return write.result  # type: ignore[return-value]

    def _commit(self, writes: list[_Write[object]]) -> None:
        unfit: _Write[object] | None = None
        try:
            with self._transaction() as db:
                for write in writes:
                    unfit = write
                    write.result = write.work(db)
                unfit = None
        except Exception as error:  # noqa: BLE001  (handed to the callers whose writes they were)
            if unfit is not None and len(writes) > 1:
                for write in writes:  # One of them cannot be kept; alone, each shows whether it is that one.
                    self._commit([write])
                return
            for write in writes:
                write.error = error
        except BaseException as error:
            for write in writes:
                write.error = InterruptedError(f"The write was cut off: {type(error).__name__}.")
            raise
        finally:
            for write in writes:
                write.is_done = True
