"""Checks of the model that is set: offered, to this key, for how long still, and calling tools."""

from collections.abc import Iterator

from app.clock import SystemClock
from app.errors import EmbeddingError, ModelDown, ModelError
from app.memory.index.backlog import PLAIN
from app.operations.checks import Finding, bad, ok, warn
from app.services import Embedder
from app.services.model import Model, ModelRequest
from app.settings import Settings

TRY_SECONDS = 60.0  # A server on one's own machine has to load its model first.
TRY_TOKENS = 4096
TOOL = {
    "name": "remember",
    "description": "Keep a fact about the person.",
    "input_schema": {"type": "object", "properties": {"fact": {"type": "string"}}, "required": ["fact"]},
}


def check_model(settings: Settings, model: Model, *, tries: bool = False) -> Iterator[Finding]:
    """With `tries` a small call is made, which costs a tenth of a cent where calls cost anything."""
    if settings.model_key is None:
        return
    troubles = model.troubles()
    if troubles is None:
        yield warn("model", f"not looked at: nobody could be asked whether {model.name} is offered.")
    elif not troubles:
        yield ok("model", f"{model.name} is offered to this key.")
    if tries:
        yield _tries_a_tool(model)
    for trouble in troubles or ():
        level = warn if trouble.kind == "model_retires" else bad
        yield level("model", trouble.sentence)


def _tries_a_tool(model: Model) -> Finding:
    """What comes of one small call: without tools nothing is remembered."""
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


MAX_SECONDS = 20.0  # A model that Ollama has to load first takes about ten.
BY_WORDS = "Until then memory is searched by words alone."


def check_embeddings(settings: Settings, embedder: Embedder | None) -> Iterator[Finding]:
    if settings.embeddings in {"local", "none"}:
        yield from _unused(settings)
    if embedder is None and settings.embeddings == "none":
        yield ok("EMBEDDINGS", "none: memory is searched by words alone.")
    elif embedder is None:
        yield warn("EMBEDDINGS", f"{settings.embeddings}: its weights are not installed. Run make setup. {BY_WORDS}")
    else:
        yield _tried(settings, embedder)


def _unused(settings: Settings) -> Iterator[Finding]:
    because = "which has one model alone" if settings.embeddings == "local" else "so no vectors are made"
    given = {"EMBEDDING_MODEL": settings.embedding_model, "EMBEDDING_DIMENSION": settings.embedding_dimension}
    for name, value in given.items():
        if value is not None:
            yield warn(
                name,
                f"{value} is not used: EMBEDDINGS is {settings.embeddings}, {because}. Unset it, or set EMBEDDINGS to "
                "ollama, openai, voyage or sentence-transformers.",
            )


def _tried(settings: Settings, embedder: Embedder) -> Finding:
    try:
        made = embedder.embed([PLAIN], is_query=True, deadline=SystemClock().monotonic() + MAX_SECONDS)
    except EmbeddingError as error:
        return bad("EMBEDDINGS", f"{settings.embeddings}: no vector was made. {error} {BY_WORDS}")
    return ok("EMBEDDINGS", f"vectors of {made.shape[1]:,} numbers come from {embedder.name}.")
