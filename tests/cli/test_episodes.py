"""Episodes from the terminal."""

import json
from typing import Any

import pytest

from app.features.offline.extract import ExtractiveSummariser
from app.memory import episodes, index
from app.memory.index import IndexQuery
from tests.cli.conftest import Run
from tests.conftest import MakeServices
from tests.embedding_servers import OllamaServer
from tests.memory.remembering import ANNA, BEN, add_person
from tests.memory.talking import Talk

EXAM = ["I have a chemistry exam on Friday and I am really scared of it", "My sister Ana says that I worry too much"]
MOVE = ["We signed the lease of the flat in Lisbon today", "The movers come next week and my dog hates boxes"]


@pytest.fixture(autouse=True)
def _words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDINGS", "none")


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


def printed(run: Run, *arguments: str) -> Any:
    result = run("episodes", *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_the_list_is_the_latest_first_and_says_all_of_each(run: Run, anna: Talk) -> None:
    move, exam = printed(run, "list")
    assert list(exam) == [
        "id",
        "summary",
        "narrative",
        "topics",
        "key_facts",
        "importance",
        "started_at",
        "ended_at",
        "messages",
        "trigger",
        "written_by",
        "created_at",
        "person",
    ]
    assert (exam["id"], move["id"], exam["person"], exam["messages"]) == (1, 2, ANNA, 4)
    assert "exam" in exam["summary"]
    lines = run("episodes", "list").stdout.splitlines()
    assert lines[0] == ANNA
    assert [line.split()[0] for line in lines[1:]] == ["ep2", "ep1"]


def test_only_one_persons_are_listed_where_one_is_named(run: Run, anna: Talk) -> None:
    add_person(anna.services, BEN)
    assert printed(run, "list", "--person", BEN) == []
    assert run("episodes", "list", "--person", BEN).stderr == f"No episode is remembered of {BEN} yet.\n"
    assert {one["person"] for one in printed(run, "list")} == {ANNA}
    result = run("episodes", "show", "ep1")
    assert (result.exit_code, "Say who is meant: --person NUMBER." in result.stderr) == (2, True)


def test_one_is_shown_with_what_was_said_and_learned_in_it(run: Run, anna: Talk) -> None:
    shown = printed(run, "show", "ep1")
    assert [one["text"] for one in shown["texts"] if one["direction"] == "in"] == EXAM
    assert [one["id"] for one in shown["facts"]] == [fact.number for fact in facts_of(anna)]
    text = run("episodes", "show", "1").stdout
    assert f"< {EXAM[0]}" in text
    assert shown["narrative"] in text


def facts_of(anna: Talk) -> list[Any]:
    with anna.services.reading() as db:
        return episodes.facts(db, anna.episodes()[0])


def test_words_find_what_happened(run: Run, anna: Talk) -> None:
    assert [one["id"] for one in printed(run, "search", "the exams that scared me")] == [1]
    assert printed(run, "search", "moving to Lisbon", "--limit", "1")[0]["id"] == 2
    assert run("episodes", "search", "Lisbon").stdout.split()[0] == "ep2"
    nothing = run("episodes", "search", "submarine")
    assert (nothing.exit_code, nothing.stdout) == (0, "")
    assert nothing.stderr == f"No episode of {ANNA} answers that.\n"


@pytest.mark.parametrize("query", ["", "  "])
def test_a_search_for_nothing_is_wrong_usage(run: Run, anna: Talk, query: str) -> None:
    result = run("episodes", "search", query)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "QUERY is empty. Give words or a question" in result.stderr


def test_meaning_finds_it_where_there_is_an_embedder(run: Run, anna: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    with OllamaServer() as server:
        monkeypatch.setenv("EMBEDDINGS", "ollama")
        monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{server.port}")
        assert run("reembed").exit_code == 0
        found = printed(run, "search", "submarine")
        assert {one["id"] for one in found} <= {1, 2}
        assert "search_query: submarine" in [text for asked in server.requests for text in asked["input"]]
    away = run("episodes", "search", "Lisbon")
    assert away.stdout.split()[0] == "ep2"
    assert away.exit_code == 0, "words find it while the embedder is away"


def test_what_is_forgotten_is_found_no_more_and_its_texts_stay(run: Run, anna: Talk) -> None:
    said = anna.covered(anna.episodes()[0])
    forgotten = printed(run, "forget", "ep1")
    assert ([one["id"] for one in forgotten["removed"]], forgotten["unknown"]) == ([1], [])
    assert [one["id"] for one in printed(run, "list")] == [2]
    assert printed(run, "search", "exam") == []
    with anna.services.reading() as db:
        assert len(index.search(db, anna.person_id, "episode", IndexQuery("exam chemistry Ana"))) == 0
    assert anna.covered(anna.versions()[0]) == said == EXAM
    again = run("episodes", "forget", "ep1", "ep7")
    assert again.exit_code == 1
    assert again.stderr.startswith(f"{ANNA} has no episode ep1, ep7. ")


def test_what_names_no_episode_is_refused(run: Run, anna: Talk) -> None:
    result = run("episodes", "show", "exam")
    assert result.exit_code == 2
    assert "'exam' names no episode." in result.stderr
    assert run("episodes", "show", "ep9").stderr.startswith(f"{ANNA} has no episode ep9.")
