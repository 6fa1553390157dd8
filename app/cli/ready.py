"""What a command has in hand before it begins."""

from app.services import Services
from app.settings import load_settings
from app.wiring import build_services


def ready_services() -> Services:
    """The services of this process's settings, on a database that is at its newest schema.

    Raises:
        SettingsError: a setting is missing or malformed.
        DatabaseError: the database cannot be used.
    """
    return build_services(load_settings())
