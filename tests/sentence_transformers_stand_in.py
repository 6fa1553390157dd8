"""A stand-in for the parts of sentence-transformers 6.2 that Keepsake uses, with its names, arguments and answers.

The package itself is too large for a test run, because it needs torch. `installed` replaces it.
"""

import hashlib
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

DIMENSION = 384


class SentenceTransformer:
    """A model whose vectors depend on the text and on its kind, and are not normalised."""

    def __init__(self, model_name_or_path: str | None = None, *, truncate_dim: int | None = None) -> None:
        if model_name_or_path != "all-MiniLM-L6-v2":
            raise OSError(f"{model_name_or_path} is no local folder and is not on the hub")
        self._dimension = truncate_dim or DIMENSION

    def encode_query(self, inputs: list[str], **given: Any) -> NDArray[np.float32]:
        return self._encode([f"query: {text}" for text in inputs], **given)

    def encode_document(self, inputs: list[str], **given: Any) -> NDArray[np.float32]:
        return self._encode(inputs, **given)

    def _encode(
        self, inputs: list[str], *, batch_size: int, show_progress_bar: bool, convert_to_numpy: bool
    ) -> NDArray[np.float32]:
        assert convert_to_numpy
        assert not show_progress_bar
        assert len(inputs) <= batch_size
        return np.stack([self._row(text) for text in inputs])

    def _row(self, text: str) -> NDArray[np.float32]:
        if "\udead" in text or "overflow" in text:
            raise RuntimeError(f"not enough memory for {text}")
        seed = hashlib.sha256(text.encode()).digest()
        return np.random.default_rng(list(seed)).normal(size=self._dimension).astype(np.float32)


class BeforeFive:
    """The package before version 5, which did not distinguish queries from documents."""

    def __init__(self, model_name_or_path: str | None = None, *, truncate_dim: int | None = None) -> None: ...


def installed(monkeypatch: pytest.MonkeyPatch, offered: type | None = SentenceTransformer) -> None:
    """Make `import sentence_transformers` find this class; with None the import fails."""
    module = None
    if offered is not None:
        module = ModuleType("sentence_transformers")
        module.SentenceTransformer = offered  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
