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

MAX_TOKENS = 256  # The model's own limit: the rest is cut off. Source: its sentence_bert_config.json.
MAX_CHARS = 16_000  # Ten times the length of 256 tokens in any language; bounds the cost of a pasted file.
BATCH_TOKENS = 512  # Twice the longest text. More is no faster, and the deadline is checked between batches.


class LocalEmbedder:
    """all-MiniLM-L6-v2, loaded by the first call of `embed`, which waits for it until its deadline."""

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
        """float32, shape (len(texts), 384), unit rows. This model treats queries and documents alike.

        Raises:
            EmbeddingError: the weights are not the published ones, or the deadline has come.
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
    """The embedder, or None if the packages it needs are not installed."""
    files = find_weights()
    return LocalEmbedder(files, clock) if files is not None and find_spec("tokenizers") is not None else None


def _load(files: WeightFiles) -> "tuple[Tokenizer, MiniLM]":
    from tokenizers import Tokenizer  # noqa: PLC0415  (12 MB, needed only to embed)

    # OpenBLAS would spread even the smallest product over all cores, which wait for each other in a busy loop: next to
    # other work, as on a server, this takes ten times as long as one core alone.
    threadpool_limits(1, user_api="blas")
    tokenizer = Tokenizer.from_str(read_tokenizer(files.tokenizer))
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.no_padding()
    return tokenizer, MiniLM(map_weights(files.model))


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indexes of texts, the shortest first, in batches of at most `BATCH_TOKENS` tokens."""
    batch: list[int] = []
    tokens = 0
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if tokens + lengths[place] > BATCH_TOKENS:
            yield batch
            batch, tokens = [], 0
        batch.append(place)
        tokens += lengths[place]
    yield batch
