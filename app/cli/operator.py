import click

from app.cli.ready import ready_services
from app.operators import reset_password


@click.group()
def operator() -> None:
    """Whoever logs in to the admin pages."""


@operator.command()
def reset() -> None:
    """Print a new one-time password; the old one and all open logins end."""
    password = reset_password(ready_services())
    click.echo(f"One-time password: {password}")
