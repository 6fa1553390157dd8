"""What both databases are to be told alike."""

import pytest
from sqlalchemy import Index

import app.models  # noqa: F401  (so that all tables are known)
from app.store.db import Base

INDEXES = sorted(
    (index for table in Base.metadata.sorted_tables for index in table.indexes), key=lambda one: str(one.name)
)


def where(index: Index, dialect: str) -> str:
    clause = index.dialect_options[dialect]["where"]
    return "" if clause is None else str(clause)


@pytest.mark.parametrize("index", INDEXES, ids=lambda index: str(index.name))
def test_an_index_of_some_rows_is_one_of_the_same_rows_on_both(index: Index) -> None:
    assert where(index, "postgresql") == where(index, "sqlite")


def test_there_are_such_indexes() -> None:
    assert len([index for index in INDEXES if where(index, "postgresql")]) >= 37
