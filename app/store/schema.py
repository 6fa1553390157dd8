"""The schema: migrations bring it up to date; a database that is not ours is refused, with advice."""

from pathlib import Path

from sqlalchemy import inspect, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from app.errors import DatabaseError
from app.store.db import Database

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
BASELINE = "0035_turns_memory_on"
"""PostgreSQL starts with this migration's schema, from `migrations/baseline.sql`; later steps run on both databases."""


def migrate(database: Database, *, up_to: str = "head") -> list[str]:
    """Names of the migrations that were pending, once one transaction has run them, or those up to a named one.

    Raises:
        DatabaseError: the database is damaged, encrypted, another program's or a newer Keepsake's; nothing was
            changed.
    """
    try:
        with database.inspecting() as db:
            steps = _steps(database, db)
            found = database.damage(db, at_start=True)
        if found:
            raise _damaged(database.place, found)
        if steps:
            with database.rebuilding() as db:
                _upgrade(database, db, up_to)
    except DBAPIError as error:
        raise unreadable(database.place, error) from None
    return steps


def newest_revision() -> str:
    return (MIGRATIONS / "HEAD").read_text(encoding="utf-8").strip()


def damage(database: Database) -> str | None:
    """Description of corrupt data, or None."""
    try:
        with database.inspecting() as db:
            return database.damage(db)
    except DBAPIError as error:
        return str(error.orig)


def pending(database: Database) -> list[str]:
    """Names of the migrations that have not run yet, in order.

    Raises:
        DatabaseError: the database is another program's, or a newer Keepsake's.
    """
    with database.inspecting() as db:
        return _steps(database, db)


def _steps(database: Database, db: Session) -> list[str]:
    if not database.is_ours(db) and (tables := inspect(db.connection()).get_table_names()):
        raise DatabaseError(
            f"{database.place} belongs to another program: it holds the table {tables[0]} and not Keepsake's mark. "
            "Set DATABASE_URL to a database of Keepsake's own."
        )
    current = _revision(db)
    if current == newest_revision():
        return []
    from alembic.script import ScriptDirectory  # noqa: PLC0415  (10 MB and 0.1 s, and mostly nothing is pending)

    known = [script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()][::-1]
    if current is not None and current not in known:
        raise DatabaseError(
            f"{database.place} was made by a newer Keepsake: it is at {current}, this version knows up to {known[-1]}. "
            "Update Keepsake, or restore a backup made by this version."
        )
    if current is None:
        return known if _is_sqlite(db) else known[known.index(BASELINE) :]
    return known[known.index(current) + 1 :]


def _revision(db: Session) -> str | None:
    if not inspect(db.connection()).has_table("alembic_version"):
        return None
    return db.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _is_sqlite(db: Session) -> bool:
    return db.get_bind().dialect.name == "sqlite"


def _upgrade(database: Database, db: Session, up_to: str) -> None:
    from alembic import command  # noqa: PLC0415  (as above)
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = db.connection()
    if not _is_sqlite(db) and _revision(db) is None:
        baseline = (MIGRATIONS / "baseline.sql").read_text("utf-8")
        db.connection().exec_driver_sql(baseline, execution_options={"no_parameters": True})
        command.stamp(config, BASELINE)
    command.upgrade(config, up_to)
    database.mark_ours(db)


def unreadable(place: object, error: DBAPIError) -> DatabaseError:
    """An error that says why the database cannot be read, and what to do."""
    if "not a database" in str(error.orig):
        return DatabaseError(
            f"{place} is not a database that can be read: DATABASE_KEY is wrong or missing, or the file is another "
            "program's or damaged. Set the right key, or restore a backup; the file was left as it is."
        )
    if "malformed" in str(error.orig):
        return _damaged(place, str(error.orig))
    return DatabaseError(
        f"{place} cannot be used ({error.orig}). Nothing was changed. Make room if the disk is full, and see that this "
        "user may read and write there; then try again."
    )


def _damaged(place: object, found: str) -> DatabaseError:
    return DatabaseError(
        f"{place} is damaged ({found}). Nothing was changed. Move it and its -wal file away, and restore a backup in "
        "its place."
    )
