"""Vectors made in this process, by all-MiniLM-L6-v2. Reasons: docs/decisions/0017-embeddings.md."""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from app.embeddings import Loaded, sendable
from app.embeddings.minilm import DIMENSION, MiniLM, WeightFiles, find_weights, map_weights, read_tokenizer
from app.errors import EmbeddingError
from app.services import Clock

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MAX_TOKENS = 256  # The model's own limit: what comes after is cut off. Source: its sentence_bert_config.json.
MAX_CHARS = 16_000  # Ten times what 256 tokens of any language take: a file that was pasted costs no more to read.
BATCH_TOKENS = 512  # Twice the longest text. More at once is no faster, and the deadline is looked at in between.


class LocalEmbedder:
    """all-MiniLM-L6-v2. Whoever never embeds loads nothing; whoever does waits once, until their deadline."""

    name = "local:all-MiniLM-L6-v2"
    dimension = DIMENSION
    is_outside = False

    def __init__(self, files: WeightFiles, clock: Clock) -> None:
        self._clock = clock
        self._loaded = Loaded(lambda: _load(files), clock)

    def embed(
        self,
        texts: Sequence[str],
        *,
        is_query: bool = False,  # noqa: ARG002
        deadline: float | None = None,
    ) -> NDArray[np.float32]:
        """float32, shape (len(texts), 384), unit rows. This model embeds queries and what is searched alike.

        Raises:
            EmbeddingError: the weights are not what they should be, or the deadline has come.
        """
        made = np.empty((len(texts), DIMENSION), np.float32)
        if not texts:
            return made
        tokenizer, model = self._loaded.get(deadline)
        tokens = [tokenizer.encode(sendable(text[:MAX_CHARS])).ids for text in texts]
        for batch in _batches([len(ids) for ids in tokens]):
            if deadline is not None and self._clock.monotonic() >= deadline:
                raise EmbeddingError("The time for the vectors was over before all were made.")
            made[batch] = model.vectors([tokens[place] for place in batch])
        return made


def local_embedder(clock: Clock) -> LocalEmbedder | None:
    """The embedder, where what it needs is installed."""
    files = find_weights()
    return LocalEmbedder(files, clock) if files is not None and find_spec("tokenizers") is not None else None


def _load(files: WeightFiles) -> "tuple[Tokenizer, MiniLM]":
    from tokenizers import Tokenizer  # noqa: PLC0415  (12 MB, for those who embed)

    # OpenBLAS would share even the smallest product out to all cores, and each waits for the others in a busy loop:
    # where something else is computing, as in a server it is, that takes ten times as long as one core alone.
    threadpool_limits(1, user_api="blas")
    tokenizer = Tokenizer.from_str(read_tokenizer(files.tokenizer))
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.no_padding()
    return tokenizer, MiniLM(map_weights(files.model))


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of texts, the shortest first, of at most `BATCH_TOKENS` together."""
    batch: list[int] = []
    tokens = 0
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if tokens + lengths[place] > BATCH_TOKENS:
            yield batch
            batch, tokens = [], 0
        batch.append(place)
        tokens += lengths[place]
    yield batch
