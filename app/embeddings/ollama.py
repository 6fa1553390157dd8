"""Vectors by Ollama, on this machine or another of one's own: `POST /api/embed`."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx2

from app.embeddings.remote import Provider, RemoteEmbedder
from app.services import Clock
from app.settings import Settings

DEFAULT_MODEL = "nomic-embed-text"


class Forms(NamedTuple):
    """What a model was trained to see before what is asked, and before what is searched."""

    query: str = ""
    document: str = ""


FORMS = {
    "nomic-embed-text": Forms("search_query: ", "search_document: "),
    "mxbai-embed-large": Forms("Represent this sentence for searching relevant passages: "),
    "snowflake-arctic-embed": Forms("Represent this sentence for searching relevant passages: "),
    "snowflake-arctic-embed2": Forms("query: "),
    "embeddinggemma": Forms("task: search result | query: ", "title: none | text: "),
}
"""By the model's name, as Ollama sends a text to the model as it is. Source: the models' own pages."""


def address_of(host: str) -> str:
    """The address of the API, for any form in which Ollama takes OLLAMA_HOST: `localhost`, `0.0.0.0:11434`, a URL.

    Source: https://github.com/ollama/ollama, envconfig/config.go.
    """
    parts = urlsplit(host if "://" in host else f"http://{host}")
    # The same variable tells Ollama where to listen: what listens everywhere is asked on this machine.
    place = parts.netloc.replace("0.0.0.0", "127.0.0.1").replace("[::]", "[::1]")  # noqa: S104
    port = ":11434" if "://" not in host and parts.port is None else ""
    return f"{parts.scheme}://{place}{port}{parts.path.rstrip('/')}"


class OllamaEmbedder(RemoteEmbedder):
    """The vectors of a model that Ollama has on its disk."""

    def __init__(self, settings: Settings, clock: Clock, transport: httpx2.BaseTransport) -> None:
        model = settings.embedding_model or DEFAULT_MODEL
        self._forms = FORMS.get(model.partition(":")[0], Forms())
        provider = Provider(
            name="ollama",
            label="Ollama",
            url=f"{address_of(settings.ollama_host)}/api/embed",
            url_setting="OLLAMA_HOST",
            model=model,
            form=self._forms.document,
            without_the_model=f"Fetch the model with `ollama pull {model}`, or change EMBEDDING_MODEL.",
        )
        super().__init__(provider, settings.embedding_dimension, clock, transport)

    def _question(self, texts: list[str], *, is_query: bool) -> dict[str, Any]:
        form = self._forms.query if is_query else self._forms.document
        asked = {"model": self._provider.model, "input": [form + text for text in texts], "truncate": True}
        return asked | ({"dimensions": self._asked_dimension} if self._asked_dimension else {})

    def _rows(self, answer: Mapping[str, Any], texts: int) -> object:  # noqa: ARG002
        return answer.get("embeddings")
