"""Rows through the driver itself, inside a session's own transaction."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session
from sqlcipher3 import dbapi2

from app.errors import DatabaseError

Values = Mapping[str, object]


class RawRows:
    """What the index reads and writes by: few statements and many rows, each of which SQLAlchemy would wrap.

    Half of a search among a hundred documents was spent there.
    """

    def __init__(self, db: Session) -> None:
        self._driver: Any = db.connection().connection.dbapi_connection

    def all(self, statement: str, values: Values) -> list[tuple[Any, ...]]:
        """The rows that a statement returns.

        Raises:
            DatabaseError: the database refused it.
        """
        try:
            rows: list[tuple[Any, ...]] = self._driver.execute(statement, values).fetchall()
        except dbapi2.Error as error:
            raise _refused(error) from None
        return rows

    def run(self, statement: str, *values: Values) -> None:
        """Run a statement once for each of the values.

        Raises:
            DatabaseError: the database refused it.
        """
        try:
            self._driver.executemany(statement, values)
        except dbapi2.Error as error:
            raise _refused(error) from None


def _refused(error: dbapi2.Error) -> DatabaseError:
    return DatabaseError(f"The database refused a statement of the index: {error}.")
