"""What both databases are to be told alike."""

import app.models  # noqa: F401  (so that all tables are known)
from app.store.db import Base


def test_an_index_of_some_rows_is_one_of_the_same_rows_on_both() -> None:
    indexes = [index.dialect_options for table in Base.metadata.sorted_tables for index in table.indexes]
    where = [(str(one["postgresql"]["where"]), str(one["sqlite"]["where"])) for one in indexes]
    assert [pair for pair in where if pair[0] != pair[1]] == []
    assert {postgresql for postgresql, _ in where} > {"None"}, "there are such"
