"""Many small writes that ask at the same moment, committed together: one wait for the disk instead of one each."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Generic, TypeVar

C = TypeVar("C")
T = TypeVar("T")


class _Write(Generic[C, T]):
    """One write and what came of it."""

    def __init__(self, work: Callable[[C], T]) -> None:
        self.work = work
        self.is_done = False
        self.error: Exception | None = None
        self.result: T | None = None
        # A lock used as a signal, so that each caller is woken by itself: callers that queued for one lock would hand
        # it on one after the other, each after waiting for the interpreter's own.
        self.signal = threading.Lock()
        self.signal.acquire()


class GroupCommit(Generic[C]):
    """Whoever comes first leads, and takes along all that was queued while the group before waited for the disk."""

    def __init__(self, transaction: Callable[[], AbstractContextManager[C]]) -> None:
        self._transaction = transaction
        self._guard = threading.Lock()
        self._is_led = False
        self._queued: list[_Write[C, object]] = []

    def run(self, work: Callable[[C], T]) -> T:
        """What `work` returned, once it is on the disk; what it raised, when it did, and then nothing of it is kept."""
        write: _Write[C, T] = _Write(work)
        with self._guard:
            self._queued.append(write)  # type: ignore[arg-type]
            leads, self._is_led = not self._is_led, True
        if not leads:
            write.signal.acquire()  # Until it is done, or until it is its turn to lead.
        if not write.is_done:
            self._lead()
        if write.error is not None:
            raise write.error
        return write.result  # type: ignore[return-value]

    def _lead(self) -> None:
        with self._guard:
            writes, self._queued = self._queued, []
        try:
            self._commit(writes)
        finally:
            with self._guard:
                following = self._queued[:1]
                self._is_led = bool(following)
            for write in (*writes, *following):
                write.signal.release()

    def _commit(self, writes: list[_Write[C, object]]) -> None:
        unfit: _Write[C, object] | None = None
        try:
            with self._transaction() as held:
                for write in writes:
                    unfit = write
                    write.result = write.work(held)
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
