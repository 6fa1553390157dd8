"""Checks that the settings fit together, that strangers see no private page, and that model and embedder answer."""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from urllib.parse import urlsplit

from pydantic_settings import DotEnvSettingsSource

from app.clock import SystemClock
from app.errors import EmbeddingError, ModelDown, ModelError
from app.memory.index.backlog import PLAIN
from app.operations.checks import Finding, bad, ok, warn
from app.services import Embedder
from app.services.model import Model, ModelRequest
from app.settings import Settings
from app.text.hosts import is_loopback, is_private

TRY_SECONDS = 60.0  # A server on the operator's own machine has to load its model first.
TRY_TOKENS = 4096
TOOL = {
    "name": "remember",
    "description": "Keep a fact about the person.",
    "input_schema": {"type": "object", "properties": {"fact": {"type": "string"}}, "required": ["fact"]},
}
EMBED_SECONDS = 20.0  # A model that Ollama has to load first takes about ten.
BY_WORDS = "Until then memory is searched by words alone."
LIKE = 0.85  # Share of the letters, as `difflib` counts it: a slip or two.
PAGES = ("/phone", "/metrics")
FOUND = 200


def check_settings(settings: Settings) -> Iterator[Finding]:
    yield ok("settings", "every setting is well formed.")
    for name in DotEnvSettingsSource(Settings).env_vars:
        if name not in Settings.model_fields and (near := get_close_matches(name, Settings.model_fields, 1, LIKE)):
            yield warn(name.upper(), f"in .env is no setting. Did you mean {near[0].upper()}?")
    yield _address(settings)
    yield _carrier(settings)
    yield _model(settings)
    yield _access(settings)
    if not is_loopback(settings.host) and urlsplit(settings.address).scheme != "https":
        yield warn(
            "HOST",
            f"{settings.host} is open to the network, and the admin page is served without TLS. "
            "Put a proxy with TLS in front and set PUBLIC_URL to its https address.",
        )


def _address(settings: Settings) -> Finding:
    parts = urlsplit(settings.address)
    if not settings.has_twilio:
        return ok("PUBLIC_URL", f"{settings.address}; without Twilio nobody else has to reach it.")
    if is_private(parts.hostname or ""):
        says = f"Twilio cannot reach {settings.address}. Set it to the https address that the world sees."
        return bad("PUBLIC_URL", says)
    if parts.scheme != "https":
        return bad("PUBLIC_URL", f"{settings.address} sends people's words in the clear. Use an https address.")
    return ok("PUBLIC_URL", f"{settings.address}; the webhook of the number is {settings.address}/sms.")


def _carrier(settings: Settings) -> Finding:
    if not settings.has_twilio:
        return ok("Twilio", "not set: texts go through the phone page.")
    if settings.twilio_api_key is None:
        return warn(
            "Twilio",
            f"texts go out from {settings.twilio_from} with the auth token. Make an API key in Twilio's console and "
            "set TWILIO_API_KEY and TWILIO_API_SECRET: it can be revoked without breaking the webhook.",
        )
    return ok("Twilio", f"texts go out from {settings.twilio_from} with an API key.")


def _model(settings: Settings) -> Finding:
    if settings.model_key is not None:
        second = settings.claude_fallback_model
        then = f", and from {second} while that is down" if second else ""
        is_set = "set" if settings.anthropic_api_key is not None else "not set, which a server of one's own allows"
        says = f"{is_set}: replies come from {settings.claude_model} at {_model_host(settings)}{then}."
        return ok("ANTHROPIC_API_KEY", says)
    says = "not set: replies come from the offline model, which understands plain sentences only."
    return warn("ANTHROPIC_API_KEY", f"{says} Set it.") if settings.has_twilio else ok("ANTHROPIC_API_KEY", says)


def _model_host(settings: Settings) -> str:
    """The host that people's words are sent to; the full address may hold a password."""
    if settings.anthropic_base_url is None:
        return "api.anthropic.com"
    parts = urlsplit(settings.anthropic_base_url)
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)


