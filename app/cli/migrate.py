import click

from app.settings import load_settings
from app.store import open_database, schema


@click.command()
def migrate() -> None:
    """Bring the database up to date; make it when it is not there."""
    database = open_database(load_settings())
    for step in schema.migrate(database):
        click.echo(step)
    click.echo(f"{database.place} is up to date.")
