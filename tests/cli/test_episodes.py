"""Episodes in the terminal, and embedding all of memory again with the embedder of the settings."""

from collections.abc import Iterator

import pytest

from app.conversation import turn
from app.features.offline.extract import ExtractiveSummariser
from app.memory import episodes, index
from app.memory.index import IndexQuery
from app.settings import Settings
from app.wiring import build_services
from tests.cli.conftest import Run
from tests.conftest import MakeServices
from tests.embedding_servers import Answer, OllamaServer
from tests.memory.remembering import ANNA, BEN, add_person, tell
from tests.memory.talking import Talk

EXAM = ["I have a chemistry exam on Friday and I am really scared of it", "My sister Ana says that I worry too much"]
MOVE = ["We signed the lease of the flat in Lisbon today", "The movers come next week and my dog hates boxes"]


@pytest.fixture(autouse=True)
def _words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDINGS", "none")


@pytest.fixture
def ollama() -> Iterator[OllamaServer]:
    with OllamaServer() as server:
        yield server


@pytest.fixture
def anna(make_services: MakeServices) -> Talk:
    """In the database that the commands open too; two conversations have become episodes."""
    anna = Talk(make_services(summariser=ExtractiveSummariser()), ANNA)
    for texts in (EXAM, MOVE):
        for text in texts:
            anna.say(text)
        anna.fall_silent(minutes=120)
    assert len(anna.episodes()) == 2
    return anna


def test_the_list_is_the_latest_first_and_says_all_of_each(run: Run, anna: Talk) -> None:
    move, exam = run.json("episodes", "list")
    assert " ".join(exam) == (
        "id summary narrative topics key_facts importance started_at ended_at messages trigger written_by created_at "
        "person"
    )
    assert (exam["id"], move["id"], exam["person"], exam["messages"]) == (1, 2, ANNA, 4)
    assert "exam" in exam["summary"]
    heading, *lines = run.printed("episodes", "list").splitlines()
    assert (heading, [line.split()[0] for line in lines]) == (ANNA, ["ep2", "ep1"])
    add_person(anna.services, BEN)
    assert run.json("episodes", "list", "--person", BEN) == []
    assert {one["person"] for one in run.json("episodes", "list")} == {ANNA}


def test_one_is_shown_with_what_was_said_and_learned_in_it(run: Run, anna: Talk) -> None:
    shown = run.json("episodes", "show", "ep1")
    with anna.services.reading() as db:
        learned = episodes.facts(db, anna.episodes()[0])
    assert [one["text"] for one in shown["texts"] if one["direction"] == "in"] == EXAM
    assert [one["id"] for one in shown["facts"]] == [fact.number for fact in learned]
    text = run.printed("episodes", "show", "1")
    assert f"< {EXAM[0]}" in text
    assert shown["narrative"] in text


def test_words_find_what_happened_until_it_is_forgotten_and_its_texts_stay(run: Run, anna: Talk) -> None:
    assert [one["id"] for one in run.json("episodes", "search", "the exams that scared me")] == [1]
    assert run.json("episodes", "search", "moving to Lisbon", "--limit", "1")[0]["id"] == 2
    assert run.printed("episodes", "search", "Lisbon").split()[0] == "ep2"
    nothing = run("episodes", "search", "submarine")
    assert (nothing.exit_code, nothing.stdout) == (0, "")
    assert nothing.stderr == f"No episode of {ANNA} answers that.\n"

    said = anna.covered(anna.episodes()[0])
    forgotten = run.json("episodes", "forget", "ep1")
    assert ([one["id"] for one in forgotten["removed"]], forgotten["unknown"]) == ([1], [])
    assert [one["id"] for one in run.json("episodes", "list")] == [2]
    assert run.json("episodes", "search", "exam") == []
    with anna.services.reading() as db:
        assert len(index.search(db, anna.person_id, "episode", IndexQuery("exam chemistry Ana"))) == 0
    assert anna.covered(anna.versions()[0]) == said == EXAM
    assert run.refusal("episodes", "forget", "ep1", "ep7").startswith(f"{ANNA} has no episode ep1, ep7. ")


def remembered(*sentences: str) -> None:
    """Keep facts and a text before any embedder is set."""
    services = build_services(Settings(embeddings="none"))
    tell(services, add_person(services), *sentences)
    turn.run_turn(services, ANNA, "It rains in Lisbon")
    services.store.close()


def test_all_that_was_ever_told_gets_its_vector_once(run: Run, ollama: OllamaServer) -> None:
    none = run.refusal("reembed")
    assert "searched by words alone" in none
    assert "keepsake doctor" in none
    remembered("Likes tea", "Has a cat")
    ollama.answers += [Answer(status=500, body=b'{"error": "out of memory"}')] * 50
    assert run.refusal("reembed", **ollama.environment()).strip()
    ollama.answers.clear()
    done = run.printed("reembed", **ollama.environment())
    assert done.startswith("ollama:nomic-embed-text")
    assert done.endswith(" has seen all of memory: 4 texts now.\n")
    texts = {text.removeprefix("search_document: ") for text in ollama.seen()}
    assert {"Likes tea", "Has a cat", "It rains in Lisbon"} <= texts
    asked = len(ollama.requests)
    assert run.printed("reembed", **ollama.environment()).endswith(
        " has seen all of memory, and there was nothing new.\n"
    )
    assert len(ollama.requests) == asked + 1, "only whether it works"
