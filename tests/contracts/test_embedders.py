from collections.abc import Iterator

import pytest

from app.clients.fetching import BoundedTransport
from app.embeddings.local import LocalEmbedder, local_embedder
from app.embeddings.ollama import OllamaEmbedder
from app.embeddings.openai import OpenAIEmbedder
from app.embeddings.sentence_transformers import SentenceTransformersEmbedder
from app.embeddings.voyage import VoyageEmbedder
from app.services import Clock, Embedder
from app.settings import Settings
from tests import sentence_transformers_stand_in
from tests.contracts.embedder import EmbedderContract
from tests.embedding_servers import OllamaServer, OpenAIServer, VoyageServer
from tests.fakes import FrozenClock


class LateClock:
    """The clock of whichever test asks, for an embedder that is loaded once for all of them."""

    now_by: Clock = FrozenClock()

    def __getattr__(self, name: str) -> object:
        return getattr(self.now_by, name)


@pytest.fixture(scope="module")
def loaded() -> LocalEmbedder:
    embedder = local_embedder(LateClock())  # type: ignore[arg-type]
    assert embedder is not None, "the weights are not installed: run make setup"
    return embedder


class TestLocal(EmbedderContract):
    @pytest.fixture
    def embedder(self, clock: FrozenClock, loaded: LocalEmbedder) -> Embedder:
        LateClock.now_by = clock
        return loaded


class TestSentenceTransformers(EmbedderContract):
    @pytest.fixture
    def embedder(self, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch) -> Embedder:
        sentence_transformers_stand_in.installed(monkeypatch)
        return SentenceTransformersEmbedder(Settings(embeddings="sentence-transformers"), clock)


class TestOllama(EmbedderContract):
    @pytest.fixture
    def embedder(self, clock: FrozenClock) -> Iterator[Embedder]:
        with OllamaServer() as server:
            yield OllamaEmbedder(server.settings(), clock, BoundedTransport())


class TestOpenAI(EmbedderContract):
    @pytest.fixture
    def embedder(self, clock: FrozenClock) -> Iterator[Embedder]:
        with OpenAIServer() as server:
            yield OpenAIEmbedder(server.settings(), clock, BoundedTransport())


class TestVoyage(EmbedderContract):
    @pytest.fixture
    def embedder(self, clock: FrozenClock) -> Iterator[Embedder]:
        with VoyageServer() as server:
            yield VoyageEmbedder(server.settings(), clock, BoundedTransport())
