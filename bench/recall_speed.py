"""Time to find memories by words and meaning together, and their size on the disk.

The texts are 12 made-up words without stop words, with the word frequencies of real texts, and vectors in random
directions, the hardest case for a vector index. A query is six words of one text and a vector near its own; embedding
it is not measured. A first look at a person reads their rows from the file; the later looks of a conversation are what
is compared. In the same run, for comparison, the same vectors are multiplied by numpy in memory and searched in
sqlite-vec's own table `vec0`; both search by meaning alone.
`python -m bench.recall_speed [--memories 100 …] [--people 1000 …] [--searches N]`; after `python -m tests.postgres`
sizes of at most `COPIED` people are measured on PostgreSQL too.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from sqlalchemy import insert, text
from sqlalchemy.orm import Session

from app.memory import index
from app.memory.index import IndexQuery
from app.memory.index.documents import Document, row_id, shelf_of
from app.models import Message, Person
from app.settings import Settings
from app.store import open_database
from app.store.db import Database
from app.store.schema import migrate
from app.store.sqlite import SqliteDatabase
from app.store.vector_extension import load_sqlite_vec
from bench.load import percentile
from tests import postgres

MEMORIES = (100, 1_000, 10_000, 100_000)
PEOPLE = (1_000, 10_000, 100_000)
EACH = 100
DIMENSION = 384
MODEL = "made-up"
WORDS_IN_TEXT = 12
WORDS_IN_QUERY = 6
VOCABULARY = 30_000
COMMON = 30  # Added to a word's rank: the commonest is then in 5 % of texts, as in real ones without stop words.
AT_ONCE = 500
FIRST_DAY = date(2024, 1, 1)
WARM_UP = 10
ADDED = 200
COPIED = 100  # People who are filled text by text; others get copies of their rows.
MOST_IN_VEC0 = 100_000  # Filling it with more takes hours.

# Statements that copy the rows of the first people for others.
_COPY = [
    f"INSERT INTO {table}({', '.join([*moved, *same])}) "
    f"SELECT {', '.join([*moved.values(), *same])} FROM {table} WHERE {which}"
    for table, moved, same, which in (
        (
            "people",
            dict.fromkeys(("id", "address", "key"), "id + :by"),
            ["timezone", "timezone_source", "access", "created_at"],
            "id <= :people",
        ),
        (
            "messages",
            {"person_id": "person_id + :by"},
            ["direction", "carrier", "state", "body", "purpose", "created_at"],
            "id <= :messages",
        ),
        ("shelves", {"id": "id + :shelves"}, ["places", "embedded", "model_id"], "id < :shelf"),
        ("word_documents", {"id": "id + :rows"}, ["documents"], "id < :row"),
        ("word_postings", {"shelf": "shelf + :shelves"}, ["block", "word", "postings"], "shelf < :shelf"),
        ("vectors", {"id": "id + :rows"}, ["model_id", "vector"], "id < :row"),
        ("vector_bits", {"id": "id + :rows"}, ["model_id", "places", "bits"], "id < :row"),
    )
]

_HEADS = (
    "first look",
    "words and meaning",
    "of the processor",
    "without sqlite-vec",
    "numpy in memory",
    "vec0 as it comes",
    "on PostgreSQL",
    "add",
)
_NOT_MEASURED = "–"

Vectors = NDArray[np.float32]
Way = Callable[[int, IndexQuery], Any]


class Made:
    """Random texts and vectors, the same in every run."""

    def __init__(self, seed: int) -> None:
        self.rng: Generator = np.random.default_rng(seed)
        letters = np.array(list("bcdfghklmnprstvz")), np.array(list("aeiou"))
        syllables = ["".join(pair) for pair in np.stack(np.meshgrid(*letters), -1).reshape(-1, 2)]
        names = self.rng.choice(syllables, (VOCABULARY, 3))
        self._vocabulary = [f"{''.join(name)}{rank}" for rank, name in enumerate(names)]
        chance = 1 / (np.arange(VOCABULARY) + 1 + COMMON)
        self._sums = np.cumsum(chance / chance.sum())

    def texts(self, count: int) -> list[str]:
        ranks = np.searchsorted(self._sums, self.rng.random((count, WORDS_IN_TEXT)))
        return [" ".join(self._vocabulary[min(rank, VOCABULARY - 1)] for rank in row) for row in ranks]

    def vectors(self, count: int) -> Vectors:
        made: Vectors = self.rng.normal(size=(count, DIMENSION)).astype(np.float32)
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        return made

    def documents(self, first: int, count: int) -> tuple[list[Document], Vectors]:
        vectors = self.vectors(count)
        return [
            Document(item, said, FIRST_DAY + timedelta(days=item // 40), item % 2 == 0, item // 20 + 1, vector=vector)
            for item, said, vector in zip(range(first, first + count), self.texts(count), vectors, strict=True)
        ], vectors

    def query(self, documents: Sequence[Document], vectors: Vectors) -> IndexQuery:
        which = int(self.rng.integers(len(documents)))
        words = self.rng.permutation(documents[which].text.split())[:WORDS_IN_QUERY]
        return IndexQuery(" ".join(words), vectors[which] + self.vectors(1)[0] * 0.8, MODEL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--memories", type=int, nargs="*", default=MEMORIES, help="of one person")
    parser.add_argument("--people", type=int, nargs="*", default=PEOPLE, help=f"with {EACH} memories each, in one file")
    parser.add_argument("--searches", type=int, default=200, help="measured for each way and size")
    given = parser.parse_args()
    print(f"The machine's load at the start: {os.getloadavg()[0]:.1f}, of {os.cpu_count()} processors")
    print(_row("people", "memories", *_HEADS, "bytes", "filled in"))
    print(_row("", "", "p50 / p95, ms", *[""] * (len(_HEADS) - 1), "each", ""))
    for memories in given.memories:
        _one_size(1, memories, given.searches)
    for people in given.people:
        _one_size(people, EACH, given.searches)


def _one_size(people: int, memories: int, searches: int) -> None:
    made = Made(people + memories)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, _opened(Path(folder)) as databases:
        documents, vectors, size = _fill(databases[0], made, people, memories)
        filled = time.perf_counter() - began
        in_vec0 = _fill_vec0(Path(folder) / "vec0.db", vectors, people, memories)
        on_postgres = _fill_postgres(documents) if postgres.SERVER and people <= COPIED else None
        ways: dict[str, Way] = {
            "words and meaning": lambda person_id, query: _searched(databases[0], person_id, query),
            "without sqlite-vec": lambda person_id, query: _searched(databases[1], person_id, query),
            "numpy in memory": lambda person_id, query: _multiplied(vectors[_template(person_id)], query),
        }
        if in_vec0 is not None:
            ways["vec0 as it comes"] = lambda person_id, query: _in_vec0(in_vec0, person_id, query)
        if on_postgres is not None:
            ways["on PostgreSQL"] = lambda person_id, query: _searched(on_postgres, person_id, query)
        first, worked, *took = _measure([*ways.values()], made, documents, vectors, people, searches)
        measured = {**dict(zip(ways, took, strict=True)), "first look": first, "of the processor": worked}
        measured["add"] = _add(databases[0], made)
        if on_postgres is not None:
            on_postgres.close()
        columns = [
            f"{percentile(measured[head], 0.5):.2f} / {percentile(measured[head], 0.95):.2f}"
            if head in measured
            else _NOT_MEASURED
            for head in _HEADS
        ]
        print(_row(str(people), str(memories), *columns, f"{size:,.0f}", f"{filled:.0f} s"), flush=True)


def _row(*columns: str) -> str:
    widths = [7, 8, *(max(15, len(head)) for head in _HEADS), 6, 9]
    return " | ".join(f"{column:>{width}}" for column, width in zip(columns, widths, strict=True))


def _without(_: Any) -> None:
    raise ImportError("left out, to measure numpy")


@contextmanager
def _opened(folder: Path) -> Iterator[list[SqliteDatabase]]:
    databases = [SqliteDatabase(folder / "keepsake.db", load_vectors=load) for load in (load_sqlite_vec, _without)]
    migrate(databases[0])
    try:
        yield databases
    finally:
        for database in databases:
            database.close()


def _template(person_id: int) -> int:
    return (person_id - 1) % COPIED


def _fill(
    database: SqliteDatabase, made: Made, people: int, memories: int
) -> tuple[list[list[Document]], list[Vectors], float]:
    """The first people's documents and vectors, and the bytes that a memory takes in the file, its text included."""
    with database.transaction() as db:
        empty = _bytes(db)
    own = [made.documents(0, memories) for _ in range(min(people, COPIED))]
    _tell(database, [documents for documents, _ in own])
    for first in range(COPIED, people, COPIED):
        with database.transaction() as db:
            _copy(db, first, min(COPIED, people - first), memories)
    with database.transaction() as db:
        size = (_bytes(db) - empty) / (people * memories)
    return [documents for documents, _ in own], [vectors for _, vectors in own], size


