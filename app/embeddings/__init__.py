"""Embedders, a file each, and what they share: texts in, a model loaded once, vectors out."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from app.errors import EmbeddingError
from app.services import Clock

Model = TypeVar("Model")

CHECK = "Check EMBEDDING_MODEL and EMBEDDING_DIMENSION."


def sendable(text: str) -> str:
    """The text without NUL, its surrogates put together where they are a pair and replaced where they are not."""
    return text.replace("\x00", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def unit_rows(made: object, texts: int, dimension: int | None) -> NDArray[np.float32]:
    """`made` as float32, shape (texts, dimension), each row at length 1; with None of any dimension.

    Raises:
        EmbeddingError: it is not that many rows of that many numbers, or a row has no direction.
    """
    try:
        given = np.asarray(made)
    except ValueError:  # Rows that differ in length.
        given = np.empty(0)
    # Words that look like numbers, and yes and no, would become numbers without a complaint.
    if given.ndim != 2 or given.dtype.kind not in "fi" or not given.shape[1]:  # noqa: PLR2004  (a table)
        raise EmbeddingError(f"What came are no vectors: no rows of equally many numbers. {CHECK}")
    rows = given.astype(np.float64)
    if len(rows) != texts:
        raise EmbeddingError(f"{len(rows):,} vectors came for {texts:,} texts. {CHECK}")
    if dimension is not None and rows.shape[1] != dimension:
        raise EmbeddingError(f"Vectors of {rows.shape[1]:,} numbers came, and not of {dimension:,}. {CHECK}")
    with np.errstate(over="ignore"):
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise EmbeddingError(f"A vector came whose numbers are all 0, too large or none: it has no direction. {CHECK}")
    return np.asarray(rows / lengths, np.float32)


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
