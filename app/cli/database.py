"""Commands on the whole database: migrate, backup, restore, reembed."""

import sys
from contextlib import closing
from pathlib import Path

import click

from app.cli.call import Call
from app.delivery import restored
from app.errors import DatabaseError, Refused
from app.memory.index.backlog import check_works, embed_some, index_some, left
from app.operations import audit, backups
from app.operations.replay import bring_hours, replay
from app.settings import load_settings
from app.store import open_database, schema
from app.store.sqlite import SqliteDatabase, open_file
from app.wiring import build_services


@click.command()
def migrate() -> None:
    """Bring the database up to date, or create it."""
    database = open_database(load_settings())
    for step in schema.migrate(database):
        click.echo(step)
    click.echo(f"{database.place} is up to date.")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def backup(file: Path) -> None:
    """Copy the database into FILE, even while Keepsake runs.

    FILE is new: no backup is written over another.

    It holds all people, texts, memory, routines and the operators' logins. It does not hold the settings, DATABASE_KEY,
    without which a backup of an encrypted database cannot be read, nor the key in instance/ that signs logins.
    """
    settings = load_settings()
    backups.check_is_sqlite(settings)
    if not backups.database_exists(settings.database_path):
        raise Refused(f"There is no database at {settings.database_path} to copy. Run this where Keepsake runs.")
    call = Call()
    call.note(None)
    with closing(open_file(settings)) as database:
        size = backups.back_up(database, file, call.services.clock.now())
    click.echo(f"{file}: {size:,} bytes, looked through and found whole.")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Replace the present database, which is kept aside.")
def restore(file: Path, *, replace: bool) -> None:
    """Restore the backup FILE while Keepsake is stopped.

    It is migrated to this version's schema.

    People who have opted out since stay opted out, and memories forgotten since stay forgotten, as far as the present
    database tells. Work that was under way in the backup is held for you to look at, and not done a second time.
    """
    backups.check_is_file(file)
    settings = load_settings()
    backups.check_is_sqlite(settings)
    was_there = backups.database_exists(settings.database_path)
    present = open_file(settings)
    click.get_current_context().call_on_close(present.close)
    present.use.take_alone()
    if was_there and not replace:
        raise Refused(f"{settings.database_path} is there already. To put the backup in its place, add --replace.")
    if was_there:
        _check_readable(present)
    with backups.unpack(file, present) as copy:
        copied = settings.model_copy(update={"database_url": f"sqlite:///{copy.path}"})
        with closing(build_services(copied)) as services:
            now = services.clock.now()
            with services.transaction() as db:
                audit.note(db, audit.TERMINAL, "restore", now)
            until = restored.last_in_use_at(present, now) if was_there else now
            if was_there:
                bring_hours(services, present, until)
            held = restored.hold_back(services, until, present if was_there else None)
            learned = replay(services, present) if was_there else None
        kept = backups.replace_database(copy, present, services.clock.now())
    click.echo(f"{settings.database_path} is restored.")
    if learned is None:
        click.echo("No database was there to tell who has opted out, or what was forgotten, since the backup.")
    else:
        said = f"{learned.refused} had consented, opted out or been blocked,"
        click.echo(f"Since the backup, {said} and {learned.forgot} had something forgotten: both hold.")
        if learned.brought:
            click.echo(f"{learned.brought} texts since then wait for their answer, and get it once Keepsake runs.")
    if held:
        click.echo(held)
    if kept is not None:
        click.echo(f"The database that was there is kept as {kept}. Remove it once all is well.")
    click.echo("Operators log in as they did then: see `keepsake operator list`.")


def _check_readable(present: SqliteDatabase) -> None:
    try:
        schema.migrate(present)
    except DatabaseError as error:
        raise Refused(
            f"{error} What was forgotten and who opted out since the backup stands in this file alone. If it cannot be "
            "mended, move it away and restore without --replace; then both come back as they were."
        ) from None


@click.command()
def reembed() -> None:
    """Embed all memory anew with the embedder of the settings.

    A running server does the same in the background at half the speed. You may stop it at any time and go on later;
    meanwhile memory is searched by words and by the vectors made so far.
    """
    services = Call().services
    embedder = services.embedder
    if embedder is None:
        raise Refused(
            "There is no embedder, so memory is searched by words alone. `keepsake doctor` says how to get one."
        )
    check_works(services, embedder)
    while index_some(services):
        pass
    with services.reading() as db:
        waiting = left(db, embedder)
    seen = 0
    is_hidden = not sys.stderr.isatty()
    with click.progressbar(length=waiting, label=embedder.name, file=sys.stderr, hidden=is_hidden) as shown:
        while some := embed_some(services):
            seen += some
            shown.update(some)
    news = f": {seen:,} texts now" if seen else ", and there was nothing new"
    click.echo(f"{embedder.name} has seen all of memory{news}.")
