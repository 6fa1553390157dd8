"""The choice of an embedder by the settings, and the doctor's words on it."""

import re
import sys

import pytest

from app.operations.checks import Finding
from app.operations.checks.settings import check_embeddings
from app.settings import Settings
from app.wiring import embedder_alone
from tests import sentence_transformers_stand_in
from tests.embedding_servers import SERVERS, EmbeddingServer


def found(settings: Settings) -> Finding:
    (finding,) = check_embeddings(settings, embedder_alone(settings))
    assert finding.check == "EMBEDDINGS"
    return finding


def test_without_the_weights_the_doctor_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert embedder_alone(Settings()) is not None
    monkeypatch.setattr(sys, "path", [])
    assert embedder_alone(Settings()) is None
    finding = found(Settings())
    assert finding.level == "warn"
    assert "Run make setup. Until then memory is searched by words alone." in finding.says


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.provider)
def test_each_provider_is_tried_out_by_the_doctor(server: type[EmbeddingServer]) -> None:
    with server() as there:
        finding = found(there.settings())
        assert finding.level == "ok"
        assert re.search(rf"of {there.dimension:,} numbers come from {there.provider}:{there.model}", finding.says)
        there.settings()
        finding = found(there.settings(embedding_model="no-such-model"))
    assert finding.level == "bad"
    assert "EMBEDDING_MODEL" in finding.says
    assert finding.says.endswith("Until then memory is searched by words alone.")


def test_the_doctor_says_what_is_missing_of_an_optional_package(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(embeddings="sentence-transformers")
    sentence_transformers_stand_in.installed(monkeypatch, None)
    assert (found(settings).level, "pip install" in found(settings).says) == ("bad", True)
    sentence_transformers_stand_in.installed(monkeypatch)
    assert found(settings).level == "ok"