def _access(settings: Settings) -> Finding:
    if settings.has_twilio and not settings.is_allowlist:
        return warn("ACCESS", "open: whoever finds the number can text it, and each text costs. Set ACCESS=allowlist.")
    return ok("ACCESS", "allowlist: an unknown number waits." if settings.is_allowlist else "open: anybody may text.")


def check_from_outside(settings: Settings, status_of: Callable[[str], int | None]) -> Iterator[Finding]:
    """Findings about the pages that a visitor without a login gets at `PUBLIC_URL`.

    `status_of` returns the HTTP status of an address, or None if it cannot be reached from here.
    """
    if not settings.public_url:
        return
    for page in PAGES:
        address = f"{settings.address}{page}"
        status = status_of(address)
        if status is None:
            yield warn("outside", f"not looked at: {address} cannot be reached from here.")
        elif status == FOUND:
            yield bad("outside", f"{address} is open to everybody. Let the proxy hand it on to this Keepsake alone.")
        else:
            yield ok("outside", f"{address} is closed to visitors without a login or a token ({status}).")


def check_model(settings: Settings, model: Model, *, tries: bool = False) -> Iterator[Finding]:
    """With `tries` a small call is made, which costs a tenth of a cent if calls cost anything."""
    if settings.model_key is None:
        return
    troubles = model.troubles()
    if troubles is None:
        yield warn("model", f"not looked at: nobody could be asked whether {model.name} is offered.")
    elif not troubles:
        yield ok("model", f"{model.name} is offered to this key.")
    if tries:
        yield _try_tool(model)
    for trouble in troubles or ():
        level = warn if trouble.kind == "model_retires" else bad
        yield level("model", trouble.sentence)


def _try_tool(model: Model) -> Finding:
    """The finding of one small call with a tool: without tools nothing is remembered."""
    request = ModelRequest(
        system=[{"type": "text", "text": "Call the tool remember with what the person tells you."}],
        messages=[{"role": "user", "content": "I like black coffee."}],
        tools=[TOOL],
        max_tokens=TRY_TOKENS,
        deadline=SystemClock().monotonic() + TRY_SECONDS,
        person_key="doctor",
    )
    try:
        answer = model.complete(request)
    except ModelError as error:
        level = warn if isinstance(error, ModelDown) and not error.is_lasting else bad
        return level("tools", f"a request with one tool was not answered: {error}")
    if not any(block.type == "tool_use" and block.name == TOOL["name"] for block in answer.content):
        return warn(
            "tools",
            f"{model.name} answered without calling the tool that it was told to call: it would remember little. Take "
            "a model that is made for tools; with llama.cpp start the server with --jinja.",
        )
    return ok("tools", f"{model.name} calls tools.")


def check_embeddings(settings: Settings, embedder: Embedder | None) -> Iterator[Finding]:
    provider = settings.embeddings
    if provider in {"local", "none"}:
        because = "which has one model alone" if provider == "local" else "so no vectors are made"
        given = {"EMBEDDING_MODEL": settings.embedding_model, "EMBEDDING_DIMENSION": settings.embedding_dimension}
        for name, value in given.items():
            if value is not None:
                yield warn(
                    name,
                    f"{value} is not used: EMBEDDINGS is {provider}, {because}. Unset it, or set EMBEDDINGS to ollama, "
                    "openai, voyage or sentence-transformers.",
                )
    if embedder is None:
        missing = f"{provider}: its weights are not installed. Run make setup. {BY_WORDS}"
        none = ok("EMBEDDINGS", "none: memory is searched by words alone.")
        yield none if provider == "none" else warn("EMBEDDINGS", missing)
        return
    try:
        made = embedder.embed([PLAIN], is_query=True, deadline=SystemClock().monotonic() + EMBED_SECONDS)
    except EmbeddingError as error:
        yield bad("EMBEDDINGS", f"{provider}: no vector was made. {error} {BY_WORDS}")
    else:
        yield ok("EMBEDDINGS", f"vectors of {made.shape[1]:,} numbers come from {embedder.name}.")
