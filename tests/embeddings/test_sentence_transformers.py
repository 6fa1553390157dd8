"""The optional package, by a stand-in with its names and arguments: the real one brings torch along."""

import numpy as np
import pytest

from app.embeddings.sentence_transformers import SentenceTransformersEmbedder
from app.errors import EmbeddingError
from app.settings import Settings
from tests.fakes import FrozenClock
from tests.sentence_transformers_stand_in import BeforeFive, installed


def made(**given: object) -> SentenceTransformersEmbedder:
    return SentenceTransformersEmbedder(Settings(embeddings="sentence-transformers", **given), FrozenClock())  # type: ignore[arg-type]


def test_a_package_without_a_form_for_queries_is_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, BeforeFive)
    with pytest.raises(EmbeddingError, match=r"could not embed \(AttributeError\)"):
        made().embed(["ok"])


def test_a_model_that_cannot_be_had_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch)
    with pytest.raises(EmbeddingError, match=r"no-such-model cannot be loaded \(OSError\). Check EMBEDDING_MODEL"):
        made(embedding_model="no-such-model").embed(["ok"])


def test_what_torch_says_of_a_text_is_not_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch)
    with pytest.raises(EmbeddingError, match=r"could not embed \(RuntimeError\)") as raised:
        made().embed(["overflow of my secret"])
    assert "secret" not in str(raised.value)


def test_queries_have_their_own_form_and_a_dimension_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch)
    embedder, short = made(), made(embedding_dimension=64)
    assert np.abs(embedder.embed(["ok"]) - embedder.embed(["ok"], is_query=True)).max() > 0.01
    assert (embedder.name, embedder.dimension) == ("sentence-transformers:all-MiniLM-L6-v2", 384)
    assert (short.name, short.embed(["ok"]).shape) == ("sentence-transformers:all-MiniLM-L6-v2:64", (1, 64))
