"""Vectors by OpenAI, or by a server that speaks the same: `POST /v1/embeddings`."""

from typing import Any

import httpx2

from app.embeddings.remote import Provider, RemoteEmbedder, embeddings_url
from app.services import Clock
from app.settings import Settings

API_URL = "https://api.openai.com/v1"
DEFAULT_MODEL = "text-embedding-3-small"


class OpenAIEmbedder(RemoteEmbedder):
    """The vectors of one of OpenAI's models. They embed queries and what is searched alike."""

    def __init__(self, settings: Settings, clock: Clock, transport: httpx2.BaseTransport) -> None:
        provider = Provider(
            name="openai",
            label="OpenAI" if settings.openai_base_url is None else "The server for OpenAI's API",
            url=embeddings_url(settings.openai_base_url or API_URL),
            url_setting="OPENAI_BASE_URL",
            model=settings.embedding_model or DEFAULT_MODEL,
            key=settings.openai_api_key,
            key_setting="OPENAI_API_KEY",
        )
        super().__init__(provider, settings.embedding_dimension, clock, transport)

    def _question(self, texts: list[str], *, is_query: bool) -> dict[str, Any]:  # noqa: ARG002
        asked = {"model": self._provider.model, "input": texts, "encoding_format": "float"}
        return asked | ({"dimensions": self._asked_dimension} if self._asked_dimension else {})
