"""SQL that SQLite and PostgreSQL spell differently, written once."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import BigInteger, Index, Integer, String, TextClause, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import DeclarativeBase, Session

from app.errors import DatabaseError

Values = Mapping[str, object]

_NAMED = re.compile(r"(?<!:):([a-z]\w*)")

Long = BigInteger().with_variant(Integer, "sqlite")
"""A number of 64 bits; in SQLite each is, and only what is called INTEGER is the row's own id."""
ByBytes = String().with_variant(String(collation="C"), "postgresql")
"""Text in the order of its bytes, as SQLite has all text: another order has no use for searches by a beginning."""


@dataclass(frozen=True)
class Spelt:
    """A statement for the driver itself, with `:name` for its values; `of` tells how a database spells it."""

    sqlite: str
    postgresql: str | None = None  # None where both spell it alike.

    def of(self, dialect: str) -> str:
        return self.sqlite if dialect == "sqlite" or self.postgresql is None else self.postgresql


def said(error: BaseException) -> str:
    """What a database said, by its code and in its first line: the next lines of PostgreSQL quote rows."""
    code = getattr(error, "sqlstate", None)
    first = str(error).strip().partition("\n")[0]
    return f"{code}: {first}" if code else first


def insert_into(db: Session, table: type[DeclarativeBase]) -> Any:
    """An INSERT into the table that may say what becomes of a row that is there already."""
    return (sqlite if db.get_bind().dialect.name == "sqlite" else postgresql).insert(table)


def insert_or_ignore(db: Session, table: type[DeclarativeBase], *unique: str) -> Any:
    """An INSERT into the table that leaves out a row whose unique columns are there already."""
    return insert_into(db, table).on_conflict_do_nothing(index_elements=unique)


def appending(table: str, column: str, *key: str) -> Spelt:
    """The statement that puts bytes behind those that a row holds, or makes the row."""
    columns = (*key, column)
    insert = (  # Names of ours alone.
        f"INSERT INTO {table}({', '.join(columns)}) VALUES ({', '.join(f':{one}' for one in columns)}) "  # noqa: S608
        f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {column} = "
    )
    both = f"{table}.{column} || excluded.{column}"
    return Spelt(f"{insert}CAST({both} AS BLOB)", insert + both)


def partial_index(name: str | None, *columns: str, where: str | TextClause, unique: bool = False) -> Index:
    """An index of the rows of which `where` holds, on both databases.

    SQLite uses it only where the query itself says the condition: a table keeps one that queries say as a constant,
    with its own name before each column for the sake of joins. An index may not say that name.
    """
    clause = text(re.sub(r"\b[a-z_]+\.", "", str(where)))
    return Index(name, *columns, unique=unique, sqlite_where=clause, postgresql_where=clause)


class RawRows:
    """What the index reads and writes by: few statements and many rows, each of which SQLAlchemy would wrap.

    Half of a search among a hundred documents was spent there. A list among the values is an array on PostgreSQL, and
    JSON on SQLite.
    """

    def __init__(self, db: Session) -> None:
        connection = db.connection()
        self._driver: Any = connection.connection.dbapi_connection
        self._dialect = connection.dialect.name
        self._error: type[Exception] = connection.dialect.loaded_dbapi.Error
        # PostgreSQL else sends bytes in hexadecimal, twice as many.
        self._form = {} if self._dialect == "sqlite" else {"binary": True}

    def all(self, statement: str | Spelt, values: Values) -> list[tuple[Any, ...]]:
        """The rows that a statement returns.

        Raises:
            DatabaseError: the database refused it.
        """
        try:
            rows: list[tuple[Any, ...]] = self._driver.execute(
                _of(statement, self._dialect), self._given(values), **self._form
            ).fetchall()
        except self._error as error:
            raise _refused(error) from None
        return rows

    def run(self, statement: str | Spelt, *values: Values) -> None:
        """Run a statement once for each of the values.

        Raises:
            DatabaseError: the database refused it.
        """
        cursor = self._driver.cursor()
        try:
            cursor.executemany(_of(statement, self._dialect), [self._given(one) for one in values])
        except self._error as error:
            raise _refused(error) from None
        finally:
            cursor.close()

    def _given(self, values: Values) -> Values:
        if self._dialect != "sqlite":
            return values
        return {name: json.dumps(value) if isinstance(value, list) else value for name, value in values.items()}


@lru_cache(maxsize=256)
def _of(statement: str | Spelt, dialect: str) -> str:
    words = statement.of(dialect) if isinstance(statement, Spelt) else statement
    return words if dialect == "sqlite" else _NAMED.sub(r"%(\1)s", words)


def _refused(error: Exception) -> DatabaseError:
    return DatabaseError(f"The database refused a statement of the index: {said(error)}.")
