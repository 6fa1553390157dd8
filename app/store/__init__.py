"""The store: SQLite or PostgreSQL, hidden behind one interface. Reasons: docs/decisions/0039-two-databases.md."""

from app.settings import Settings
from app.store.db import Database


def open_database(settings: Settings) -> Database:
    """The database that the settings name; a missing SQLite file is created, private to its owner.

    Raises:
        DatabaseError: the file cannot be created or written to.
    """
    # Imported here because each module loads a driver, and a process needs only one.
    if settings.is_sqlite:
        from app.store.sqlite import open_file  # noqa: PLC0415

        return open_file(settings)
    from app.store.postgres import PostgresDatabase  # noqa: PLC0415

    return PostgresDatabase(settings.database_url)
