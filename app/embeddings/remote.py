"""Vectors from another process, over HTTP. Reasons: docs/decisions/0017-embeddings.md."""

import json
import logging
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import httpcore2
import httpx2
import numpy as np
from numpy.typing import NDArray
from pydantic import SecretStr

from app.embeddings import sendable, unit_rows
from app.errors import EmbeddingError
from app.services import Clock
from app.services.retries import AGAIN, ATTEMPTS, asked_wait, pause_after
from app.settings import Settings

logger = logging.getLogger(__name__)

# Limits of one request. Providers count tokens, and a text never has more tokens than bytes: OpenAI takes 8,192 a text
# and 300,000 together, the largest of Voyage's models 120,000 together. Sources: their API references.
MAX_TEXT_BYTES = 8_000
MAX_REQUEST_BYTES = 100_000
MAX_REQUEST_TEXTS = 64

MAX_ANSWER_BYTES = 32 * 1024 * 1024  # 64 vectors of 8,192 numbers with 20 digits are a third of it.
ATTEMPT_SECONDS = 30.0  # Ollama first loads its model, which takes that long on a slow disk.
BLANK = "."  # Stands for a text without a word: OpenAI refuses the empty text, and Ollama leaves it out.


@dataclass(frozen=True)
class Provider:
    """Address and form of requests to one provider, and the settings that change them."""

    name: str  # The value of EMBEDDINGS: `openai`.
    label: str  # Its name in sentences: `OpenAI`.
    url: str  # The address that requests go to.
    url_setting: str
    model: str
    key: SecretStr | None = None
    key_setting: str = ""
    form: str = ""  # Put before each document; with another form the same text has another vector.
    query_form: str = ""
    without_the_model: str = "Check EMBEDDING_MODEL."  # The next step if the provider does not know the model.
    of_queries: dict[str, Any] = field(default_factory=dict)
    of_documents: dict[str, Any] = field(default_factory=dict)
    dimension_field: str = "dimensions"


FORMS = {
    "nomic-embed-text": ("search_query: ", "search_document: "),
    "mxbai-embed-large": ("Represent this sentence for searching relevant passages: ", ""),
    "snowflake-arctic-embed": ("Represent this sentence for searching relevant passages: ", ""),
    "snowflake-arctic-embed2": ("query: ", ""),
    "embeddinggemma": ("task: search result | query: ", "title: none | text: "),
}
"""Prefixes of queries and of documents, by the model's name, as Ollama passes a text to the model unchanged.
Source: the models' own pages."""


def ollama(settings: Settings) -> Provider:
    """Ollama, on this machine or another one of the operator's: `POST /api/embed`."""
    model = settings.embedding_model or "nomic-embed-text"
    query_form, form = FORMS.get(model.partition(":")[0], ("", ""))
    return Provider(
        name="ollama",
        label="Ollama",
        url=f"{address_of(settings.ollama_host)}/api/embed",
        url_setting="OLLAMA_HOST",
        model=model,
        form=form,
        query_form=query_form,
        without_the_model=f"Fetch the model with `ollama pull {model}`, or change EMBEDDING_MODEL.",
    )


def openai(settings: Settings) -> Provider:
    """OpenAI, or a server with the same API: queries and documents are embedded alike."""
    return Provider(
        name="openai",
        label="OpenAI" if settings.openai_base_url is None else "The server for OpenAI's API",
        url=_embeddings_url(settings.openai_base_url or "https://api.openai.com/v1"),
        url_setting="OPENAI_BASE_URL",
        model=settings.embedding_model or "text-embedding-3-small",
        key=settings.openai_api_key,
        key_setting="OPENAI_API_KEY",
    )


def voyage(settings: Settings) -> Provider:
    """Voyage AI, which distinguishes queries from documents."""
    return Provider(
        name="voyage",
        label="Voyage",
        url=_embeddings_url(settings.voyage_base_url or "https://api.voyageai.com/v1"),
        url_setting="VOYAGE_BASE_URL",
        model=settings.embedding_model or "voyage-4",
        key=settings.voyage_api_key,
        key_setting="VOYAGE_API_KEY",
        of_queries={"input_type": "query"},
        of_documents={"input_type": "document"},
        dimension_field="output_dimension",
    )


