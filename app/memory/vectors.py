"""Facts found by their meaning: the nearest vectors, exactly, and always inside one person.

Two engines pick from the same rows: sqlite-vec where the connection has it, else numpy. Both measure in float32, so
both hand over all that rounding may have misplaced, and these few are measured again in float64. What comes back is
therefore the same whichever engine picked. Nothing makes vectors yet.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import text
from sqlalchemy.orm import Session

from app.memory.row_ids import bounds, fact_of, row_id
from app.vector_extension import vector_extension

Vector = NDArray[np.float32]
Rows = dict[str, int | str]
Candidates = tuple[list[int], Vector]
"""Row ids, and their vectors: float32, shape (n, dim), unit rows."""

MAX_DIMENSION = 4096
SPARE = 16  # Candidates beyond those asked for; more are fetched where rounding cannot tell so many apart.
BATCH_ROWS = 256  # As many rows as numpy's way measures at once, 4 MB at most; larger batches are no quicker.

_STORED = np.dtype("<f4")

_PUT = text(
    "INSERT INTO fact_vectors(id, model, vector) VALUES (:row, :model, :vector) "
    "ON CONFLICT (id) DO UPDATE SET model = excluded.model, vector = excluded.vector"
)
_REMOVE = text("DELETE FROM fact_vectors WHERE id = :row")
_OF_PERSON = "FROM fact_vectors WHERE id BETWEEN :first AND :last AND model = :model"
_LENGTH = text(f"SELECT length(vector) {_OF_PERSON} LIMIT 1")
_ALL = text(f"SELECT id, vector {_OF_PERSON}")
_NEAREST = text(
    "SELECT id, distance, vector FROM "  # noqa: S608  (constants alone)
    f"(SELECT id, vec_distance_cosine(vector, :query) AS distance {_OF_PERSON} ORDER BY distance, id LIMIT :limit) "
    "JOIN fact_vectors USING (id)"
)


def put(db: Session, person_id: int, fact_id: int, model: str, vector: Vector) -> None:
    """Keep a live fact's vector (float32, shape (dim,), any length above zero) in place of the one it had.

    Raises:
        ValueError: it has no direction, is not finite, or is not of the dimension that the model's others have.
    """
    unit = _unit(vector)
    _check_dimension(unit, model, _dimension(db, _rows(person_id, model)))
    db.execute(_PUT, {"row": row_id(person_id, fact_id), "model": model, "vector": unit.astype(_STORED).tobytes()})


def remove(db: Session, person_id: int, fact_id: int) -> None:
    db.execute(_REMOVE, {"row": row_id(person_id, fact_id)})


def nearest(db: Session, person_id: int, model: str, query: Vector, limit: int) -> list[tuple[int, float]]:
    """The ids of the person's `limit` nearest live facts, best first and equals by id, each with its similarity.

    The similarity is the cosine, −1 to 1, higher is nearer. The query is float32, shape (dim,).

    Raises:
        ValueError: the query has no direction, is not finite, or is not of the dimension that the model's vectors have.
    """
    unit = _unit(query)
    if limit < 1:
        raise ValueError(f"A search for {limit} facts finds none; ask for 1 or more.")
    rows = _rows(person_id, model)
    dimension = _dimension(db, rows)
    if dimension is None:
        return []
    _check_dimension(unit, model, dimension)
    pick = _picked_by_sqlite_vec if vector_extension(db).works else _picked_by_numpy
    ids, matrix = pick(db, rows, unit, limit)
    return _ranked(ids, matrix, unit)[:limit]


def _picked_by_sqlite_vec(db: Session, rows: Rows, query: Vector, limit: int) -> Candidates:
    spare = SPARE
    while True:
        values = {**rows, "query": query.astype(_STORED).tobytes(), "limit": limit + spare}
        found = db.execute(_NEAREST, values).all()
        distances = sorted(row.distance for row in found)
        if len(found) < limit + spare or distances[-1] - distances[limit - 1] > _rounding(query.size):
            return [row.id for row in found], _matrix((row.vector for row in found), query.size)
        spare *= 8


def _picked_by_numpy(db: Session, rows: Rows, query: Vector, limit: int) -> Candidates:
    picked: list[int] = []
    parts = [np.empty((0, query.size), np.float32)]
    for batch in db.execute(_ALL, rows).partitions(BATCH_ROWS):
        ids, vectors = zip(*batch, strict=True)
        matrix = _matrix(vectors, query.size)
        similarities = matrix @ query
        least = np.partition(similarities, -limit)[-limit] if limit < len(ids) else -np.inf
        near = np.flatnonzero(similarities >= least - _rounding(query.size))
        picked += [ids[place] for place in near]
        parts.append(matrix[near])
    return picked, np.vstack(parts)


def _ranked(ids: list[int], matrix: Vector, query: Vector) -> list[tuple[int, float]]:
    """All of them, best first. Each row is summed by itself, so equal vectors come out equal to the last digit."""
    exact, wanted = matrix.astype(np.float64), query.astype(np.float64)
    lengths = np.linalg.norm(exact, axis=1) * np.linalg.norm(wanted)
    cosines = np.clip((exact * wanted).sum(axis=1) / lengths, -1.0, 1.0)
    order = np.lexsort((ids, -cosines))
    return [(fact_of(ids[place]), float(cosines[place])) for place in order]


def _rounding(dimension: int) -> float:
    """How far apart two cosines in float32 may be although their order is wrong.

    A sum of n products is off by at most n units of 2^-24 (of the lengths' product, here 1), a cosine with its two
    lengths by twice that, the difference of two cosines by four times; the 4 is for the last division and subtraction.
    Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, section 3.1.
    """
    return float((dimension + 4) * 2.0**-22)


def _rows(person_id: int, model: str) -> Rows:
    return {**bounds(person_id), "model": model}


def _dimension(db: Session, rows: Rows) -> int | None:
    """The dimension that the person's vectors by the model have, or None where there are none."""
    length = db.execute(_LENGTH, rows).scalar()
    return None if length is None else int(length) // _STORED.itemsize


def _check_dimension(vector: Vector, model: str, dimension: int | None) -> None:
    if dimension not in {None, vector.size}:
        raise ValueError(
            f"A vector of {vector.size} numbers cannot be compared with those of {model!r}, which have {dimension}. "
            "Another dimension is another model: give it a name of its own."
        )


def _unit(vector: Vector) -> Vector:
    """The vector at unit length."""
    if vector.ndim != 1 or not 1 <= vector.size <= MAX_DIMENSION:
        raise ValueError(f"A vector of the shape {vector.shape} was given; (1,) to ({MAX_DIMENSION},) are searched.")
    wide = vector.astype(np.float64)  # The square of a large or a tiny float32 is no float32.
    if not np.isfinite(wide).all():
        raise ValueError("A vector holds NaN or infinity, which is near to nothing. Embed the text again.")
    length = np.linalg.norm(wide)
    if length == 0:
        raise ValueError("A vector of zeros points nowhere. Leave a text without meaning without a vector.")
    return (wide / length).astype(np.float32)


def _matrix(vectors: Iterable[bytes], dimension: int) -> Vector:
    return np.frombuffer(b"".join(vectors), _STORED).reshape(-1, dimension).astype(np.float32, copy=False)
