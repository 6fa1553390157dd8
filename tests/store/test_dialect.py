"""What both databases are to be told alike."""

import pytest
from sqlalchemy import Index, column, create_mock_engine, literal, select
from sqlalchemy.dialects import postgresql, sqlite

import app.models  # noqa: F401  (so that all tables are known)
from app.store.db import Base
from app.store.dialect import least

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


def test_the_smaller_of_two_numbers_is_asked_for_by_each_ones_name() -> None:
    smaller = select(least(column("length"), literal(4)))

    assert "min(length, " in str(smaller.compile(dialect=sqlite.dialect()))
    assert "least(length, " in str(smaller.compile(dialect=postgresql.dialect()))  # type: ignore[no-untyped-call]


def test_the_schema_can_be_said_to_postgresql() -> None:
    said: list[str] = []
    engine = create_mock_engine("postgresql+psycopg://", lambda statement, *_: said.append(str(statement)))

    Base.metadata.create_all(engine, checkfirst=False)

    assert len(said) > len(INDEXES)
