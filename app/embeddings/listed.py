"""The common part of OpenAI's API for vectors and Voyage's: the address, the form of the answer."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from app.errors import EmbeddingError


def embeddings_url(base_url: str) -> str:
    """Where vectors are asked for, below an address in the form of the providers' SDKs: with /v1, or just a host."""
    base = base_url.rstrip("/")
    return f"{base}/embeddings" if urlsplit(base).path else f"{base}/v1/embeddings"


def rows_by_index(answer: Mapping[str, Any], texts: int) -> list[Any]:
    """The rows of `{"data": [{"index": 0, "embedding": […]}, …]}` in the order of their index.

    Raises:
        EmbeddingError: there is not exactly one for each text.
    """
    listed = answer.get("data")
    rows = {
        one["index"]: one.get("embedding")
        for one in (listed if isinstance(listed, list) else [])
        if isinstance(one, dict) and type(one.get("index")) is int
    }
    if not isinstance(listed, list) or len(listed) != texts or rows.keys() != set(range(texts)):
        raise EmbeddingError(f"it does not list one vector for each of the {texts:,} texts. Check EMBEDDING_MODEL.")
    return [rows[place] for place in range(texts)]
