"""`keepsake eval recall`: a made-up file in the form of LoCoMo, through the product's own index and ranking."""

import json
from collections.abc import Callable
from math import log2
from pathlib import Path
from typing import Any

import pytest

from app.operations.evaluation import Question, averages, score
from app.settings import Settings
from tests.cli.conftest import Run
from tests.embedding_servers import OllamaServer

CHATS = Path(__file__).resolve().parent.parent / "data" / "chats_with_questions.json"
METRICS = ["recall@1", "recall@5", "recall@10", "recall@25", "mrr", "ndcg@10"]
Change = Callable[[list[dict[str, Any]]], object]


@pytest.fixture(autouse=True)
def _words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDINGS", "none")


def measured(run: Run, *arguments: str, data: Path | str = CHATS, **environment: str) -> dict[str, Any]:
    found: dict[str, Any] = run.json("eval", "recall", "--data", str(data), *arguments, **environment)
    return found


def changed(change: Change) -> Path:
    samples = json.loads(CHATS.read_text())
    change(samples)
    path = Path("changed.json")
    path.write_text(json.dumps(samples), "utf-8-sig")
    return path


def test_the_answer_for_programs_is_what_the_contract_says_and_touches_nothing(run: Run, tmp_path: Path) -> None:
    found = measured(run)
    by_category = found["by_category"]
    assert list(found) == [*METRICS, "by_category"]
    assert list(by_category) == ["1", "2", "4", "5"]
    assert all(list(values) == METRICS for values in by_category.values())
    assert all(0 <= found[name] <= 100 for name in METRICS)
    assert found["recall@5"] == 100.0
    # A turn is named in any of the ways that files name it: `D2:02`, and `D1:2; D2:3` as one piece of evidence.
    assert (by_category["2"]["recall@1"], by_category["1"]["recall@5"]) == (100.0, 100.0)
    assert not Settings().database_path.exists()
    assert list(tmp_path.iterdir()) == []


def test_what_the_chat_does_not_answer_counts_only_for_itself(run: Run) -> None:
    more = [{"question": "Xylophone?", "evidence": ["D1:3"], "category": 5}] * 3
    found = measured(run, data=changed(lambda samples: samples[0]["qa"].extend(more)))
    assert (found["recall@5"], found["by_category"]["5"]["recall@5"]) == (100.0, 25.0)


def test_another_ranking_and_a_part_of_the_search_may_be_chosen(run: Run) -> None:
    best, words, fusion = measured(run), measured(run, "--ranking", "words"), measured(run, "--ranking", "fusion")
    assert best["recall@1"] > words["recall@1"]
    assert fusion["recall@25"] == 100.0
    assert measured(run, "--only", "words") == best
    assert run("eval", "recall", "--data", str(CHATS), "--ranking", "magic").exit_code == 2
    refused = run.refusal("eval", "recall", "--data", str(CHATS), "--only", "meaning")
    assert "--only meaning needs an embedder, and with EMBEDDINGS=none there is none here." in refused


def test_the_settings_embedder_sees_what_is_said_and_what_is_asked(run: Run) -> None:
    with OllamaServer() as server:
        assert measured(run, "--only", "meaning", **server.environment())["recall@25"] > 0
    assert server.seen() >= {
        "search_document: Tom: The small one by the canal in Leeds.",
        "search_document: My dentist appointment moved to Friday at nine.",
        "search_query: When did I hand in her thesis?",
    }


def test_pictures_count_as_said_where_it_is_asked_for_or_nothing_else_is_said(run: Run) -> None:
    def show_more(samples: list[dict[str, Any]]) -> None:
        samples[0]["conversation"]["session_1"][3]["blip_caption"] = "a heron beside narrowboats"
        samples[0]["qa"] = [
            {"question": "What is the red kayak on?", "evidence": ["D1:5"], "category": 4},
            {"question": "Where were herons and narrowboats?", "evidence": ["D1:4"], "category": 3},
        ]

    path = changed(show_more)
    without, shown = (measured(run, *more, data=path)["by_category"] for more in ([], ["--captions"]))
    assert without["4"]["recall@1"] == shown["4"]["recall@1"] == 100.0
    assert (without["3"]["mrr"], shown["3"]["mrr"]) == (0.0, 100.0)


