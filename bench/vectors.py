"""How long the search for the nearest vectors of one person takes, by sqlite-vec and by numpy over the same file.

Five of 384 numbers each, exactly, through the product's own tables and functions. The two ways take turns.
`python -m bench.vectors [--searches N]`
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

from app.db import Database
from app.memory.vectors import Vector, nearest, put
from app.schema import migrate
from app.vector_extension import load_sqlite_vec, vector_extension
from bench.load import percentile

PEOPLE_AND_VECTORS = ((1, 1_000), (1, 10_000), (1_000, 100))
DIMENSION = 384
WANTED = 5
WARM_UP = 10
ADDED = 200
MODEL = "all-MiniLM-L6-v2"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--searches", type=int, default=200, help="searches measured for each way and size")
    given = parser.parse_args()
    print(f"{'people':>6} {'vectors each':>12} | {'by':>17} | {'p50':>6} {'p95 ms':>7} | {'add p50 ms':>10}", end="")
    print(f" | {'bytes a vector':>14}")
    for people, vectors in PEOPLE_AND_VECTORS:
        with tempfile.TemporaryDirectory() as folder, _opened(Path(folder) / "keepsake.db") as databases:
            rng = np.random.default_rng(people + vectors)
            size = _fill(databases[0], people, vectors, rng)
            added = _add(databases[0], people + 1, rng)
            for database, took in zip(databases, _measure(databases, people, given.searches, rng), strict=True):
                print(f"{people:>6} {vectors:>12} | {_name(database):>17} | ", end="")
                print(f"{percentile(took, 0.5):>6.2f} {percentile(took, 0.95):>7.2f} | ", end="")
                print(f"{percentile(added, 0.5):>10.3f} | {size:>14,.0f}")


def without(_: Any) -> None:
    raise ImportError("left out, to measure numpy")


@contextmanager
def _opened(path: Path) -> Iterator[list[Database]]:
    with ExitStack() as closing:
        databases = [Database(path, load_vectors=load) for load in (load_sqlite_vec, without)]
        for database in databases:
            closing.callback(database.close)
        migrate(databases[0])
        with databases[0].reading() as db:
            if not vector_extension(db).works:
                sys.exit(f"{vector_extension(db).problem}: there is nothing to compare numpy with.")
        yield databases


def _name(database: Database) -> str:
    with database.reading() as db:
        extension = vector_extension(db)
    return f"sqlite-vec {extension.version}" if extension.works else f"numpy {np.__version__}"


def _made(rng: Generator, rows: int) -> Vector:
    return rng.normal(size=(rows, DIMENSION)).astype(np.float32)


def _fill(database: Database, people: int, vectors: int, rng: Generator) -> float:
    """Vectors in a mixed order of arrival; returns how many bytes each takes in the file."""
    arrivals = rng.permutation(np.repeat(np.arange(1, people + 1), vectors))
    with database.transaction() as db:
        empty = _bytes(db)
        for fact_id, person_id in enumerate(arrivals.tolist(), 1):
            put(db, person_id, fact_id, MODEL, _made(rng, 1)[0])
        return (_bytes(db) - empty) / len(arrivals)


def _bytes(db: Any) -> int:
    connection = db.connection()
    pages, free, size = (
        connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _add(database: Database, person_id: int, rng: Generator) -> list[float]:
    """Milliseconds that one more vector adds to a transaction, sorted."""
    took = []
    with database.transaction() as db:
        for fact_id, vector in enumerate(_made(rng, ADDED), 1):
            began = time.perf_counter()
            put(db, person_id, fact_id, MODEL, vector)
            took.append((time.perf_counter() - began) * 1000)
    return sorted(took)


def _measure(databases: list[Database], people: int, searches: int, rng: Generator) -> list[list[float]]:
    """Milliseconds of each search, sorted, for each database; both are asked the same of the same people."""
    took: list[list[float]] = [[] for _ in databases]
    for place in range(searches + WARM_UP):
        person_id, query = int(rng.integers(1, people + 1)), _made(rng, 1)[0]
        found = []
        for times, database in zip(took, databases, strict=True):
            with database.reading() as db:
                db.connection()
                began = time.perf_counter()
                found.append(nearest(db, person_id, MODEL, query, WANTED))
                if place >= WARM_UP:
                    times.append((time.perf_counter() - began) * 1000)
        if found[0] != found[1]:
            sys.exit(f"The two ways differ: {found}")
    return [sorted(times) for times in took]


if __name__ == "__main__":
    main()
