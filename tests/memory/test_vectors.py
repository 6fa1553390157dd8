"""The vectors of a shelf, measured by sqlite-vec and by numpy: two ways, one contract."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlcipher3 import dbapi2

from app.memory.index.documents import shelf_of
from app.memory.index.vectors import Vector, measure_cosines, prepare_query, put, remove, sign_distances
from app.store.dialect import RawRows
from app.store.sqlite import SqliteDatabase
from app.store.vector_extension import load_sqlite_vec, vector_extension
from tests.memory.test_search import vector
from tests.stores import does_not_load, migrated

MODEL = "a-model"
SHELF = shelf_of(1, "message")
TOLERANCE = 0.01  # A number is kept in one byte: the cosine of two texts is moved by some thousandths.


@pytest.fixture(params=[load_sqlite_vec, does_not_load], ids=["sqlite-vec", "numpy"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqliteDatabase]:
    with closing(migrated(tmp_path / "keepsake.db", request.param)) as database:
        with database.reading() as db:
            assert vector_extension(db).works is (request.param is load_sqlite_vec)
        yield database


def keep(database: SqliteDatabase, matrix: Vector, *, shelf: int = SHELF, model: str = MODEL, first: int = 0) -> None:
    with database.transaction() as db:
        db.execute(text("INSERT INTO shelves(id, places) VALUES (:id, 0) ON CONFLICT DO NOTHING"), {"id": shelf})
        put(RawRows(db), shelf, model, range(first, first + len(matrix)), matrix)


def near(
    database: SqliteDatabase, query: Vector, *, shelf: int = SHELF, model: str = MODEL, places: list[int] | None = None
) -> dict[int, float]:
    """The cosine of each place."""
    with database.reading() as db:
        wanted = prepare_query(RawRows(db), shelf, model, query, by_sqlite_vec=vector_extension(db).works)
        if wanted is None:
            return {}
        found, cosines = measure_cosines(RawRows(db), shelf, wanted, None if places is None else np.array(places, int))
        assert sorted(looked(database, query, shelf=shelf, model=model)) == found.tolist() or places is not None
    return dict(zip(found.tolist(), cosines.tolist(), strict=True))


def looked(database: SqliteDatabase, query: Vector, *, shelf: int = SHELF, model: str = MODEL) -> dict[int, int]:
    """By place, the number of signs that differ from the query's."""
    with database.reading() as db:
        wanted = prepare_query(RawRows(db), shelf, model, query, by_sqlite_vec=False)
        if wanted is None:
            return {}
        places, differing = sign_distances(RawRows(db), shelf, wanted)
    assert np.unique(places).size == places.size
    return dict(zip(places.tolist(), differing.tolist(), strict=True))


def cosine(one: Vector, other: Vector) -> float:
    here, there = one.astype(np.float64), other.astype(np.float64)
    return float(here @ there / np.linalg.norm(here) / np.linalg.norm(there))


@pytest.mark.parametrize("dimension", [1, 2, 7, 64, 384, 1025, 1536, 8192])
def test_every_dimension_to_8192_is_measured(database: SqliteDatabase, dimension: int) -> None:
    rng = np.random.default_rng(dimension)
    matrix = rng.normal(size=(5, dimension)).astype(np.float32)
    matrix[4] = 1.0  # All numbers alike: what adds up to the most.
    keep(database, matrix)

    for place, row in enumerate(matrix):
        found = near(database, row)
        assert found[place] == pytest.approx(1.0, abs=1e-6)
        assert found == {other: pytest.approx(cosine(row, matrix[other]), abs=TOLERANCE) for other in range(5)}
        assert looked(database, row)[place] == 0


def test_lengths_count_for_nothing_however_large_or_small(database: SqliteDatabase) -> None:
    keep(database, np.array([[3e38, 3e38], [1e-44, 0], [0, 2]], np.float32))
    assert near(database, vector(0, 1e-45)) == {0: pytest.approx(0.5**0.5), 1: 0.0, 2: 1.0}


