"""Group commit: small writes that arrive together share one transaction, and so one wait for the disk."""

import threading
from collections.abc import Callable, Sequence
from typing import Any

from app.errors import DatabaseError


class RejectedWrite(DatabaseError):
    """One write of a group cannot be kept; without it the others can."""


class _Write:
    """One write and its outcome."""

    def __init__(self, given: Any) -> None:
        self.given = given
        self.is_done = False
        self.error: Exception | None = None
        self.result: Any = None
        # A lock used as a signal, so that each caller is woken directly. Callers that queued for one shared lock would
        # pass it on one by one, each after waiting for the GIL.
        self.signal = threading.Lock()
        self.signal.acquire()


class GroupCommit:
    """The first writer leads and commits everything queued while the previous group waited for the disk."""

    def __init__(self, write: Callable[[Sequence[Any]], Sequence[Any]]) -> None:
        """`write` keeps all writes given, or raises and keeps none; it returns their results in the same order."""
        self._write = write
        self._guard = threading.Lock()
        self._is_led = False
        self._queued: list[_Write] = []

    def run(self, given: Any) -> Any:
        """The write's result, once it is on the disk; raises what `write` raised, and then the write is not kept."""
        write = _Write(given)
        with self._guard:
            self._queued.append(write)
            leads, self._is_led = not self._is_led, True
        if not leads:
            write.signal.acquire()  # Wait until the write is done, or until this caller is to lead.
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
        except RejectedWrite as error:
            if len(writes) > 1:
                for write in writes:  # Retried one by one, to find the write that cannot be kept.
                    self._commit([write])
                return
            writes[0].error = error
        except Exception as error:  # noqa: BLE001  (raised again in each caller's thread)
            for write in writes:
                write.error = error
        except BaseException as error:
            for write in writes:
                write.error = InterruptedError(f"The write was cut off: {type(error).__name__}.")
            raise
        finally:
            for write in writes:
                write.is_done = True
