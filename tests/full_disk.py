"""A store in front of the real one whose disk is full for one transaction."""

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from sqlalchemy.orm import Session

from app.services import Store
from app.store.dialect import Spelt


class FullDisk:
    """As the store behind it, but the next transaction for which `is_full` says so ends as on a full disk: undone."""

    def __init__(self, store: Store, is_full: Callable[[], bool]) -> None:
        self._store = store
        self._is_full = is_full
        self.refused = 0

    @contextmanager
    def transaction(self, person_id: int | None = None) -> Iterator[Session]:
        with self._store.transaction(person_id) as db:
            yield db
            if not self.refused and self._is_full():
                self.refused += 1
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def reading(self) -> AbstractContextManager[Session]:
        return self._store.reading()

    def together(self, statement: Spelt, row: Sequence[object]) -> Any:
        return self._store.together(statement, row)

    def wait_for_change(self, seen: int, seconds: float) -> int:
        return self._store.wait_for_change(seen, seconds)

    def close(self) -> None:
        self._store.close()
