"""The store: SQLite or PostgreSQL, and nobody above knows which. Reasons: docs/decisions/0039-two-databases.md."""

from app.settings import Settings
from app.store.db import Database


def open_database(settings: Settings) -> Database:
    """The database of these settings; a file is made, private to its owner, when it is missing.

    Raises:
        DatabaseError: there cannot be a file, or it cannot be written to.
    """
    # Imported here: each brings a driver, and a process needs one of them.
    if settings.is_sqlite:
        from app.store.sqlite import open_file  # noqa: PLC0415

        return open_file(settings)
    from app.store.postgres import PostgresDatabase  # noqa: PLC0415

    return PostgresDatabase(settings.database_url)
