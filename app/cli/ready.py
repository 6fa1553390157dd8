"""The services that a command has in hand before it begins."""

import click

from app.services import Services
from app.settings import load_settings
from app.wiring import build_services


def ready_services() -> Services:
    """The services of this process's settings, on a database that is at its newest schema; closed with the command.

    Raises:
        SettingsError: a setting is missing or malformed.
        DatabaseError: the database cannot be used.
    """
    services = build_services(load_settings())
    click.get_current_context().call_on_close(services.close)
    return services
