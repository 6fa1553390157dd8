"""The only file that chooses an implementation."""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from app.background.local import LocalBackground
from app.clock import SystemClock
from app.delivery.account import CarrierAccount
from app.delivery.here import PhoneCarrier, TerminalCarrier
from app.errors import Refused
from app.features import FEATURES
from app.services import Carrier, Clock, Embedder, Ledger, Model, Services
from app.services.sources import Calendars
from app.services.summaries import Summariser
from app.services.tracing import Tracer
from app.settings import Settings
from app.store import open_database
from app.store.process import Process
from app.store.schema import migrate

if TYPE_CHECKING:
    from app.clients.claude_live import LiveClaude
    from app.clients.fetching import BoundedTransport


HOOK_NAMES = ("before_prompt", "on_tool_result", "after_reply")
"""Functions of a module by which it joins a turn: `assistant/hooks.py`."""


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
        process=Process(settings.beside_database),
        ledger=_ledger(settings),
        embedder=_embedder(settings, clock),
        summariser=_summariser(settings, clock),
        hooks=tuple(map(_hook, filter(None, (name.strip() for name in (settings.hooks or "").split(","))))),
        calendars=_calendars(settings, clock),
        features=FEATURES,
        tracer=_tracer(settings, clock),
    )


def _hook(name: str) -> ModuleType:
    try:
        module = import_module(name)
    except Exception as error:  # Whatever somebody's module raises: it is named, and what to do.
        raise Refused(
            f"HOOKS names '{name}', which cannot be imported ({type(error).__name__}: {error}). Put it on the Python "
            "path, such as the working folder, or take it out."
        ) from error
    if not any(hasattr(module, one) for one in HOOK_NAMES):
        raise Refused(f"HOOKS names '{name}', which has none of {', '.join(HOOK_NAMES)}: see docs/hooks.md.")
    return module


def _model(settings: Settings, clock: Clock) -> Model:
    # Imported here: either client takes most of a second to load, and a process needs one of them.
    key, address = settings.model_key, settings.anthropic_base_url
    if key is None:
        return _without_key(clock)
    from app.clients.claude import ClaudeModel  # noqa: PLC0415

    first = ClaudeModel(api_key=key, model=settings.claude_model, base_url=address, clock=clock)
    if settings.claude_fallback_model is None:
        return first
    from app.clients.fallback import FallbackModel  # noqa: PLC0415

    second = ClaudeModel(api_key=key, model=settings.claude_fallback_model, base_url=address, clock=clock)
    return FallbackModel(first, second, clock)


def _without_key(clock: Clock) -> Model:
    for feature in FEATURES:
        if feature.model is not None:
            return feature.model(clock)
    raise Refused("No ANTHROPIC_API_KEY is set, and nothing else here writes replies. Set it, in `.env` for instance.")


def _embedder(settings: Settings, clock: Clock) -> Embedder | None:
    # Imported here: numpy, the tokenizer or HTTP are each loaded by the provider that needs them.
    match settings.embeddings:
        case "none":
            return None
        case "local":
            from app.embeddings.local import local_embedder  # noqa: PLC0415

            return local_embedder(clock)
        case "sentence-transformers":
            from app.embeddings.sentence_transformers import SentenceTransformersEmbedder  # noqa: PLC0415

            return SentenceTransformersEmbedder(settings, clock)
        case "ollama":
            from app.embeddings.ollama import OllamaEmbedder  # noqa: PLC0415

            return OllamaEmbedder(settings, clock, _transport())
        case "openai":
            from app.embeddings.openai import OpenAIEmbedder  # noqa: PLC0415

            return OpenAIEmbedder(settings, clock, _transport())
        case "voyage":
            from app.embeddings.voyage import VoyageEmbedder  # noqa: PLC0415

            return VoyageEmbedder(settings, clock, _transport())


def _transport() -> "BoundedTransport":
    from app.clients.fetching import BoundedTransport  # noqa: PLC0415

    return BoundedTransport()


def embedder_alone(settings: Settings) -> Embedder | None:
    """What tells how near texts are in meaning, without all the rest: to be tried out."""
    return _embedder(settings, SystemClock())


def _summariser(settings: Settings, clock: Clock) -> Summariser | None:
    plain = next((feature.summariser() for feature in FEATURES if feature.summariser is not None), None)
    key, address = settings.model_key, settings.anthropic_base_url
    if key is None:
        return plain
    from app.clients.claude import ClaudeModel  # noqa: PLC0415
    from app.clients.summariser import ModelSummariser  # noqa: PLC0415

    small = ClaudeModel(api_key=key, model=settings.small_model, base_url=address, clock=clock, writes="Episodes")
    return ModelSummariser(small, plain)


def _calendars(settings: Settings, clock: Clock) -> Calendars | None:
    readers = (feature.calendars for feature in FEATURES if feature.calendars is not None)
    return next((reader(settings, clock) for reader in readers), None)


def _tracer(settings: Settings, clock: Clock) -> Tracer | None:
    tracers = (feature.tracer(settings, clock) for feature in FEATURES if feature.tracer is not None)
    return next((tracer for tracer in tracers if tracer is not None), None)


def model_alone(settings: Settings) -> Model:
    """What writes replies, without all the rest: to be asked about itself."""
    return _model(settings, SystemClock())


def carrier_account(settings: Settings) -> CarrierAccount | None:
    """Our account with the carrier, to be looked at; None without Twilio."""
    if not settings.has_twilio:
        return None
    from app.delivery.twilio.account import TwilioAccount  # noqa: PLC0415

    return TwilioAccount(settings, SystemClock())


def live_claude(settings: Settings, model: str, most_cents: float) -> "LiveClaude":
    """The real Claude, watched where it differs from its rules, for at most so many US cents."""
    from app.clients.claude_live import LiveClaude  # noqa: PLC0415

    key, address = settings.model_key, settings.anthropic_base_url
    assert key is not None  # noqa: S101  (it is asked for where there is a key)
    return LiveClaude(api_key=key, model=model, base_url=address, clock=SystemClock(), most_cents=most_cents)


def summariser_by(model: Model) -> Summariser:
    """What makes episodes by asking that model, and nobody else."""
    from app.clients.summariser import ModelSummariser  # noqa: PLC0415

    return ModelSummariser(model, None)


def visit(address: str) -> int | None:
    """The status that a visitor from outside gets at an address of ours; None where it cannot be reached."""
    from app.clients.fetching import status_of  # noqa: PLC0415

    return status_of(address)


def _carriers(settings: Settings) -> list[Carrier]:
    carriers: list[Carrier] = [PhoneCarrier(), TerminalCarrier()]
    if settings.has_twilio:
        from app.delivery.twilio.send import TwilioCarrier  # noqa: PLC0415

        carriers.append(TwilioCarrier(settings))
    return carriers


def _ledger(settings: Settings) -> Ledger | None:
    if not settings.has_twilio:
        return None
    from app.delivery.twilio.ledger import TwilioLedger  # noqa: PLC0415

    return TwilioLedger(settings)
