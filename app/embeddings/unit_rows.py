"""Vectors of somebody else's making, looked at before anything is compared with them."""

import numpy as np
from numpy.typing import NDArray

from app.errors import EmbeddingError

CHECK = "Check EMBEDDING_MODEL and EMBEDDING_DIMENSION."


def unit_rows(made: object, texts: int, dimension: int | None) -> NDArray[np.float32]:
    """`made` as float32, shape (texts, dimension), each row at length 1; with None of any dimension.

    Raises:
        EmbeddingError: it is not that many rows of that many numbers, or a row has no direction.
    """
    rows = _numbers(made)
    if len(rows) != texts:
        raise EmbeddingError(f"{len(rows):,} vectors came for {texts:,} texts. {CHECK}")
    if dimension is not None and rows.shape[1] != dimension:
        raise EmbeddingError(f"Vectors of {rows.shape[1]:,} numbers came, and not of {dimension:,}. {CHECK}")
    if not np.isfinite(rows).all():
        raise EmbeddingError(f"A vector came that holds no number in one of its places. {CHECK}")
    with np.errstate(over="ignore"):
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise EmbeddingError(f"A vector came whose numbers are all 0, or too large: it has no direction. {CHECK}")
    return np.asarray(rows / lengths, np.float32)


def _numbers(made: object) -> NDArray[np.float64]:
    try:
        rows = np.asarray(made)
    except ValueError:  # Rows that differ in length.
        rows = np.empty(0)
    # Words that look like numbers, and yes and no, would become numbers without a complaint.
    if rows.ndim != 2 or rows.dtype.kind not in "fi" or not rows.shape[1]:  # noqa: PLR2004  (a table)
        raise EmbeddingError(f"What came are no vectors: no rows of equally many numbers. {CHECK}")
    return rows.astype(np.float64)