UNUSABLE = [
    (vector(0, 0), "zeros"),
    (vector(1, float("nan")), "NaN"),
    (vector(float("inf"), 1), "infinity"),
    (vector(-float("inf"), 1), "infinity"),
    (vector(), r"\((1, )?0,?\)"),
    (np.ones(8193, np.float32), r"\((1, )?8193,?\)"),
]


@pytest.mark.parametrize(("unusable", "says"), UNUSABLE)
def test_a_vector_that_cannot_be_compared_is_refused(database: SqliteDatabase, unusable: Vector, says: str) -> None:
    keep(database, np.array([[1, 0]], np.float32))
    with pytest.raises(ValueError, match=says):
        near(database, unusable)
    with pytest.raises(ValueError, match=says):
        keep(database, unusable[np.newaxis], first=1)
    assert near(database, vector(1, 0)) == {0: 1.0}
    for shapeless in (np.ones((1, 2), np.float32), np.array(1, np.float32)):
        with pytest.raises(ValueError, match="shape"):
            near(database, shapeless)


def test_a_vector_that_is_removed_is_overwritten_in_the_file(database: SqliteDatabase) -> None:
    rng = np.random.default_rng(4)
    matrix = rng.normal(size=(3, 384)).astype(np.float32)
    keep(database, matrix)
    with database.reading() as db:
        stored = db.execute(text("SELECT vector FROM vectors ORDER BY id")).scalars().all()
    signs = [np.packbits(row > 0, bitorder="little").tobytes() for row in matrix]
    assert all(one in held(database) for one in (*stored, *signs))
    with database.transaction() as db:
        remove(RawRows(db), SHELF, [1])

    left = held(database)
    assert [one in left for one in stored] == [True, False, True]
    assert [one in left for one in signs] == [True, False, True]
    assert list(near(database, matrix[0])) == [0, 2]


def held(database: SqliteDatabase) -> bytes:
    """All that stands in the database's files."""
    with closing(dbapi2.connect(str(database.path))) as plain:
        plain.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return b"".join(file.read_bytes() for file in database.path.parent.glob(f"{database.path.name}*"))


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[SqliteDatabase, SqliteDatabase]]:
    """One file, opened by a machine with sqlite-vec and by one without."""
    with (
        closing(migrated(tmp_path / "both.db", load_sqlite_vec)) as with_it,
        closing(migrated(tmp_path / "both.db", does_not_load)) as without,
    ):
        yield with_it, without


@given(
    seed=st.integers(0, 2**32 - 1),
    dimension=st.integers(1, 2000),
    sizes=st.lists(st.integers(1, 40), min_size=1, max_size=3),
    coarse=st.booleans(),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_r63_both_ways_measure_the_same_to_the_last_digit(
    both: tuple[SqliteDatabase, SqliteDatabase], seed: int, dimension: int, sizes: list[int], coarse: bool
) -> None:
    # Coarse vectors are often equal, and often at the same distance without being so.
    rng = np.random.default_rng(seed)

    def made(rows: int) -> Vector:
        drawn = rng.integers(-1, 2, (rows, dimension)) if coarse else rng.normal(size=(rows, dimension))
        drawn = drawn * 10.0 ** rng.integers(-9, 9)
        drawn[~drawn.any(axis=1)] = 1.0
        return drawn.astype(np.float32)

    with both[0].transaction() as db:
        for table in ("vectors", "vector_bits", "vector_models"):
            db.execute(text(f"DELETE FROM {table}"))
    given = {person_id: made(size) for person_id, size in enumerate(sizes, 1)}
    for person_id, matrix in given.items():
        keep(both[0], matrix, shelf=shelf_of(person_id, "fact"))

    query = made(1)[0]
    for person_id, matrix in given.items():
        first, second = (near(database, query, shelf=shelf_of(person_id, "fact")) for database in both)
        assert first == second
        assert first == {place: pytest.approx(cosine(row, query), abs=0.05) for place, row in enumerate(matrix)}
        some = rng.permutation(len(matrix))[: len(matrix) // 2].tolist()
        parts = [near(database, query, shelf=shelf_of(person_id, "fact"), places=some) for database in both]
        assert parts[0] == parts[1] == {place: first[place] for place in sorted(some)}
