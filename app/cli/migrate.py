import click

from app.settings import load_settings
from app.store import schema
from app.store.db import open_database


@click.command()
def migrate() -> None:
    """Bring the database up to date; make it when it is not there."""
    database = open_database(load_settings())
    for step in schema.migrate(database):
        click.echo(step)
    click.echo(f"{database.path} is up to date.")
