"""The only file that chooses an implementation."""

from app.background.local import LocalBackground
from app.clients.phone import PhoneCarrier
from app.clients.terminal import TerminalCarrier
from app.clock import SystemClock
from app.db import open_database
from app.schema import migrate
from app.services import Carrier, Clock, Model, Services
from app.settings import Settings


def build_services(settings: Settings) -> Services:
    """Everything from outside that these settings ask for; the database is made and brought up to date.

    Raises:
        DatabaseError: the database is not ours, newer, or damaged.
    """
    clock = SystemClock()
    database = open_database(settings)
    migrate(database)
    return Services(
        settings=settings,
        store=database,
        clock=clock,
        model=_model(settings, clock),
        carriers={carrier.name: carrier for carrier in _carriers(settings)},
        background=LocalBackground(
            clock,
            workers=settings.workers,
            quiet_seconds=settings.burst_quiet_seconds,
            max_seconds=settings.burst_max_seconds,
        ),
    )


def _model(settings: Settings, clock: Clock) -> Model:
    # Imported here: either client takes most of a second to load, and a process needs one of them.
    if settings.anthropic_api_key is None:
        from app.clients.offline import OfflineModel  # noqa: PLC0415

        return OfflineModel(clock)
    from app.clients.claude import ClaudeModel  # noqa: PLC0415

    return ClaudeModel(
        api_key=settings.anthropic_api_key.get_secret_value(),
        model=settings.claude_model,
        base_url=settings.anthropic_base_url,
        clock=clock,
    )


def _carriers(settings: Settings) -> list[Carrier]:
    carriers: list[Carrier] = [PhoneCarrier(), TerminalCarrier()]
    if settings.has_twilio:
        from app.clients.twilio import TwilioCarrier  # noqa: PLC0415

        carriers.append(TwilioCarrier(settings))
    return carriers
