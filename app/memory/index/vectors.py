"""Vector rows of documents, and the search for vectors near a query's.

A vector is stored twice: as signs, one bit per number and many vectors per row, to find candidates in a millisecond or
two; and as bytes, one row each, to measure the cosine: with sqlite-vec if the connection has it, else with numpy. Both
add up integers that float32 holds exactly, so their results are equal to the last digit.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.errors import EmbeddingError
from app.memory.index.documents import MOST_PLACES, Ints, bounds, by_block, place_of, row_id
from app.store.dialect import DialectSql, RawRows

Vector = NDArray[np.float32]
Near = tuple[Ints, NDArray[np.float64]]  # Places with their cosines, −1 to 1, higher is nearer.

MAX_DIMENSION = 8192
BLOCK = 80  # Places; so many signs of 384 numbers, with their places, fill one page of 4 kB.
_LARGEST = 127
_EXACT_UP_TO = 2.0**24 - 1  # Float32 is exact for integers up to here; the sum of a vector's squared bytes stays below.

_NEW_MODEL = (
    "INSERT INTO vector_models(name, dimension) VALUES (:model, :dimension) "
    "ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id, dimension"
)
_MODEL = (
    "SELECT vector_models.id, dimension, "
    "places - CASE WHEN model_id = vector_models.id THEN embedded ELSE 0 END AS unseen "
    "FROM vector_models JOIN shelves ON shelves.id = :shelf WHERE name = :model"
)
_PUT = (
    "INSERT INTO vectors(id, model_id, vector) VALUES (:row, :model, :vector) "
    "ON CONFLICT (id) DO UPDATE SET model_id = excluded.model_id, vector = excluded.vector"
)
_REMOVE = DialectSql(
    "DELETE FROM vectors WHERE id IN (SELECT value FROM json_each(:rows))",
    "DELETE FROM vectors WHERE id = ANY(CAST(:rows AS bigint[]))",
)
_BITS = "SELECT model_id, places, bits FROM vector_bits WHERE id = :row"
_PUT_BITS = (
    "INSERT INTO vector_bits(id, model_id, places, bits) VALUES (:row, :model, :places, :bits) "
    "ON CONFLICT (id) DO UPDATE SET model_id = excluded.model_id, places = excluded.places, bits = excluded.bits"
)
_REMOVE_BITS = "DELETE FROM vector_bits WHERE id = :row"
_ALL_BITS = (
    "SELECT id, places, bits FROM vector_bits WHERE id BETWEEN :first AND :last AND model_id = :model ORDER BY id"
)
_OF_ALL = "SELECT id - :base, {} FROM vectors WHERE id BETWEEN :base AND :last AND model_id = :model ORDER BY id"
# CROSS JOIN keeps the order of the requested places: SQLite does not reorder it.
_OF_SOME = (
    "SELECT vectors.id - :base, {} FROM json_each(:rows) AS wanted "
    "CROSS JOIN vectors ON vectors.id = wanted.value WHERE model_id = :model"
)
_OF_SOME_POSTGRESQL = (
    "SELECT vectors.id - :base, vector FROM vectors WHERE id = ANY(CAST(:rows AS bigint[])) AND model_id = :model "
    "ORDER BY id"
)
_BY_SQLITE_VEC, _BY_NUMPY = (
    {"all": DialectSql(_OF_ALL.format(measured)), "some": DialectSql(_OF_SOME.format(measured), _OF_SOME_POSTGRESQL)}
    for measured in ("vec_distance_cosine(vec_int8(vector), vec_int8(:query))", "vector")
)


@dataclass(frozen=True)
class PreparedQuery:
    """A query vector, ready to be compared."""

    model_id: int
    direction: NDArray[np.int8]
    signs: NDArray[np.uint8]
    unseen: int  # At most so many places of the shelf have no vector of the model.
    by_sqlite_vec: bool  # True to measure with sqlite-vec instead of numpy.


def put(db: RawRows, shelf: int, model: str, places: Sequence[int], matrix: Vector) -> int:
    """Store vectors of documents (float32, shape (len(places), dim), any length above 0); the model's id.

    They replace any vectors at those places.

    Raises:
        ValueError: a vector is zero or not finite.
        EmbeddingError: the vectors that the model made before have another dimension.
    """
    stored = as_bytes(matrix)
    ((model_id, known),) = db.all(_NEW_MODEL, {"model": model, "dimension": matrix.shape[1]})
    check_dimension(model, known, matrix.shape[1])
    rows = [
        {"row": row_id(shelf, place), "model": model_id, "vector": row.tobytes()}
        for place, row in zip(places, stored, strict=True)
    ]
    db.run(_PUT, *rows)
    signs = dict(zip(places, np.packbits(matrix > 0, axis=1, bitorder="little"), strict=True))
    for block, some in by_block(places, BLOCK):
        _put_bits(db, row_id(shelf, block), model_id, some, np.array([signs[block * BLOCK + one] for one in some]))
    return int(model_id)


def check_dimension(model: str, known: int, dimension: int) -> None:
    """Raise `EmbeddingError` unless the model's vectors have the dimension of those made before."""
    if dimension != known:
        raise EmbeddingError(
            f"{model} made vectors of {known:,} numbers before, and of {dimension:,} now: another model with the "
            f"same name. Set EMBEDDING_DIMENSION to {dimension}; then all are made anew."
        )


