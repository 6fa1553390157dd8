"""Databases of machines whose sqlite-vec is missing, broken, or of a version that is not what it should be."""

from pathlib import Path
from typing import Any

from sqlcipher3 import dbapi2

from app.store.schema import migrate
from app.store.sqlite import SqliteDatabase
from app.store.vector_extension import LoadExtension


def migrated(path: Path, load: LoadExtension) -> SqliteDatabase:
    database = SqliteDatabase(path, load_vectors=load)
    migrate(database)
    return database


def does_not_load(connection: Any) -> None:
    raise dbapi2.OperationalError("not a library")


def is_too_old(connection: Any) -> None:
    connection.create_function("vec_version", 0, lambda: "v0.0.1")


def fails(connection: Any) -> None:
    is_too_old(connection)
    connection.create_function("vec_distance_cosine", 2, lambda one, other: len(one) // 0)


def measures_something_else(connection: Any) -> None:
    is_too_old(connection)
    connection.create_function("vec_distance_cosine", 2, lambda one, other: 0.5)


def measures_nothing(connection: Any) -> None:
    is_too_old(connection)
    connection.create_function("vec_distance_cosine", 2, lambda one, other: None)


def is_not_installed(connection: Any) -> None:
    raise ModuleNotFoundError("No module named 'sqlite_vec'")
