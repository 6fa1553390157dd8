"""Vectors by Voyage AI: `POST /v1/embeddings`, with queries and what is searched told apart."""

from typing import Any

import httpx2

from app.embeddings.remote import Provider, RemoteEmbedder, embeddings_url
from app.services import Clock
from app.settings import Settings

API_URL = "https://api.voyageai.com/v1"
DEFAULT_MODEL = "voyage-4"


class VoyageEmbedder(RemoteEmbedder):
    """The vectors of one of Voyage's models."""

    def __init__(self, settings: Settings, clock: Clock, transport: httpx2.BaseTransport) -> None:
        provider = Provider(
            name="voyage",
            label="Voyage",
            url=embeddings_url(settings.voyage_base_url or API_URL),
            url_setting="VOYAGE_BASE_URL",
            model=settings.embedding_model or DEFAULT_MODEL,
            key=settings.voyage_api_key,
            key_setting="VOYAGE_API_KEY",
        )
        super().__init__(provider, settings.embedding_dimension, clock, transport)

    def _question(self, texts: list[str], *, is_query: bool) -> dict[str, Any]:
        kind = "query" if is_query else "document"
        asked = {"model": self._provider.model, "input": texts, "input_type": kind, "truncation": True}
        return asked | ({"output_dimension": self._asked_dimension} if self._asked_dimension else {})
