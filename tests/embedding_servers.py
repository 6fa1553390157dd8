"""Stand-ins for embedding providers: each speaks its provider's protocol on loopback, and refuses the same requests.

The vectors depend only on the text, the model and the provider's own prefix, so the same text has the same vector in
every request.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from app.clients.fetching import BoundedTransport
from app.embeddings.remote import RemoteEmbedder
from app.settings import Settings
from tests.fakes import FrozenClock
from tests.loopback import Handler, Http, StandIn

KEY = "a-key-of-vectors"


@dataclass(frozen=True)
class Answer:
    """A fixed answer to the next request, whatever it asks."""

    status: int = 200
    body: bytes | Callable[[bytes], bytes] = b""  # Replaces the right body, or computes it from that.
    headers: dict[str, str] = field(default_factory=dict)
    breaks_off_after: int | None = None  # The number of bytes to send, under the full content length.


class EmbeddingServer(StandIn):
    """The base of the providers; a subclass defines the requests and the answers."""

    path: ClassVar[str]
    provider: ClassVar[str]
    model: ClassVar[str]
    dimension: ClassVar[int]

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.requests: list[dict[str, Any]] = []
        """Bodies of all requests for vectors, the oldest first."""
        self.headers: list[dict[str, str]] = []
        self.answers: list[Answer] = []
        """Fixed answers to the next requests; later requests get the right answer."""
        self._embedders: list[RemoteEmbedder] = []

    def embedder(self, clock: FrozenClock, **changes: Any) -> RemoteEmbedder:
        """The real client of this provider, which is closed with the server."""
        self._embedders.append(embedder_of(self.settings(**changes), clock))
        return self._embedders[-1]

    def __exit__(self, *raised: object) -> None:
        for embedder in self._embedders:
            embedder.close()
        super().__exit__(*raised)

    def settings(self, **changes: Any) -> Settings:
        """The settings of an operator who uses this server."""
        raise NotImplementedError

    def respond(self, asked: dict[str, Any], key: str | None) -> tuple[int, dict[str, Any]]:
        """Status and body of the provider's answer."""
        raise NotImplementedError

    def _row(self, text: str, dimension: int, length: float = 1.0) -> list[float]:
        seed = hashlib.sha256(f"{self.model} {text}".encode()).digest()
        row = np.random.default_rng(list(seed)).normal(size=dimension)
        return [float(number) for number in row * (length / np.linalg.norm(row))]


class OllamaServer(EmbeddingServer):
    path = "/api/embed"
    provider = "ollama"
    model = "nomic-embed-text"
    dimension = 768

    def environment(self) -> dict[str, str]:
        """The environment of commands that use this server."""
        return {"EMBEDDINGS": "ollama", "OLLAMA_HOST": f"127.0.0.1:{self.port}"}

    def seen(self) -> set[str]:
        """All texts in its requests."""
        return {text for asked in self.requests for text in asked["input"]}

    def settings(self, **changes: Any) -> Settings:
        return Settings(**{"embeddings": "ollama", "ollama_host": f"127.0.0.1:{self.port}"} | changes)

    def respond(self, asked: dict[str, Any], key: str | None) -> tuple[int, dict[str, Any]]:
        if asked["model"].removesuffix(":latest") != self.model:
            return 404, {"error": f'model "{asked["model"]}" not found, try pulling it first'}
        texts = asked["input"] if isinstance(asked["input"], list) else [asked["input"]]
        dimension = asked.get("dimensions", self.dimension)
        rows = [self._row(text, dimension) for text in texts if text]
        return 200, {"model": asked["model"], "embeddings": rows, "total_duration": 14143917, "prompt_eval_count": 8}


class _Listing(EmbeddingServer):
    path = "/v1/embeddings"
    arguments: ClassVar[set[str]]

    def listed(self, rows: Iterable[list[float]], model: str) -> tuple[int, dict[str, Any]]:
        data = [{"object": "embedding", "index": index, "embedding": row} for index, row in enumerate(rows)]
        # No provider promises an order; clients have to use the index.
        return 200, {"object": "list", "data": data[::-1], "model": model, "usage": {"total_tokens": 8}}


