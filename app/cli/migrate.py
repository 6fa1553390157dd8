import click

from app import schema
from app.db import open_database
from app.settings import load_settings


@click.command()
def migrate() -> None:
    """Bring the database up to date; make it when it is not there."""
    database = open_database(load_settings())
    for step in schema.migrate(database):
        click.echo(step)
    click.echo(f"{database.path} is up to date.")