def _tell(database: Database, own: Sequence[Sequence[Document]]) -> None:
    for person_id, documents in enumerate(own, 1):
        for start in range(0, len(documents), AT_ONCE):
            with database.transaction() as db:
                _keep(db, person_id, documents[start : start + AT_ONCE])


def _fill_postgres(own: Sequence[Sequence[Document]]) -> Database:
    """A new database on the tests' PostgreSQL server, filled with the same documents."""
    postgres.run("DROP DATABASE IF EXISTS bench_recall WITH (FORCE)", "CREATE DATABASE bench_recall")
    database = open_database(Settings(database_url=postgres.address_of("bench_recall")))
    migrate(database)
    _tell(database, own)
    return database


def _keep(db: Session, person_id: int, documents: Sequence[Document]) -> None:
    at = datetime(2026, 11, 1, tzinfo=UTC)
    if db.get(Person, person_id) is None:
        person = Person(id=person_id, address=str(person_id), key=str(person_id), timezone="UTC", access="allowed")
        person.created_at = at
        db.add(person)
        db.flush()
    rows = [
        {"person_id": person_id, "direction": "in", "carrier": "phone", "state": "answered", "body": one.text}
        for one in documents
    ]
    db.execute(insert(Message), [{**row, "created_at": at} for row in rows])
    index.add(db, person_id, "message", documents, MODEL)