def test_for_people_it_is_a_table_and_what_could_not_be_measured_is_said_apart(run: Run) -> None:
    undated = changed(lambda samples: samples[0]["conversation"].update(session_2_date_time="some day in spring"))
    result = run("eval", "recall", "--data", str(undated))
    assert result.exit_code == 0, result.output
    heading, *rows = [line.split() for line in result.stdout.splitlines()]
    assert heading == ["questions", *METRICS]
    assert [(row[0], row[-7]) for row in rows] == [
        ("all", "6"),
        ("multi-hop", "1"),
        ("temporal", "2"),
        ("single-hop", "3"),
        ("adversarial", "1"),
    ]
    assert "names no turn of their chat: 1 of the questions." in result.stderr
    assert "only words are searched" in result.stderr


def lose_turns(samples: list[dict[str, Any]]) -> None:
    for sample in samples:
        for question in sample["qa"]:
            question["evidence"] = ["D77:1", None]


def talk(samples: list[dict[str, Any]], session: int) -> list[dict[str, Any]]:
    turns: list[dict[str, Any]] = samples[0]["conversation"][f"session_{session}"]
    return turns


REFUSED: dict[str, tuple[str | Change, str]] = {
    "not JSON": ("[{", "is not JSON"),
    "not a list": ('{"qa": []}', "is not a list of samples"),
    "nothing in it": ("[]", "is not a list of samples"),
    "no sample": ("[7]", "sample 1: it has no conversation"),
    "no questions": (lambda samples: samples[1].pop("qa"), "sample 2: it has no list of questions"),
    "nothing said": (lambda samples: samples[0].update(conversation={}), "sample 1: nothing is said"),
    "evidence of no turn": (lose_turns, "has no question to measure"),
    "no speaker": (
        lambda samples: talk(samples, 2)[1].pop("speaker"),
        "sample 1, session_2, turn 2: it has no speaker",
    ),
    "no text": (lambda samples: talk(samples, 1)[0].update(text=["Hello"]), "session_1, turn 1: its text is no text"),
    "nothing asked": (lambda samples: samples[0]["qa"].append({}), "sample 1, question 7: it has no question"),
    "not there": ("", "No such file or directory."),
}


@pytest.mark.parametrize(("given", "sentence"), REFUSED.values(), ids=REFUSED)
def test_a_file_in_another_form_is_refused_in_one_sentence(run: Run, given: str | Change, sentence: str) -> None:
    path = Path("given.json")
    if not isinstance(given, str):
        path = changed(given)
    elif given:
        path.write_text(given)
    refused = run.refusal("eval", "recall", "--data", str(path), "--json")
    assert sentence in refused
    assert refused.startswith(str(path))
    assert len(refused.splitlines()) == 1


def test_what_an_order_comes_to_is_what_one_works_out_by_hand() -> None:
    half = 0.5, 1.0, 1.0, 0.5, pytest.approx((1 / log2(3) + 1 / log2(7)) / (1 / log2(2) + 1 / log2(3)))
    for order, evidence, values in (
        ([4, 7, 2, 9, 3, 8], {7, 8}, (0.0, *half)),
        ([7, 8], {7, 8}, (0.5, 1.0, 1.0, 1.0, 1.0, 1.0)),
        (range(1, 12), {11}, (0.0, 0.0, 0.0, 1.0, 1 / 11, 0.0)),
        ([], {1}, (0.0,) * 6),
        ([2, 3], {1}, (0.0,) * 6),
    ):
        assert score(Question("", frozenset(evidence), "1"), order).values == dict(zip(METRICS, values, strict=True))
    scores = [score(Question("", frozenset({1}), "4"), [turn]) for turn in (1, 2, 1)]
    assert averages(scores)["recall@1"] == 66.67
    assert averages([]) == dict.fromkeys(METRICS, 0.0)