PROVIDERS = {"ollama": ollama, "openai": openai, "voyage": voyage}  # By the value of EMBEDDINGS.


def address_of(host: str) -> str:
    """The address of the API, for any form in which Ollama accepts OLLAMA_HOST: `localhost`, `0.0.0.0:11434`, a URL.

    Source: https://github.com/ollama/ollama, envconfig/config.go.
    """
    parts = urlsplit(host if "://" in host else f"http://{host}")
    # The same variable tells Ollama where to listen: one that listens everywhere is called on this machine.
    place = parts.netloc.replace("0.0.0.0", "127.0.0.1").replace("[::]", "[::1]")  # noqa: S104
    port = ":11434" if "://" not in host and parts.port is None else ""
    return f"{parts.scheme}://{place}{port}{parts.path.rstrip('/')}"


def _embeddings_url(base_url: str) -> str:
    """The endpoint for vectors below a base address in the form of the providers' SDKs: with /v1, or just a host."""
    base = base_url.rstrip("/")
    return f"{base}/embeddings" if urlsplit(base).path else f"{base}/v1/embeddings"


class RemoteEmbedder:
    """Vectors of the provider that the settings name."""

    is_outside = True

    def __init__(self, settings: Settings, clock: Clock, transport: httpx2.BaseTransport) -> None:
        provider, dimension = PROVIDERS[settings.embeddings](settings), settings.embedding_dimension
        form = f"[{provider.form.strip()}]" if provider.form else ""
        self.name = f"{provider.name}:{provider.model}{form}{f':{dimension}' if dimension else ''}"
        self._provider = provider
        self.dimension = dimension or 0
        """Numbers in each vector; 0 if no setting fixes it and no vector has come yet."""
        self._asked_dimension = dimension
        self._clock = clock
        headers = {"Accept-Encoding": "identity", "User-Agent": "keepsake"}
        if provider.key is not None:
            headers["Authorization"] = f"Bearer {provider.key.get_secret_value()}"
        self._url = httpx2.URL(provider.url)
        self._http = httpx2.Client(transport=transport, trust_env=False, follow_redirects=False, headers=headers)
        logger.info("Vectors come from %s at %s.", self.name, self.host)

    @property
    def host(self) -> str:
        """The host that people's words are sent to, with the port if it is not the usual one."""
        return f"{self._url.host}:{self._url.port}" if self._url.port else self._url.host

    def embed(
        self, texts: Sequence[str], *, is_query: bool = False, deadline: float | None = None
    ) -> NDArray[np.float32]:
        """As `Embedder.embed`; one text without its vector in time fails them all."""
        parts = [self._vectors(batch, is_query, deadline) for batch in _batches(texts)]
        return np.concatenate(parts) if parts else np.empty((0, self.dimension), np.float32)

    def close(self) -> None:
        """Close the connections kept for further requests."""
        self._http.close()

    def _question(self, texts: list[str], *, is_query: bool) -> dict[str, Any]:
        """The body of the request."""
        provider = self._provider
        form = provider.query_form if is_query else provider.form
        asked = {"model": provider.model, "input": [form + text for text in texts]}
        asked |= provider.of_queries if is_query else provider.of_documents
        return asked | ({provider.dimension_field: self._asked_dimension} if self._asked_dimension else {})

    def _rows(self, answer: Mapping[str, Any], texts: int) -> object:
        """Ollama's rows, or those of `{"data": [{"index": 0, "embedding": […]}, …]}` in the order of their index.

        Raises:
            EmbeddingError: there is not exactly one row for each text.
        """
        if self._provider.name == "ollama":
            return answer.get("embeddings")
        listed = answer.get("data")
        rows = {
            one["index"]: one.get("embedding")
            for one in (listed if isinstance(listed, list) else [])
            if isinstance(one, dict) and type(one.get("index")) is int
        }
        if not isinstance(listed, list) or len(listed) != texts or rows.keys() != set(range(texts)):
            raise EmbeddingError(f"it does not list one vector for each of the {texts:,} texts. Check EMBEDDING_MODEL.")
        return [rows[place] for place in range(texts)]

    def _vectors(self, texts: list[str], is_query: bool, deadline: float | None) -> NDArray[np.float32]:
        answer = self._answer(self._question(texts, is_query=is_query), deadline)
        try:
            rows = unit_rows(self._rows(answer, len(texts)), len(texts), self.dimension or None)
        except EmbeddingError as error:
            raise EmbeddingError(f"{self._said} cannot be used: {error}") from None
        self.dimension = rows.shape[1]
        return rows

    def _answer(self, question: dict[str, Any], deadline: float | None) -> Mapping[str, Any]:
        attempt, until = 1, math.inf if deadline is None else deadline
        while True:
            left = until - self._clock.monotonic()
            if left <= 0:
                raise EmbeddingError(f"The time for the vectors was over before {self._provider.label} was asked.")
            outcome = self._attempt(question, min(left, ATTEMPT_SECONDS))
            if not isinstance(outcome, _Fault):
                return outcome
            if not outcome.again:
                raise EmbeddingError(outcome.sentence)
            pause = pause_after(attempt, outcome.wait_seconds, until - self._clock.monotonic())
            if isinstance(pause, str):
                raise EmbeddingError(f"{outcome.sentence} {pause}")
            logger.warning("%s Asking again in %.1f s (attempt %d of %d).", outcome.sentence, pause, attempt, ATTEMPTS)
            self._clock.wait(pause)
            attempt += 1

    def _attempt(self, question: dict[str, Any], seconds: float) -> "Mapping[str, Any] | _Fault":
        label, check, content = self._provider.label, f"Check {self._provider.url_setting}.", bytearray()
        try:
            with self._http.stream("POST", self._url, json=question, timeout=seconds) as response:
                if response.status_code != HTTPStatus.OK:
                    return self._refused(response)
                for chunk in response.iter_raw():
                    content += chunk
                    if len(content) > MAX_ANSWER_BYTES:
                        return _Fault(f"{self._said} has more than {MAX_ANSWER_BYTES:,} bytes. {check}")
        except (httpx2.TimeoutException, httpcore2.TimeoutException):
            return _Fault(f"{label} at {self.host} did not answer in {seconds:.1f} s.", again=True)
        except (httpx2.HTTPError, httpcore2.NetworkError, httpcore2.ProtocolError) as error:
            # Only the class: the words of a network error can hold the address with a password in it.
            cause = type(error).__name__
            said = f"{label} at {self.host} could not be reached, or broke off ({cause})."
            return _Fault(f"{said} See that it runs, and check {self._provider.url_setting}.", again=True)
        try:
            answer = json.loads(content)
        except (ValueError, RecursionError):
            return _Fault(f"{self._said} is no whole JSON. {check}", again=True)
        return answer if isinstance(answer, dict) else _Fault(f"{self._said} is no JSON object. {check}")

    def _refused(self, response: httpx2.Response) -> "_Fault":
        # The server's own words are left out: they may quote the texts, or the key.
        status, provider = response.status_code, self._provider
        said = f"{self._said} is HTTP {status}."
        if status < HTTPStatus.BAD_REQUEST:
            return _Fault(
                f"{said} Texts are not sent on to another address; set {provider.url_setting} to the right one."
            )
        if status in AGAIN or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            wait = asked_wait(response.headers, self._clock)
            return _Fault(f"{said} It is busy or out of order.", again=True, wait_seconds=wait)
        if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            return _Fault(f"{said} Check {provider.key_setting or provider.url_setting}.")
        if status == HTTPStatus.NOT_FOUND:
            return _Fault(f"{said} {provider.without_the_model} Or check {provider.url_setting}.")
        return _Fault(f"{said} Check EMBEDDING_MODEL and EMBEDDING_DIMENSION.")

    @property
    def _said(self) -> str:
        return f"The answer of {self._provider.label} at {self.host}"


@dataclass(frozen=True)
class _Fault:
    """The failure of one attempt."""

    sentence: str
    again: bool = False  # True if the same request may succeed later.
    wait_seconds: float | None = None  # The wait that the server asks for.


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in order, cut and cleaned, in batches that one request may hold."""
    batch: list[str] = []
    size = 0
    for text in texts:
        whole = sendable(text[:MAX_TEXT_BYTES]).encode()
        cut = whole[:MAX_TEXT_BYTES].decode(errors="ignore").strip() or BLANK
        length = len(cut.encode())
        if batch and (len(batch) == MAX_REQUEST_TEXTS or size + length > MAX_REQUEST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(cut)
        size += length
    if batch:
        yield batch
