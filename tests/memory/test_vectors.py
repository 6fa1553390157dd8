"""The nearest vectors of one person, by sqlite-vec and by numpy: two ways, one contract."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlcipher3 import dbapi2

from app.db import Database
from app.memory import facts, forget, revise, undo, vectors
from app.memory.row_ids import PERSON_SHIFT, fact_of
from app.memory.vectors import Vector, nearest, put, remove
from app.services import Services
from app.vector_extension import load_sqlite_vec, vector_extension
from tests.broken_sqlite_vec import does_not_load, migrated
from tests.memory.remembering import BEN, TOLD, add_person, live, tell

MODEL = "a-model"


@pytest.fixture(params=[load_sqlite_vec, does_not_load], ids=["sqlite-vec", "numpy"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with closing(migrated(tmp_path / "keepsake.db", request.param)) as database:
        with database.reading() as db:
            assert vector_extension(db).works is (request.param is load_sqlite_vec)
        yield database


def vector(*numbers: float) -> Vector:
    return np.array(numbers, np.float32)


def keep(database: Database, person_id: int, *given: Vector, model: str = MODEL, first: int = 1) -> None:
    """The vectors of as many facts, with ids from `first` on."""
    with database.transaction() as db:
        for fact_id, one in enumerate(given, first):
            put(db, person_id, fact_id, model, one)


def found(
    database: Database, person_id: int, query: Vector, limit: int = 5, model: str = MODEL
) -> list[tuple[int, float]]:
    with database.reading() as db:
        return nearest(db, person_id, model, query, limit)


def ids(database: Database, person_id: int, query: Vector, limit: int = 5, model: str = MODEL) -> list[int]:
    return [fact_id for fact_id, _ in found(database, person_id, query, limit, model)]


def test_the_nearest_come_first_each_with_its_cosine(database: Database) -> None:
    keep(database, 1, vector(0, 1), vector(4, 3), vector(-1, 0), vector(1, 0), vector(3, 4))

    assert found(database, 1, vector(1, 0)) == [
        (4, 1.0),
        (2, pytest.approx(0.8)),
        (5, pytest.approx(0.6)),
        (1, pytest.approx(0.0)),
        (3, -1.0),
    ]


def test_lengths_count_for_nothing_however_large_or_small(database: Database) -> None:
    keep(database, 1, vector(3e38, 3e38), vector(1e-44, 0), vector(0, 2))

    assert found(database, 1, vector(0, 1e-45)) == [(3, 1.0), (1, pytest.approx(0.5**0.5)), (2, 0.0)]


def test_no_more_come_than_are_asked_for(database: Database) -> None:
    keep(database, 1, *(vector(1, place) for place in range(40)))

    assert ids(database, 1, vector(1, 0), limit=3) == [1, 2, 3]
    assert ids(database, 1, vector(1, 0), limit=39) == list(range(1, 40))
    assert ids(database, 1, vector(1, 0), limit=10**6) == list(range(1, 41))


@pytest.mark.parametrize("limit", [1, 5, 150])
def test_equals_come_in_the_order_of_their_ids_however_many_there_are(database: Database, limit: int) -> None:
    rng = np.random.default_rng(1)
    same = rng.normal(size=384).astype(np.float32)
    others = rng.normal(size=(60, 384)).astype(np.float32)
    keep(database, 1, *others[:30], *[same] * 200, *others[30:])
    nearly = same + np.float32(0.1) * others[0]

    best = found(database, 1, nearly, limit)
    assert [fact_id for fact_id, _ in best] == list(range(31, 31 + limit))
    assert len({similarity for _, similarity in best}) == 1


def test_what_float32_cannot_tell_apart_is_in_the_right_order_all_the_same(database: Database) -> None:
    # One part in a hundred million a step: much less than a sum of a thousand products is rounded by.
    rng = np.random.default_rng(2)
    query, across = rng.normal(size=(2, 1000))
    across -= query * (across @ query) / (query @ query)
    steps = rng.permutation(400)
    keep(database, 1, *((query + across * (0.01 + step * 1e-6)).astype(np.float32) for step in steps))
    wanted = query.astype(np.float32)

    with database.reading() as db:
        stored = db.execute(text("SELECT id, vector FROM fact_vectors")).all()
    exact = {fact_of(row.id): cosine(np.frombuffer(row.vector, np.float32), wanted) for row in stored}
    assert ids(database, 1, wanted, limit=7) == sorted(exact, key=lambda fact_id: -exact[fact_id])[:7]


def cosine(one: Vector, other: Vector) -> float:
    here, there = one.astype(np.float64), other.astype(np.float64)
    return float(here @ there / np.linalg.norm(here) / np.linalg.norm(there))


@pytest.mark.parametrize("dimension", [1, 2, 7, 384, 1025, 4096])
def test_every_dimension_to_4096_is_searched(database: Database, dimension: int) -> None:
    rng = np.random.default_rng(dimension)
    matrix = rng.normal(size=(3, dimension)).astype(np.float32)
    keep(database, 1, *matrix)

    for fact_id, row in enumerate(matrix, 1):
        best, similarity = found(database, 1, row, limit=1)[0]
        assert similarity == pytest.approx(1.0, abs=1e-6)
        assert best == fact_id or dimension == 1


def test_more_than_a_batch_of_rows_is_searched_whole(database: Database) -> None:
    rng = np.random.default_rng(3)
    matrix = rng.normal(size=(2 * vectors.BATCH_ROWS + 100, 8)).astype(np.float32)
    keep(database, 1, *matrix)

    for place in (0, vectors.BATCH_ROWS - 1, vectors.BATCH_ROWS, len(matrix) - 1):
        assert ids(database, 1, matrix[place], limit=1) == [place + 1]


def test_a_person_without_vectors_has_nothing_near(database: Database) -> None:
    keep(database, 2, vector(1, 0))

    assert found(database, 1, vector(1, 0)) == []
    assert found(database, 3, vector(1, 0, 0)) == []


def test_neighbours_see_nothing_of_each_other_up_to_the_last_id(database: Database) -> None:
    last = (1 << PERSON_SHIFT) - 1
    for person_id in (1, 2, 3):
        for fact_id in (0, 1, last):
            keep(database, person_id, vector(person_id, fact_id + 1), first=fact_id)
    with database.transaction() as db:
        for fact_id in (0, 1, last):
            remove(db, 2, fact_id)

    assert ids(database, 1, vector(1, 1)) == [0, 1, last]
    assert ids(database, 2, vector(1, 1)) == []
    assert ids(database, 3, vector(3, 1)) == [0, 1, last]


def test_another_models_vectors_are_never_compared(database: Database) -> None:
    keep(database, 1, vector(1, 0), vector(0, 1), model="one")
    keep(database, 1, vector(0, 1, 0), vector(1, 0, 0), first=3, model="other")

    assert ids(database, 1, vector(1, 0), model="one") == [1, 2]
    assert ids(database, 1, vector(1, 0, 0), model="other") == [4, 3]
    assert ids(database, 1, vector(1, 0), model="One") == []
    assert ids(database, 1, vector(1, 0), model="' OR 1 --") == []


def test_a_fact_has_one_vector_and_the_newest_counts(database: Database) -> None:
    keep(database, 1, vector(1, 0), model="one")
    keep(database, 1, vector(0, 1), model="other")
    assert ids(database, 1, vector(1, 0), model="one") == []

    keep(database, 1, vector(-1, 0), model="other")
    assert found(database, 1, vector(1, 0), model="other") == [(1, -1.0)]


def test_vectors_are_kept_as_unit_rows_of_little_endian_float32(database: Database) -> None:
    keep(database, 5, vector(3, 4), first=9)

    with database.reading() as db:
        row = db.execute(text("SELECT * FROM fact_vectors")).one()
    assert row.id == 5 << 32 | 9
    assert row.model == MODEL
    assert np.frombuffer(row.vector, "<f4").tolist() == pytest.approx([0.6, 0.8])


UNUSABLE = [
    (vector(0, 0), "zeros"),
    (vector(1, float("nan")), "NaN"),
    (vector(float("inf"), 1), "infinity"),
    (vector(-float("inf"), 1), "infinity"),
    (vector(), r"\(0,\)"),
    (np.ones((2, 2), np.float32), r"\(2, 2\)"),
    (np.ones((1, 2), np.float32), r"\(1, 2\)"),
    (np.ones(4097, np.float32), r"\(4097,\)"),
    (np.array(1, np.float32), r"\(\)"),
    (vector(1, 0, 0), "3 numbers .* have 2"),
    (vector(1), "1 numbers .* have 2"),
]


@pytest.mark.parametrize(("unusable", "says"), UNUSABLE)
def test_a_vector_that_cannot_be_compared_is_refused_in_words(database: Database, unusable: Vector, says: str) -> None:
    keep(database, 1, vector(1, 0))

    with pytest.raises(ValueError, match=says):
        found(database, 1, unusable)
    with pytest.raises(ValueError, match=says):
        keep(database, 1, unusable, first=2)
    assert ids(database, 1, vector(1, 0)) == [1]


def test_what_is_no_query_is_refused_for_a_person_without_vectors_too(database: Database) -> None:
    with pytest.raises(ValueError, match="zeros"):
        found(database, 1, vector(0, 0))


@pytest.mark.parametrize("limit", [0, -1])
def test_a_search_for_nothing_is_refused(database: Database, limit: int) -> None:
    with pytest.raises(ValueError, match=f"{limit} facts"):
        found(database, 1, vector(1, 0), limit)


def embed(services: Services, person_id: int) -> dict[str, Vector]:
    """A vector for each live fact, by its sentence."""
    rng = np.random.default_rng(4)
    made = {fact.sentence: rng.normal(size=64).astype(np.float32) for fact in live(services, person_id)}
    with services.transaction() as db:
        for fact in facts.live(db, person_id):
            put(db, person_id, fact.id, MODEL, made[fact.sentence])
    return made


def near(services: Services, person_id: int, query: Vector) -> set[int]:
    with services.reading() as db:
        return {fact_id for fact_id, _ in nearest(db, person_id, MODEL, query, 50)}


def test_a_fact_that_is_forgotten_or_changed_takes_its_vector_with_it(services: Services, person_id: int) -> None:
    tell(services, person_id, "Lives in Portland", "Likes tea", "Has a cat")
    made = embed(services, person_id)
    before = {fact.sentence: fact.id for fact in live(services, person_id)}

    revise(services, person_id, 1, TOLD, fact="Lives in Seattle")
    assert near(services, person_id, made["Lives in Portland"]) == {before["Likes tea"], before["Has a cat"]}
    forget(services, person_id, [2], TOLD)
    assert near(services, person_id, made["Likes tea"]) == {before["Has a cat"]}
    undo(services, person_id)
    assert near(services, person_id, made["Likes tea"]) == {before["Has a cat"]}, "what comes back has none yet"


def test_a_forgotten_facts_vector_is_overwritten_in_the_file(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea", "Has a cat")
    embed(services, person_id)
    with services.reading() as db:
        gone, kept = db.execute(text("SELECT vector FROM fact_vectors ORDER BY id")).scalars()
    forget(services, person_id, [1], TOLD)

    assert isinstance(services.store, Database)
    with closing(dbapi2.connect(str(services.store.path))) as plain:
        plain.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    held = b"".join(file.read_bytes() for file in services.store.path.parent.glob("keepsake.db*"))
    assert kept in held
    assert gone not in held


class Broken(Exception):
    pass


def test_what_failed_half_way_is_not_near_nor_is_anything_of_others(services: Services, person_id: int) -> None:
    ben = add_person(services, BEN)
    with services.transaction() as db:
        put(db, ben, 1, MODEL, vector(1, 0))

    def break_off() -> None:
        with services.transaction() as db:
            put(db, person_id, 2, MODEL, vector(1, 0))
            assert nearest(db, person_id, MODEL, vector(1, 0), 5) == [(2, 1.0)]
            raise Broken

    with pytest.raises(Broken):
        break_off()
    assert near(services, person_id, vector(1, 0)) == set()
    assert near(services, ben, vector(1, 0)) == {1}


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[Database, Database]]:
    """One file, opened by a machine with sqlite-vec and by one without."""
    with (
        closing(migrated(tmp_path / "both.db", load_sqlite_vec)) as with_it,
        closing(migrated(tmp_path / "both.db", does_not_load)) as without,
    ):
        yield with_it, without


@given(
    seed=st.integers(0, 2**32 - 1),
    dimension=st.integers(1, 48),
    sizes=st.lists(st.integers(0, 30), min_size=2, max_size=6),
    limit=st.integers(1, 25),
    coarse=st.booleans(),
)
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_ways_find_the_same_of_one_person_and_of_one_model(
    both: tuple[Database, Database], seed: int, dimension: int, sizes: list[int], limit: int, coarse: bool
) -> None:
    # Coarse vectors are often equal, and often at the same distance without being so.
    rng = np.random.default_rng(seed)

    def made() -> Vector:
        drawn = rng.integers(-1, 2, dimension) if coarse else rng.normal(size=dimension) * 10.0 ** rng.integers(-9, 9)
        return (drawn if np.any(drawn) else np.ones(dimension)).astype(np.float32)

    given: dict[tuple[int, str], dict[int, Vector]] = {}
    with both[0].transaction() as db:
        db.execute(text("DELETE FROM fact_vectors"))
        for person_id, size in enumerate(sizes, 1):
            for fact_id in rng.permutation(200)[:size]:
                model, one = str(rng.choice(["one", "other"])), made()
                given.setdefault((person_id, model), {})[int(fact_id)] = one
                put(db, person_id, int(fact_id), model, one)

    for person_id in range(len(sizes) + 2):
        for model in ("one", "other"):
            query = made()
            own = given.get((person_id, model), {})
            first, second = (found(database, person_id, query, limit, model) for database in both)
            assert first == second
            assert len(first) == min(limit, len(own))
            assert first == sorted(first, key=lambda one: (-one[1], one[0]))
            true = {fact_id: cosine(one, query) for fact_id, one in own.items()}
            assert [similarity for _, similarity in first] == pytest.approx(
                sorted(true.values(), reverse=True)[:limit], abs=1e-5
            )
            assert [similarity for _, similarity in first] == pytest.approx([true[one] for one, _ in first], abs=1e-5)
