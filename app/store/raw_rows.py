"""Rows through the driver itself, inside a session's own transaction."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from sqlalchemy.orm import Session

from app.errors import DatabaseError
from app.store.dialect import Spelt, said

Values = Mapping[str, object]

_NAMED = re.compile(r"(?<!:):([a-z]\w*)")


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

    def all(self, statement: str | Spelt, values: Values) -> list[tuple[Any, ...]]:
        """The rows that a statement returns.

        Raises:
            DatabaseError: the database refused it.
        """
        try:
            rows: list[tuple[Any, ...]] = self._driver.execute(
                _of(statement, self._dialect), self._given(values)
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
