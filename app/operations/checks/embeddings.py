"""The check that texts can be compared by meaning, tried with a sentence that is nobody's."""

from collections.abc import Iterator

from app.clock import SystemClock
from app.errors import EmbeddingError
from app.memory.index.unembedded import PLAIN
from app.operations.checks.finding import Finding, bad, ok, warn
from app.services import Embedder
from app.settings import Settings

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
