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
"""A 64-bit integer. All SQLite integers are, and only a key declared INTEGER is the rowid there."""
ByBytes = String().with_variant(String(collation="C"), "postgresql")
"""Text sorted by its bytes, as SQLite sorts all text: an index in any other order cannot serve prefix searches."""


@dataclass(frozen=True)
class DialectSql:
    """A statement for the driver itself, with `:name` for its values; `of` returns it for one database."""

    sqlite: str
    postgresql: str | None = None  # None if both databases spell it alike.

    def of(self, dialect: str) -> str:
        return self.sqlite if dialect == "sqlite" or self.postgresql is None else self.postgresql


def error_summary(error: BaseException) -> str:
    """Code and first line of a database's error; further lines are dropped, since PostgreSQL quotes rows there."""
    code = getattr(error, "sqlstate", None)
    first = str(error).strip().partition("\n")[0]
    return f"{code}: {first}" if code else first


def insert_into(db: Session, table: type[DeclarativeBase]) -> Any:
    """An INSERT into the table that accepts an ON CONFLICT clause."""
    return (sqlite if db.get_bind().dialect.name == "sqlite" else postgresql).insert(table)


def insert_or_ignore(db: Session, table: type[DeclarativeBase], *unique: str) -> Any:
    """An INSERT into the table that skips a row whose unique columns exist already."""
    return insert_into(db, table).on_conflict_do_nothing(index_elements=unique)


def appending(table: str, column: str, *key: str) -> DialectSql:
    """A statement that appends bytes to a row's column, or creates the row."""
    columns = (*key, column)
    insert = (  # Built from our own names alone.
        f"INSERT INTO {table}({', '.join(columns)}) VALUES ({', '.join(f':{one}' for one in columns)}) "  # noqa: S608
        f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {column} = "
    )
    both = f"{table}.{column} || excluded.{column}"
    return DialectSql(f"{insert}CAST({both} AS BLOB)", insert + both)


def partial_index(name: str | None, *columns: str | TextClause, where: str | TextClause, unique: bool = False) -> Index:
    """An index of the rows that satisfy `where`, on both databases.

    SQLite uses it only if the query repeats the condition, so tables keep a condition shared with queries as a
    constant. There the table's name stands before each column, for joins; an index may not contain it.
    """
    clause = text(re.sub(r"\b[a-z_]+\.", "", str(where)))
    return Index(name, *columns, unique=unique, sqlite_where=clause, postgresql_where=clause)


class RawRows:
    """Driver access for the memory index: few statements, many rows, and no SQLAlchemy object for each row.

    SQLAlchemy took half of the time of a search among a hundred documents. A list value becomes an array on
    PostgreSQL and JSON on SQLite.
    """

    def __init__(self, db: Session) -> None:
        connection = db.connection()
        self._driver: Any = connection.connection.dbapi_connection
        self._dialect = connection.dialect.name
        self._error: type[Exception] = connection.dialect.loaded_dbapi.Error
        # In its text format PostgreSQL sends bytes as hexadecimal, twice the size.
        self._form = {} if self._dialect == "sqlite" else {"binary": True}

    def all(self, statement: str | DialectSql, values: Values) -> list[tuple[Any, ...]]:
        """Rows that a statement returns.

        Raises:
            DatabaseError: the database refused it.
        """
        try:
            rows: list[tuple[Any, ...]] = self._driver.execute(
                _for_dialect(statement, self._dialect), self._given(values), **self._form
            ).fetchall()
        except self._error as error:
            raise _refused(error) from None
        return rows

    def run(self, statement: str | DialectSql, *values: Values) -> None:
        """Run a statement once for each mapping of values.

        Raises:
            DatabaseError: the database refused it.
        """
        cursor = self._driver.cursor()
        try:
            cursor.executemany(_for_dialect(statement, self._dialect), [self._given(one) for one in values])
        except self._error as error:
            raise _refused(error) from None
        finally:
            cursor.close()

    def _given(self, values: Values) -> Values:
        if self._dialect != "sqlite":
            return values
        return {name: json.dumps(value) if isinstance(value, list) else value for name, value in values.items()}


@lru_cache(maxsize=256)
def _for_dialect(statement: str | DialectSql, dialect: str) -> str:
    words = statement.of(dialect) if isinstance(statement, DialectSql) else statement
    return words if dialect == "sqlite" else _NAMED.sub(r"%(\1)s", words)


def _refused(error: Exception) -> DatabaseError:
    return DatabaseError(f"The database refused a statement of the index: {error_summary(error)}.")
