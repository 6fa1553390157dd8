"""Adds new texts to memory's index, and makes the vectors of the current embedder that are missing."""

from app.errors import EmbeddingError
from app.jobs.bit_by_bit import work_bit_by_bit
from app.memory.index.backlog import embed_some, index_some
from app.operations.alerts import raise_or_clear
from app.services import Services

EVERY_SECONDS = 10  # The newest texts are in the conversation that the model sees anyway.
WORK_SECONDS = 5.0  # Of every ten, while a whole memory is indexed: a small machine needs the rest for answers.


def run(services: Services) -> None:
    until = services.clock.monotonic() + WORK_SECONDS
    work_bit_by_bit(services, index_some, until)
    trouble = None
    try:
        work_bit_by_bit(services, embed_some, until)
    except EmbeddingError as error:
        trouble = f"Memory is searched by words alone, and not by meaning: {error}"
    with services.transaction() as db:
        raise_or_clear(db, "embeddings", trouble, services.clock.now())
