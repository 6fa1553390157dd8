"""The contract of every embedder; a subclass for each one provides `embedder`."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from app.embeddings.local import LocalEmbedder, local_embedder
from app.embeddings.sentence_transformers import SentenceTransformersEmbedder
from app.errors import EmbeddingError
from app.services import Clock, Embedder
from app.settings import Settings
from tests import sentence_transformers_stand_in
from tests.embedding_servers import SERVERS, EmbeddingServer
from tests.fakes import FrozenClock

TEXTS = [
    "My sister is moving to Portland in spring.",
    "ok",
    "Ich habe morgen einen Zahnarzttermin in der Königstraße.",
    "来週の火曜日に東京へ行きます。",
    "🐶 walked Max 5 km today",
    "Today was long. " * 60,
]
SAME = 1e-5  # As far as two vectors of one text may lie apart, in each number.


def is_unit(rows: NDArray[np.float32]) -> bool:
    return bool(np.allclose(np.linalg.norm(rows.astype(np.float64), axis=1), 1, atol=SAME))


class EmbedderContract:
    @pytest.fixture
    def embedder(self, clock: FrozenClock) -> Any:
        raise NotImplementedError

    def test_its_name_tells_the_provider_and_so_whether_it_is_waited_for(self, embedder: Embedder) -> None:
        provider, _, model = embedder.name.partition(":")
        assert provider in {"local", "ollama", "openai", "voyage", "sentence-transformers"}
        assert model
        assert embedder.is_outside == (provider in {"ollama", "openai", "voyage"})

    def test_each_text_gets_a_row_of_length_one_whatever_stands_beside_it(self, embedder: Embedder) -> None:
        together = embedder.embed(TEXTS)
        for rows in (together, embedder.embed(TEXTS, is_query=True)):
            assert rows.dtype == np.float32
            assert rows.shape == (len(TEXTS), embedder.dimension)
            assert is_unit(rows)
        apart = np.concatenate([embedder.embed([text]) for text in TEXTS])
        backwards = embedder.embed(TEXTS[::-1])[::-1]
        assert np.abs(together - apart).max() < SAME
        assert np.abs(together - backwards).max() < SAME
        assert len(np.unique(together.round(4), axis=0)) == len(TEXTS), "different texts have different vectors"

    def test_many_texts_are_more_than_one_batch_and_keep_their_order(self, embedder: Embedder) -> None:
        texts = [f"Text {number} is about the number {number}." for number in range(150)]
        rows = embedder.embed(texts)

        assert rows.shape == (150, embedder.dimension)
        assert np.abs(rows[[0, 77, 149]] - embedder.embed([texts[0], texts[77], texts[149]])).max() < SAME

    def test_no_texts_get_no_rows(self, embedder: Embedder) -> None:
        assert len(embedder.embed([])) == 0
        embedder.embed(["ok"])
        assert embedder.embed([]).shape == (0, embedder.dimension)
        assert embedder.embed([]).dtype == np.float32

    @pytest.mark.parametrize(
        "text", ["", " \n\t ", "\x00", "half of a pair: \ud83d", "\ud83d\ude42", "a\x00b", "\u200b", "x" * 100_000]
    )
    def test_no_text_is_without_a_vector_and_none_spoils_its_neighbours(self, embedder: Embedder, text: str) -> None:
        rows = embedder.embed(["ok", text, "My sister is moving to Portland."])

        assert is_unit(rows)
        assert np.abs(rows[[0, 2]] - embedder.embed(["ok", "My sister is moving to Portland."])).max() < SAME

    def test_what_is_not_done_by_the_deadline_is_not_begun(self, embedder: Embedder, clock: FrozenClock) -> None:
        assert is_unit(embedder.embed(["ok"], deadline=clock.monotonic() + 5))
        for deadline in (clock.monotonic(), clock.monotonic() - 5):
            with pytest.raises(EmbeddingError, match="time for the vectors was over"):
                embedder.embed(["ok"], deadline=deadline)

    def test_several_threads_get_the_same_at_once(self, embedder: Embedder) -> None:
        expected = embedder.embed(TEXTS)
        with ThreadPoolExecutor(4) as threads:
            for rows in threads.map(embedder.embed, [TEXTS] * 8):
                assert np.abs(rows - expected).max() < SAME


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
