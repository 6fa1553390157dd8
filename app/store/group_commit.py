"""Many small writes that ask at the same moment, made as one: one wait for the disk instead of one each."""

import threading
from collections.abc import Callable, Sequence
from typing import Any

from app.errors import DatabaseError


class Unfit(DatabaseError):
    """One of the writes that were made together cannot be kept; without it the others can."""


class _Write:
    """One write and what came of it."""

    def __init__(self, given: Any) -> None:
        self.given = given
        self.is_done = False
        self.error: Exception | None = None
        self.result: Any = None
        # A lock used as a signal, so that each caller is woken by itself: callers that queued for one lock would hand
        # it on one after the other, each after waiting for the interpreter's own.
        self.signal = threading.Lock()
        self.signal.acquire()


class GroupCommit:
    """Whoever comes first leads, and takes along all that was queued while the group before waited for the disk."""

    def __init__(self, write: Callable[[Sequence[Any]], Sequence[Any]]) -> None:
        """`write` keeps all that it is given, or raises and keeps nothing; its results are in the same order."""
        self._write = write
        self._guard = threading.Lock()
        self._is_led = False
        self._queued: list[_Write] = []

    def run(self, given: Any) -> Any:
        """What came of it, once it is on the disk; raises what `write` raised, and then nothing of it is kept."""
        write = _Write(given)
        with self._guard:
            self._queued.append(write)
            leads, self._is_led = not self._is_led, True
        if not leads:
            write.signal.acquire()  # Until it is done, or until it is its turn to lead.
        if not write.is_done:
            self._lead()
        if write.error is not None:
            raise write.error
        return write.result

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

    def _commit(self, writes: list[_Write]) -> None:
        try:
            for write, result in zip(writes, self._write([write.given for write in writes]), strict=True):
                write.result = result
        except Unfit as error:
            if len(writes) > 1:
                for write in writes:  # One of them cannot be kept; alone, each shows whether it is that one.
                    self._commit([write])
                return
            writes[0].error = error
        except Exception as error:  # noqa: BLE001  (handed to the callers whose writes they were)
            for write in writes:
                write.error = error
        except BaseException as error:
            for write in writes:
                write.error = InterruptedError(f"The write was cut off: {type(error).__name__}.")
            raise
        finally:
            for write in writes:
                write.is_done = True