def remove(db: RawRows, shelf: int, places: Collection[int]) -> None:
    db.run(_REMOVE, {"rows": [row_id(shelf, place) for place in places]})
    for block, some in by_block(places, BLOCK):
        row = row_id(shelf, block)
        for model_id, _, _ in db.all(_BITS, {"row": row}):
            _put_bits(db, row, model_id, some, np.empty((0, 0), np.uint8))


def prepare_query(db: RawRows, shelf: int, model: str, query: Vector, *, by_sqlite_vec: bool) -> PreparedQuery | None:
    """Prepare a query (float32, shape (dim,)) for comparison; None if the model has made none of that size.

    Raises:
        ValueError: the vector is zero or not finite.
    """
    direction = as_bytes(query[np.newaxis])[0]
    for model_id, dimension, unseen in db.all(_MODEL, {"shelf": shelf, "model": model}):
        if dimension == query.size:
            return PreparedQuery(model_id, direction, np.packbits(query > 0, bitorder="little"), unseen, by_sqlite_vec)
    return None


def measure_cosines(db: RawRows, shelf: int, query: PreparedQuery, places: Ints | None = None) -> Near:
    """Cosines between the query and its model's vectors at `places`, which ascend, or of the whole shelf."""
    base = row_id(shelf, 0)
    values: dict[str, Any] = {"model": query.model_id, "base": base}
    values |= {"last": base + MOST_PLACES - 1} if places is None else {"rows": (places + base).tolist()}
    values |= {"query": query.direction.tobytes()} if query.by_sqlite_vec else {}
    statements = _BY_SQLITE_VEC if query.by_sqlite_vec else _BY_NUMPY
    found = db.all(statements["all" if places is None else "some"], values)
    if not found:
        return np.empty(0, np.intp), np.empty(0)
    here, seen = zip(*found, strict=True)
    distances = np.array(seen, np.float32) if query.by_sqlite_vec else _distances(b"".join(seen), query.direction)
    return np.array(here, np.intp), 1.0 - distances.astype(np.float64)


def load(db: RawRows, shelf: int, model: str, places: Ints) -> dict[int, Vector]:
    """The model's vectors at these places (float32, shape (dim,), any length above 0), as far as there are any."""
    base = row_id(shelf, 0)
    values = {"base": base, "rows": (places + base).tolist()}
    return {
        place: np.frombuffer(row, np.int8).astype(np.float32)
        for model_id, _, _ in db.all(_MODEL, {"shelf": shelf, "model": model})
        for place, row in db.all(_BY_NUMPY["some"], {**values, "model": model_id})
    }