def _copy(db: Session, by: int, people: int, memories: int) -> None:
    """Copy the rows of the first people for as many others."""
    values = {
        "by": by,
        "shelves": shelf_of(by, "message"),
        "rows": row_id(shelf_of(by, "message"), 0),
        "people": people,
        "messages": people * memories,
        "shelf": shelf_of(people + 1, "message"),
        "row": row_id(shelf_of(people + 1, "message"), 0),
    }
    for statement in _COPY:
        db.execute(text(statement), values)


def _bytes(db: Session) -> int:
    rows = db.connection()
    pages, free, size = (
        rows.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _fill_vec0(path: Path, vectors: Sequence[Vectors], people: int, memories: int) -> Any:
    if people * memories > MOST_IN_VEC0:
        return None
    from sqlcipher3 import dbapi2  # noqa: PLC0415

    connection = dbapi2.connect(str(path), isolation_level=None)
    connection.enable_load_extension(True)
    load_sqlite_vec(connection)
    connection.execute(f"CREATE VIRTUAL TABLE near USING vec0(person INTEGER PARTITION KEY, v FLOAT[{DIMENSION}])")
    connection.execute("BEGIN")
    for person_id in range(1, people + 1):
        rows = [(person_id, row.tobytes()) for row in vectors[_template(person_id)]]
        connection.executemany("INSERT INTO near(person, v) VALUES (?, ?)", rows)
    connection.execute("COMMIT")
    return connection


def _searched(database: Database, person_id: int, query: IndexQuery) -> Any:
    with database.reading() as db:
        return index.search(db, person_id, "message", query)


def _multiplied(vectors: Vectors, query: IndexQuery) -> Any:
    assert query.vector is not None
    cosines = vectors @ query.vector
    return np.argpartition(-cosines, index.POOL)[: index.POOL] if len(cosines) > index.POOL else cosines


def _in_vec0(connection: Any, person_id: int, query: IndexQuery) -> Any:
    assert query.vector is not None
    statement = "SELECT rowid, distance FROM near WHERE person = ? AND v MATCH ? AND k = ?"
    return connection.execute(statement, (person_id, query.vector.tobytes(), index.POOL)).fetchall()


def _measure(
    ways: Sequence[Way],
    made: Made,
    documents: Sequence[Sequence[Document]],
    vectors: Sequence[Vectors],
    people: int,
    searches: int,
) -> list[list[float]]:
    """Sorted milliseconds of each search, by way; all ways answer the same queries about the same people, in turn.

    Two lists come first: the first look by the first way, and the processor time of its later searches, which tells
    more if the machine has other work. That time is of one thread; numpy's own threads are left out, since they spin
    for a while after each product.
    """
    took: list[list[float]] = [[] for _ in ways]
    first: list[float] = []
    worked: list[float] = []
    for number in range(searches + WARM_UP):
        person_id = int(made.rng.integers(1, people + 1))
        query = made.query(documents[_template(person_id)], vectors[_template(person_id)])
        began = time.perf_counter()
        ways[0](person_id, query)
        if number >= WARM_UP:
            first.append((time.perf_counter() - began) * 1000)
        for way, times in zip(ways, took, strict=True):
            began, worked_before = time.perf_counter(), time.thread_time()
            way(person_id, query)
            if number >= WARM_UP:
                times.append((time.perf_counter() - began) * 1000)
                if way is ways[0]:
                    worked.append((time.thread_time() - worked_before) * 1000)
    return [sorted(times) for times in (first, worked, *took)]


def _add(database: SqliteDatabase, made: Made) -> list[float]:
    """Sorted milliseconds that one more memory adds to a transaction of the first person."""
    took = []
    documents, _ = made.documents(10_000_000, ADDED)
    for document in documents:
        with database.transaction() as db:
            db.execute(text("SELECT 1"))
            began = time.perf_counter()
            index.add(db, 1, "message", [document], MODEL)
            took.append((time.perf_counter() - began) * 1000)
    return sorted(took)


if __name__ == "__main__":
    main()
