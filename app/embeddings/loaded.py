"""A model loaded once, with the first text: whoever cannot wait for it goes on without it meanwhile."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

from app.errors import EmbeddingError
from app.services import Clock

Model = TypeVar("Model")


class Loaded(Generic[Model]):
    """`load` is called by one thread at a time, until it has succeeded once."""

    def __init__(self, load: Callable[[], Model], clock: Clock) -> None:
        self._load = load
        self._clock = clock
        self._guard = threading.Lock()
        self._model: Future[Model] | None = None

    def get(self, deadline: float | None) -> Model:
        """What was loaded; without a deadline, an instant of `Clock.monotonic` in seconds, it is waited for.

        Raises:
            EmbeddingError: it is still being loaded when the deadline has come.
            Exception: what `load` raised; whoever asks next has it tried anew.
        """
        with self._guard:
            if self._model is None:
                self._model = Future()
                # A thread of its own: it goes on when whoever came first has gone.
                threading.Thread(target=self._fill, args=[self._model], name="loading", daemon=True).start()
            model = self._model
        try:
            model.exception(None if deadline is None else max(deadline - self._clock.monotonic(), 0.0))
        except TimeoutError:
            raise EmbeddingError("What makes the vectors is still being loaded.") from None
        return model.result()

    def _fill(self, model: Future[Model]) -> None:
        try:
            model.set_result(self._load())
        except BaseException as error:  # noqa: BLE001  (handed to whoever waits for it)
            with self._guard:
                self._model = None
            model.set_exception(error)