def sign_distances(db: RawRows, shelf: int, query: PreparedQuery) -> tuple[Ints, NDArray[np.uint16]]:
    """Places with a vector of the query's model, and the number of differing signs: fewer is nearer."""
    found = db.all(_ALL_BITS, {"model": query.model_id, **bounds(shelf)})
    if not found:
        return np.empty(0, np.intp), np.empty(0, np.uint16)
    rows, places, bits = zip(*found, strict=True)
    firsts = np.repeat([place_of(row) * BLOCK for row in rows], [len(blob) // 2 for blob in places])
    signs = np.frombuffer(b"".join(bits), np.uint8).reshape(-1, query.signs.size)
    return firsts + np.frombuffer(b"".join(places), "<u2"), _differing(signs, query.signs)


def as_bytes(matrix: Vector) -> NDArray[np.int8]:
    """The stored form of the directions of these rows: int8, same shape.

    Raises:
        ValueError: a row is zero or not finite, or these are not rows of 1 to `MAX_DIMENSION` numbers.
    """
    if len(matrix.shape[1:]) != 1 or not 1 <= matrix.shape[1] <= MAX_DIMENSION:
        raise ValueError(f"Vectors of the shape {matrix.shape} were given; (n, 1) to (n, {MAX_DIMENSION}) are taken.")
    wide = matrix.astype(np.float64)  # The square of a large or tiny float32 does not fit float32.
    if not np.isfinite(wide).all():
        raise ValueError("A vector holds NaN or infinity, which is near to nothing. Embed the text again.")
    largest = np.abs(wide).max(axis=1, keepdims=True)
    if not largest.all():
        raise ValueError("A vector of zeros points nowhere. Leave a text without meaning without a vector.")
    wide /= largest
    # Rounding moves each number by at most 0.5, and so the length by at most half the root of the dimension.
    longest = _EXACT_UP_TO**0.5 - matrix.shape[1] ** 0.5 / 2
    scale = np.minimum(_LARGEST, longest / np.linalg.norm(wide, axis=1, keepdims=True))
    stored: NDArray[np.int8] = np.rint(wide * scale).astype(np.int8)
    return stored


def _put_bits(db: RawRows, row: int, model_id: int, places: Sequence[int], bits: NDArray[np.uint8]) -> None:
    """Rewrite one block: set the signs of these places, or drop them if `bits` is empty, and keep the others."""
    kept_places, kept_bits = np.empty(0, "<u2"), np.empty((0, bits.shape[1]), np.uint8)
    for of_model, held_places, held_bits in db.all(_BITS, {"row": row}):
        if of_model == model_id:  # Signs of another model are dropped: they cannot be compared.
            before = np.frombuffer(held_places, "<u2")
            stay = ~np.isin(before, places)
            kept_places = before[stay]
            kept_bits = np.frombuffer(held_bits, np.uint8).reshape(before.size, -1)[stay]
    if bits.size:
        kept_places = np.concatenate((kept_places, np.array(places, "<u2")))
        kept_bits = np.concatenate((kept_bits.reshape(-1, bits.shape[1]), bits))
    if kept_places.size:
        values = {"row": row, "model": model_id, "places": kept_places.tobytes(), "bits": kept_bits.tobytes()}
        db.run(_PUT_BITS, values)
    else:
        db.run(_REMOVE_BITS, {"row": row})


def _differing(bits: NDArray[np.uint8], wanted: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Number of bits of each row that differ from `wanted`; counted in words of eight bytes if the width allows."""
    words = (bits.view(np.uint64), wanted.view(np.uint64)) if wanted.size % 8 == 0 else (bits, wanted)
    differing = np.zeros(len(bits), np.uint16)
    for column, one in zip(words[0].T, words[1], strict=True):
        differing += np.bitwise_count(column ^ one)
    return differing


def _distances(vectors: bytes, query: NDArray[np.int8]) -> Vector:
    """Cosine distances computed exactly like sqlite-vec, step by step in the same precision.

    Not with `@`: for so little work, a multi-threaded linear algebra library keeps all processors busy waiting.
    """
    matrix = np.frombuffer(vectors, np.int8).reshape(-1, query.size).astype(np.float32)
    wanted = query.astype(np.float32)
    products, squares = np.einsum("ij,j->i", matrix, wanted), np.einsum("ij,ij->i", matrix, matrix)
    lengths = np.sqrt(squares, dtype=np.float64) * np.sqrt(np.einsum("i,i->", wanted, wanted), dtype=np.float64)
    distances: Vector = (1.0 - products / lengths).astype(np.float32)
    return distances
