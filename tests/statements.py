"""Records the statements that a block of code sends to the database, and shows SQLite's plans for them."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from sqlalchemy import event

from app.store.db import Database


class Statement(NamedTuple):
    """A statement that was sent to the database."""

    sql: str
    values: Any


@contextmanager
def asked(database: Database) -> Iterator[list[Statement]]:
    """The statements of the block as they are sent, without BEGIN."""
    statements: list[Statement] = []

    def keep(_connection: object, _cursor: object, sql: str, values: Any, *_: object) -> None:
        if sql != "BEGIN":
            statements.append(Statement(sql, values))

    event.listen(database.engine, "before_cursor_execute", keep)
    try:
        yield statements
    finally:
        event.remove(database.engine, "before_cursor_execute", keep)


def tables(statements: Iterable[Statement]) -> set[str]:
    """Tables that the statements read."""
    return {name for statement in statements for name in re.findall(r"FROM (\w+)", statement.sql)}


def plan(database: Database, statement: Statement) -> list[str]:
    """The steps of SQLite's plan: `SEARCH facts USING INDEX …`, `SCAN people`."""
    with database.reading() as db:
        driver: Any = db.connection().connection.dbapi_connection
        return [step[3] for step in driver.execute(f"EXPLAIN QUERY PLAN {statement.sql}", statement.values)]
