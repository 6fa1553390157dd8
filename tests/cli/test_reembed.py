"""`keepsake reembed`: all of memory seen by the embedder of the settings, which asks a server on loopback."""

from collections.abc import Iterator

import pytest

from app.conversation import turn
from app.settings import Settings
from app.wiring import build_services
from tests.cli.conftest import Run
from tests.embedding_servers import Answer, OllamaServer
from tests.memory.remembering import ANNA, add_person, tell


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[OllamaServer]:
    """A machine that runs Ollama, and an installation that is set to ask it."""
    with OllamaServer() as server:
        monkeypatch.setenv("EMBEDDINGS", "ollama")
        monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{server.port}")
        yield server


def told(*sentences: str) -> None:
    """What was remembered before any embedder was set."""
    services = build_services(Settings(embeddings="none"))
    try:
        person_id = add_person(services)
        tell(services, person_id, *sentences)
        turn.hold(services, ANNA, "It rains in Lisbon")
    finally:
        services.store.close()


def test_all_that_was_ever_told_gets_its_vector(run: Run, ollama: OllamaServer) -> None:
    told("Likes tea", "Has a cat")

    result = run("reembed")

    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("ollama:nomic-embed-text")
    assert result.stdout.endswith(" has seen all of memory: 4 texts now.\n")
    seen = [text for asked in ollama.requests for text in asked["input"]]
    assert {"Likes tea", "Has a cat", "It rains in Lisbon"} <= {text.removeprefix("search_document: ") for text in seen}


def test_a_second_run_has_nothing_to_do(run: Run, ollama: OllamaServer) -> None:
    told("Likes tea")
    run("reembed")
    asked = len(ollama.requests)

    assert run("reembed").stdout.endswith(" has seen all of memory, and there was nothing new.\n")
    assert len(ollama.requests) == asked


def test_without_an_embedder_it_says_what_to_do(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDINGS", "none")

    result = run("reembed")

    assert (result.exit_code, result.stdout) == (1, "")
    assert "searched by words alone" in result.stderr
    assert "keepsake doctor" in result.stderr


def test_an_embedder_that_is_away_is_a_sentence_and_what_was_done_stays(run: Run, ollama: OllamaServer) -> None:
    told(*[f"Likes tea number {number}" for number in range(20)])
    ollama.answers += [Answer(status=500, body=b'{"error": "out of memory"}')] * 50

    result = run("reembed")

    assert result.exit_code == 1
    assert "Traceback" not in result.stderr
    assert result.stderr.strip()
    ollama.answers.clear()
    assert "22 texts now" in run("reembed").stdout
