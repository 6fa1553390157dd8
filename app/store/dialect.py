"""SQL that SQLite and PostgreSQL spell differently, written once."""

import re
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, Index, Integer, String, TextClause, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import GenericFunction

Long = BigInteger().with_variant(Integer, "sqlite")
"""A number of 64 bits; in SQLite each is, and only what is called INTEGER is the row's own id."""
ByBytes = String().with_variant(String(collation="C"), "postgresql")
"""Text in the order of its bytes, as SQLite has all text: another order has no use for searches by a beginning."""


@dataclass(frozen=True)
class Spelt:
    """A statement for the driver itself, with `:name` for its values; `of` tells how a database spells it."""

    sqlite: str
    postgresql: str | None = None
    """None where both spell it alike."""

    def of(self, dialect: str) -> str:
        return self.sqlite if dialect == "sqlite" or self.postgresql is None else self.postgresql


def said(error: BaseException) -> str:
    """What a database said, by its code and in its first line: the next lines of PostgreSQL quote rows."""
    code = getattr(error, "sqlstate", None)
    first = str(error).strip().partition("\n")[0]
    return f"{code}: {first}" if code else first


def insert_or_ignore(db: Session, table: type[DeclarativeBase], *unique: str) -> Any:
    """An INSERT into the table that leaves out a row whose unique columns are there already."""
    of_dialect = sqlite if db.get_bind().dialect.name == "sqlite" else postgresql
    return of_dialect.insert(table).on_conflict_do_nothing(index_elements=unique)


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


class least(GenericFunction[int]):  # noqa: N801  (named as the function of SQL)
    """The smaller of two numbers."""

    type = Integer()
    inherit_cache = True


@compiles(least, "sqlite")
def _least_of_sqlite(element: least, compiler: SQLCompiler, **given: Any) -> str:
    return f"min({compiler.process(element.clauses, **given)})"
