"""sqlite-vec is tried out before it is relied on."""

from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from app.memory import index
from app.memory.index import IndexQuery
from app.memory.index.documents import Document
from app.operations.checks.database import check_open
from app.settings import Settings
from app.store.vector_extension import LoadExtension, load_sqlite_vec, vector_extension
from tests.stores import does_not_load, migrated


def is_not_installed(connection: Any) -> None:
    raise ModuleNotFoundError("No module named 'sqlite_vec'")


def is_old(measures: Callable[[bytes, bytes], object] | None) -> LoadExtension:
    def load(connection: Any) -> None:
        connection.create_function("vec_version", 0, lambda: "v0.0.1")
        if measures is not None:
            connection.create_function("vec_distance_cosine", 2, measures)

    return load


@pytest.mark.parametrize(
    ("load", "says"),
    [
        (does_not_load, "sqlite-vec did not load (not a library)"),
        (is_not_installed, "sqlite-vec did not load (No module named 'sqlite_vec')"),
        (is_old(None), "sqlite-vec v0.0.1 does not measure cosines (no such function: vec_distance_cosine)"),
        (
            is_old(lambda one, _: len(one) // 0),
            "sqlite-vec v0.0.1 does not measure cosines (user-defined function raised exception)",
        ),
        (is_old(lambda *_: 0.5), "sqlite-vec v0.0.1 measures 0.5 where 0.166667 is right"),
        (is_old(lambda *_: None), "sqlite-vec v0.0.1 measures None where 0.166667 is right"),
    ],
)
def test_r63_without_sqlite_vec_numpy_searches_and_the_operator_is_told(
    tmp_path: Path, load: LoadExtension, says: str
) -> None:
    with closing(migrated(tmp_path / "keepsake.db", load)) as database:
        settings = Settings(database_url=f"sqlite:///{database.path}")
        told = next(one for one in check_open(settings, database, reads_all=False) if one.check == "vectors")
        assert told.level == "warn"
        assert told.says.startswith(f"{says}, so numpy searches by vectors")
        east, north = np.eye(2, dtype=np.float32)
        today = date(2026, 11, 21)
        with database.transaction() as db:
            index.add(db, 1, "fact", [Document(7, "", today, vector=north), Document(8, "", today, vector=east)], "m")
        with database.reading() as db:
            assert vector_extension(db).problem == says
            found = index.search(db, 1, "fact", IndexQuery(vector=east, model="m"))
        assert found.items.tolist() == [7, 8]
        assert found.cosine.tolist() == [0.0, 1.0]


def test_no_connection_is_left_able_to_load_other_extensions(tmp_path: Path) -> None:
    for load in (load_sqlite_vec, does_not_load):
        with (
            closing(migrated(tmp_path / "keepsake.db", load)) as database,
            database.reading() as db,
            pytest.raises(OperationalError, match="not authorized"),
        ):
            db.execute(text("SELECT load_extension('anything')"))
