"""A store in front of the real one, before whose next writing transaction something happens elsewhere."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from sqlalchemy.orm import Session

from app.services import Store


class Meanwhile:
    """As the store behind it; `happen` is called once, between what was read first and what is written then."""

    def __init__(self, store: Store, happen: Callable[[], None]) -> None:
        self._store = store
        self._to_happen = [happen]

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        while self._to_happen:
            self._to_happen.pop()()
        with self._store.transaction() as db:
            yield db

    def reading(self) -> AbstractContextManager[Session]:
        return self._store.reading()

    def together(self, statement: str, row: Sequence[object]) -> Any:
        return self._store.together(statement, row)

    def wait_for_change(self, seen: int, seconds: float) -> int:
        return self._store.wait_for_change(seen, seconds)

    def close(self) -> None:
        self._store.close()