class OpenAIServer(_Listing):
    provider = "openai"
    model = "text-embedding-3-small"
    dimension = 1536
    arguments: ClassVar = {"model", "input", "encoding_format", "dimensions", "user"}

    def settings(self, **changes: Any) -> Settings:
        given = {"embeddings": "openai", "openai_base_url": f"{self.url}/v1", "openai_api_key": KEY}
        return Settings(**given | changes)

    def respond(self, asked: dict[str, Any], key: str | None) -> tuple[int, dict[str, Any]]:
        if key != KEY:
            return 401, _error(f"Incorrect API key provided: {key}.", "invalid_api_key")
        if asked["model"] != self.model:
            return 404, _error(f"The model `{asked['model']}` does not exist.", "model_not_found")
        texts = asked["input"] if isinstance(asked["input"], list) else [asked["input"]]
        tokens = [len(text.encode()) for text in texts]  # An upper bound.
        if unknown := asked.keys() - self.arguments:
            return 400, _error(f"Unrecognized request argument supplied: {unknown.pop()}")
        if not texts or not all(texts) or len(texts) > 2048 or max(tokens) > 8192 or sum(tokens) > 300_000:
            return 400, _error(f"'$.input' is invalid: {texts[:1]}")
        dimension = asked.get("dimensions", self.dimension)
        return self.listed((self._row(text, dimension) for text in texts), asked["model"])


class VoyageServer(_Listing):
    provider = "voyage"
    model = "voyage-4"
    dimension = 1024
    arguments: ClassVar = {"model", "input", "input_type", "truncation", "output_dimension", "output_dtype"}

    def settings(self, **changes: Any) -> Settings:
        return Settings(**{"embeddings": "voyage", "voyage_base_url": self.url, "voyage_api_key": KEY} | changes)

    def respond(self, asked: dict[str, Any], key: str | None) -> tuple[int, dict[str, Any]]:
        if key != KEY:
            return 401, {"detail": f"Provided API key {key} is invalid."}
        texts = asked["input"] if isinstance(asked["input"], list) else [asked["input"]]
        tokens = sum(len(text.encode()) for text in texts)
        dimension = asked.get("output_dimension", self.dimension)
        if (
            asked["model"] != self.model
            or asked.keys() - self.arguments
            or asked.get("input_type") not in {None, "query", "document"}
            or dimension not in {256, 512, 1024, 2048}
            or not texts
            or not all(text.strip() for text in texts)
            or len(texts) > 1000
            or tokens > 320_000
        ):
            return 400, {"detail": f"The request is not supported: {texts[:1]}"}
        # The prefix changes the text and so the vector; the length is not promised to be 1.
        kind = asked.get("input_type") or ""
        return self.listed((self._row(f"{kind}: {text}", dimension, 3.0) for text in texts), asked["model"])


SERVERS: tuple[type[EmbeddingServer], ...] = (OllamaServer, OpenAIServer, VoyageServer)


def embedder_of(settings: Settings, clock: FrozenClock) -> RemoteEmbedder:
    """The real client of the provider in the settings."""
    return RemoteEmbedder(settings, clock, BoundedTransport())


class _Handler(Handler):
    server: Http[EmbeddingServer]

    def post(self) -> None:
        there = self.server.stand_in
        asked = json.loads(self.body())
        if self.path != there.path:
            self.answer(404, b"404 page not found")
            return
        there.requests.append(asked)
        there.headers.append(dict(self.headers))
        scheme, _, key = (self.headers["Authorization"] or "").partition(" ")
        status, right = there.respond(asked, key if scheme == "Bearer" else None)
        body, json_type = json.dumps(right).encode(), {"Content-Type": "application/json"}
        if there.answers:
            said = there.answers.pop(0)
            made = said.body(body) if callable(said.body) else said.body
            self.answer(said.status, made, json_type | said.headers, said.breaks_off_after)
            self.close_connection = said.breaks_off_after is not None
        else:
            self.answer(status, body, json_type)


def _error(message: str, code: str | None = None) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": code}}
