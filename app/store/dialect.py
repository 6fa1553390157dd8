"""SQL that SQLite and PostgreSQL spell differently, written once."""

from typing import Any

from sqlalchemy import Index, Integer, TextClause, text
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import GenericFunction


def partial_index(name: str | None, *columns: str, where: str | TextClause, unique: bool = False) -> Index:
    """An index of the rows of which `where` holds, on both databases.

    With the clause for one alone the other would index every row: a unique one would then allow one turn a person for
    ever. What SQLite calls IS NOT between two columns is IS DISTINCT FROM.
    """
    clause = text(where) if isinstance(where, str) else where
    portable = text(clause.text.replace("IS NOT last_at", "IS DISTINCT FROM last_at"))
    return Index(name, *columns, unique=unique, sqlite_where=clause, postgresql_where=portable)


class least(GenericFunction[int]):  # noqa: N801  (named as the function of SQL)
    """The smaller of two numbers."""

    type = Integer()
    inherit_cache = True


@compiles(least, "sqlite")
def _least_of_sqlite(element: least, compiler: SQLCompiler, **given: Any) -> str:
    return f"min({compiler.process(element.clauses, **given)})"
