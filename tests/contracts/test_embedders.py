from collections.abc import Iterator

import pytest

from app.embeddings.local import LocalEmbedder, local_embedder
from app.embeddings.sentence_transformers import SentenceTransformersEmbedder
from app.services import Clock, Embedder
from app.settings import Settings
from tests import sentence_transformers_stand_in
from tests.contracts.embedder import EmbedderContract
from tests.embedding_servers import SERVERS, EmbeddingServer
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


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.provider)
class TestRemote(EmbedderContract):
    @pytest.fixture
    def embedder(self, clock: FrozenClock, server: type[EmbeddingServer]) -> Iterator[Embedder]:
        with server() as there:
            yield there.embedder(clock)
