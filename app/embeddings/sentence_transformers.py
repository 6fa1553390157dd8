"""Vectors from the package sentence-transformers, if the operator installs it; it depends on torch."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.embeddings import Loaded, sendable, unit_rows
from app.errors import EmbeddingError
from app.services import Clock
from app.settings import Settings

DEFAULT_MODEL = "all-MiniLM-L6-v2"
BATCH_TEXTS = 32  # The package's own default; the deadline is checked between batches.
OTHERWISE = "Or set EMBEDDINGS to local, which needs neither."


class SentenceTransformersEmbedder:
    """Vectors of any model that the package can load, in this process. The model is loaded for the first text."""

    is_outside = False

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._model, dimension = settings.embedding_model or DEFAULT_MODEL, settings.embedding_dimension
        self.name = f"sentence-transformers:{self._model}{f':{dimension}' if dimension else ''}"
        self.dimension = dimension or 0
        """Numbers in each vector; 0 if no setting fixes it and no vector has been made yet."""
        self._clock = clock
        self._loaded: Loaded[Any] = Loaded(self._open, clock)

    def embed(
        self, texts: Sequence[str], *, is_query: bool = False, deadline: float | None = None
    ) -> NDArray[np.float32]:
        """As `Embedder.embed`, with the model's own forms for queries and documents."""
        parts = []
        for start in range(0, len(texts), BATCH_TEXTS):
            model = self._loaded.get(deadline)
            if deadline is not None and self._clock.monotonic() >= deadline:
                raise EmbeddingError("The time for the vectors was over before all were made.")
            batch = [sendable(text) for text in texts[start : start + BATCH_TEXTS]]
            rows = unit_rows(self._encode(model, batch, is_query), len(batch), self.dimension or None)
            self.dimension = rows.shape[1]
            parts.append(rows)
        return np.concatenate(parts) if parts else np.empty((0, self.dimension), np.float32)

    def _encode(self, model: Any, texts: list[str], is_query: bool) -> object:
        try:
            encode = model.encode_query if is_query else model.encode_document
            made: object = encode(texts, batch_size=BATCH_TEXTS, show_progress_bar=False, convert_to_numpy=True)
        except (RuntimeError, ValueError, AttributeError) as error:
            # From torch: no memory left, an unknown token; from a package before version 5: no form for queries.
            raise EmbeddingError(f"{self._model} could not embed ({type(error).__name__}). {OTHERWISE}") from None
        return made

    def _open(self) -> Any:
        try:
            from sentence_transformers import SentenceTransformer  # noqa: PLC0415  (optional, and seconds to load)
        except ImportError as error:
            raise EmbeddingError(
                "EMBEDDINGS is sentence-transformers, and that package cannot be loaded "
                f"({type(error).__name__}). Install it: .venv/bin/python -m pip install 'sentence-transformers>=5'. "
                f"{OTHERWISE}"
            ) from None
        try:
            return SentenceTransformer(self._model, truncate_dim=self.dimension or None)
        except (OSError, RuntimeError, ValueError, ImportError) as error:
            raise EmbeddingError(
                f"The model {self._model} cannot be loaded ({type(error).__name__}). Check EMBEDDING_MODEL; the "
                f"first time it is fetched by network. {OTHERWISE}"
            ) from None
