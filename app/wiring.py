"""The only file that chooses an implementation."""

import hashlib
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from app.background.local import LocalBackground
from app.clock import SystemClock
from app.delivery.account import CarrierAccount
from app.errors import Refused
from app.features import FEATURES
from app.services import Carrier, Embedder, Ledger, OutgoingText, Services
from app.services.feature import first_result
from app.services.model import Model, Summariser
from app.settings import Settings
from app.store import open_database
from app.store.locks import Process
from app.store.schema import migrate

if TYPE_CHECKING:
    from app.clients.claude_live import LiveClaude

HOOK_NAMES = ("before_prompt", "on_tool_result", "after_reply")
"""Functions by which a module of an installation joins a turn: docs/hooks.md."""


class Shown:
    """A carrier that sends nothing: the phone page shows the row itself, the terminal prints it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def send(self, text: OutgoingText) -> str:
        """An id like a carrier's; the same text always gets the same one."""
        return self.name[:2].upper() + hashlib.sha256(text.key.encode()).hexdigest()[:32]


def build_services(settings: Settings) -> Services:
    """All services that these settings ask for; the database is created and brought up to date.

    Raises:
        DatabaseError: the database is not ours, newer, or damaged.
    """
    clock = SystemClock()
    database = open_database(settings)
    migrate(database)
    embedder = embedder_alone(settings)
    carriers: list[Carrier] = [Shown("phone"), Shown("terminal")]
    ledger: Ledger | None = None
    if settings.has_twilio:
        from app.delivery.twilio.ledger import TwilioLedger  # noqa: PLC0415
        from app.delivery.twilio.send import TwilioCarrier  # noqa: PLC0415

        carriers.append(TwilioCarrier(settings))
        ledger = TwilioLedger(settings)
    return Services(
        settings=settings,
        store=database,
        clock=clock,
        model=model_alone(settings, embedder),
        carriers={carrier.name: carrier for carrier in carriers},
        background=LocalBackground(
            clock,
            workers=settings.workers,
            quiet_seconds=settings.burst_quiet_seconds,
            max_seconds=settings.burst_max_seconds,
        ),
        process=Process(settings.beside_database),
        ledger=ledger,
        embedder=embedder,
        summariser=_summariser(settings),
        hooks=tuple(map(_hook, filter(None, (name.strip() for name in (settings.hooks or "").split(","))))),
        calendars=first_result(FEATURES, lambda feature: feature.calendars(settings)),
        features=FEATURES,
        tracer=first_result(FEATURES, lambda feature: feature.tracer(settings, clock)),
    )


def _hook(name: str) -> ModuleType:
    try:
        module = import_module(name)
    except Exception as error:  # Somebody else's module may raise anything: the error names it and the remedy.
        raise Refused(
            f"HOOKS names '{name}', which cannot be imported ({type(error).__name__}: {error}). Put it on the Python "
            "path, such as the working folder, or take it out."
        ) from error
    if not any(hasattr(module, one) for one in HOOK_NAMES):
        raise Refused(f"HOOKS names '{name}', which has none of {', '.join(HOOK_NAMES)}: see docs/hooks.md.")
    return module


def model_alone(settings: Settings, embedder: Embedder | None = None) -> Model:
    """The model that writes replies, without the other services."""
    clock = SystemClock()
    if settings.model_key is None:
        if (plain := first_result(FEATURES, lambda feature: feature.model(clock, embedder))) is not None:
            return plain
        raise Refused(
            "No ANTHROPIC_API_KEY is set, and nothing else here writes replies. Set it, in `.env` for instance."
        )
    first = _claude(settings, settings.model_key, settings.claude_model)
    if settings.claude_fallback_model is None:
        return first
    from app.clients.fallback import FallbackModel  # noqa: PLC0415

    return FallbackModel(first, _claude(settings, settings.model_key, settings.claude_fallback_model), clock)


def _claude(settings: Settings, key: str, name: str, writes: str = "Replies") -> Model:
    # Imported here: it takes most of a second to load, and only an installation with a key needs it.
    from app.clients.claude import ClaudeModel  # noqa: PLC0415

    address = settings.anthropic_base_url
    return ClaudeModel(api_key=key, model=name, base_url=address, clock=SystemClock(), writes=writes)


def live_claude(settings: Settings, model: str, most_cents: float) -> "LiveClaude":
    """The real Claude, for at most `most_cents` US cents, checked for differences from its rules."""
    from app.clients.claude_live import LiveClaude  # noqa: PLC0415

    key, address = settings.model_key, settings.anthropic_base_url
    assert key is not None  # noqa: S101  (callers check for a key first)
    return LiveClaude(api_key=key, model=model, base_url=address, clock=SystemClock(), most_cents=most_cents)


def _summariser(settings: Settings) -> Summariser | None:
    plain = first_result(FEATURES, lambda feature: feature.summariser())
    if settings.model_key is None:
        return plain
    return summariser_by(_claude(settings, settings.model_key, settings.small_model, writes="Episodes"), plain)


def summariser_by(model: Model, otherwise: Summariser | None = None) -> Summariser:
    """A summariser that asks `model` for episodes, and falls back on `otherwise`."""
    from app.clients.summariser import ModelSummariser  # noqa: PLC0415

    return ModelSummariser(model, otherwise)


def embedder_alone(settings: Settings) -> Embedder | None:
    """The embedder that these settings choose, without the other services; None if they choose none."""
    clock = SystemClock()
    # Imported here: each provider loads only what it needs of numpy, the tokenizer and HTTP.
    match settings.embeddings:
        case "none":
            return None
        case "local":
            from app.embeddings.local import local_embedder  # noqa: PLC0415

            return local_embedder(clock)
        case "sentence-transformers":
            from app.embeddings.sentence_transformers import SentenceTransformersEmbedder  # noqa: PLC0415

            return SentenceTransformersEmbedder(settings, clock)
        case "ollama" | "openai" | "voyage":
            from app.clients.fetching import BoundedTransport  # noqa: PLC0415
            from app.embeddings.remote import RemoteEmbedder  # noqa: PLC0415

            return RemoteEmbedder(settings, clock, BoundedTransport())


def carrier_account(settings: Settings) -> CarrierAccount | None:
    """Our account with the carrier, for checks; None without Twilio."""
    if not settings.has_twilio:
        return None
    from app.delivery.twilio.account import TwilioAccount  # noqa: PLC0415

    return TwilioAccount(settings, SystemClock())


def visit(address: str) -> int | None:
    """The status that a visitor from outside gets at an address of ours; None if it cannot be reached."""
    from app.clients.fetching import status_of  # noqa: PLC0415

    return status_of(address)
