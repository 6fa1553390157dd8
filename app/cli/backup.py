from contextlib import closing
from pathlib import Path

import click

from app.cli.noted import noted
from app.cli.ready import ready_services
from app.errors import Refused
from app.operations import backups
from app.settings import load_settings
from app.store.sqlite import open_file


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def backup(file: Path) -> None:
    """Copy the database into FILE, also while Keepsake runs.

    FILE is new: no backup is written over another.

    It holds all people, texts, memory, routines and the operators' logins. It does not hold the settings, DATABASE_KEY,
    without which a backup of an encrypted database cannot be read, nor the key in instance/ that signs logins.
    """
    settings = load_settings()
    backups.check_is_sqlite(settings)
    if not backups.is_there(settings.database_path):
        raise Refused(f"There is no database at {settings.database_path} to copy. Run this where Keepsake runs.")
    services = ready_services()
    noted(services, None)
    with closing(open_file(settings)) as database:
        size = backups.back_up(database, file, services.clock.now())
    click.echo(f"{file}: {size:,} bytes, looked through and found whole.")
