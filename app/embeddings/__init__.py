"""Embedders, one file each, and their shared parts: clean texts, load a model once, check vectors."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from app.errors import EmbeddingError
from app.services import Clock
from app.text.wording import mended

Model = TypeVar("Model")

CHECK = "Check EMBEDDING_MODEL and EMBEDDING_DIMENSION."


def sendable(text: str) -> str:
    """The text without NUL, with surrogate pairs joined and lone surrogates replaced."""
    return mended(text.replace("\x00", ""))


def unit_rows(made: object, texts: int, dimension: int | None) -> NDArray[np.float32]:
    """`made` as float32, shape (texts, dimension), each row at length 1; any dimension if None.

    Raises:
        EmbeddingError: it has another shape, or a row has no direction.
    """
    try:
        given = np.asarray(made)
    except ValueError:  # Rows that differ in length.
        given = np.empty(0)
    # Words that look like numbers, and booleans, would be converted to numbers without an error.
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
    """A model that loads once: one thread at a time calls `load`, until it has succeeded."""

    def __init__(self, load: Callable[[], Model], clock: Clock) -> None:
        self._load = load
        self._clock = clock
        self._guard = threading.Lock()
        self._model: Future[Model] | None = None

    def get(self, deadline: float | None) -> Model:
        """The loaded model. Waits for it until `deadline`, in seconds of `Clock.monotonic`; for ever if that is None.

        Raises:
            EmbeddingError: it is still loading at the deadline.
            Exception: `load` raised it; the next caller tries again.
        """
        with self._guard:
            if self._model is None:
                self._model = Future()
                # A thread of its own, which goes on loading after the first caller has given up.
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
        except BaseException as error:  # noqa: BLE001  (handed to the waiting callers)
            with self._guard:
                self._model = None
            model.set_exception(error)
