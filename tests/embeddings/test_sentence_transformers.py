"""The optional package, by a stand-in with its names and arguments: the real one brings torch along."""

import numpy as np
import pytest

from app.embeddings.sentence_transformers import SentenceTransformersEmbedder
from app.errors import EmbeddingError
from app.settings import Settings
from tests.fakes import FrozenClock
from tests.sentence_transformers_stand_in import BeforeFive, SentenceTransformer, installed


def made(**given: object) -> SentenceTransformersEmbedder:
    return SentenceTransformersEmbedder(Settings(embeddings="sentence-transformers", **given), FrozenClock())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("offered", "model", "said"),
    [
        (BeforeFive, None, r"could not embed \(AttributeError\)"),
        (SentenceTransformer, "no-such-model", r"no-such-model cannot be loaded \(OSError\). Check EMBEDDING_MODEL"),
        (SentenceTransformer, None, r"could not embed \(RuntimeError\)"),
    ],
)
def test_what_fails_there_is_a_sentence_without_the_text(
    monkeypatch: pytest.MonkeyPatch, offered: type, model: str | None, said: str
) -> None:
    installed(monkeypatch, offered)
    with pytest.raises(EmbeddingError, match=said) as raised:
        made(embedding_model=model).embed(["overflow of my secret"])
    assert "secret" not in str(raised.value)


def test_queries_have_their_own_form_and_a_dimension_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch)
    embedder, short = made(), made(embedding_dimension=64)
    assert np.abs(embedder.embed(["ok"]) - embedder.embed(["ok"], is_query=True)).max() > 0.01
    assert (embedder.name, embedder.dimension) == ("sentence-transformers:all-MiniLM-L6-v2", 384)
    assert (short.name, short.embed(["ok"]).shape) == ("sentence-transformers:all-MiniLM-L6-v2:64", (1, 64))
