"""Texting from the terminal."""

from collections.abc import Callable

import pytest

from app.cli.text import NO_ANSWER
from app.errors import ModelError, OverBudget
from app.models import Message
from app.settings import Settings
from app.text import kind_words
from app.wiring import build_services
from tests.claude_server import ClaudeServer, Reply, call, error, say
from tests.cli.conftest import Run
from tests.otlp_collector import Collector


@pytest.fixture
def replies(claude: ClaudeServer, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A function that queues Claude's answers to the next texts of the terminal."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", claude.key)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", claude.url)
    return claude.queue


Replies = Callable[..., None]


def test_what_is_told_by_one_command_is_known_to_the_next(run: Run, replies: Replies, claude: ClaudeServer) -> None:
    max_ = {"fact": "Has a dog named Max", "category": "pets"}
    replies(call("extract_memory", {"facts": [max_]}), say("A fine name."), say("Max."))
    told = run("text", "My dog is called Max")
    assert (told.stdout, told.exit_code) == ("A fine name.\n", 0), "the reply stands alone"
    assert "Max" not in told.stderr
    assert run.printed("text", "What is my dog called?") == "Max.\n"
    assert claude.refused == []
    assert "Has a dog named Max." in str(claude.requests[-1]["system"])
    (fact,) = run.json("facts", "list")
    assert (fact["fact"], fact["source"], fact["person"]) == ("Has a dog named Max", "explicit", "+12065550100")


def test_without_a_message_each_line_is_a_text_and_a_pipe_sees_only_replies(
    run: Run, replies: Replies, claude: ClaudeServer
) -> None:
    replies(say("One."), say("Two."))
    assert run("text", input="first\n\nsecond").stdout == "One.\nTwo.\n"
    asked = [str(request["messages"][-1]["content"]) for request in claude.requests]
    assert ["first" in asked[0], "second" in asked[1]] == [True, True]


def test_a_reply_to_the_terminal_is_not_left_to_be_sent_and_from_says_whose_phone_it_is(run: Run) -> None:
    assert run.printed("text", "My name is Alex.", "--from", "+44 20 7946 0018").strip()
    assert [person["number"] for person in run.json("people", "list")] == ["+442079460018"]
    with build_services(Settings()).reading() as db:
        states = {(message.direction, message.state, message.carrier) for message in db.query(Message)}
    assert states == {("in", "answered", "terminal"), ("out", "sent", "terminal")}


def refused_key() -> Reply:
    return error(401, "authentication_error")


def test_a_kind_sentence_in_the_place_of_an_answer_is_exit_code_1_with_the_reason_on_stderr(
    run: Run, replies: Replies, claude: ClaudeServer
) -> None:
    replies(refused_key(), say("", stop_reason="refusal"))
    away, refused = (run("text", "Hi there") for _ in range(2))
    assert (away.stdout, away.exit_code) == (f"{kind_words.apology(changed=False)}\n", 1)
    assert "Check ANTHROPIC_API_KEY." in away.stderr
    assert away.stderr.splitlines()[-1].startswith("No answer: The model is down. `keepsake doctor`")
    assert claude.key not in away.stderr
    assert "Hi there" not in away.stderr
    assert (refused.stdout, refused.exit_code) == (f"{kind_words.REFUSED}\n", 1)
    assert refused.stderr == "No answer: The model refused to answer. Ask in other words.\n"


def test_the_question_what_to_stop_is_an_answer(run: Run) -> None:
    asked = run("text", "How do I unsubscribe?")
    assert (asked.stdout, asked.stderr, asked.exit_code) == (f"{kind_words.WHAT_TO_STOP}\n", "", 0)


def test_a_chat_goes_on_after_a_text_without_an_answer_or_a_carriers_word_and_ends_with_the_code_of_its_last(
    run: Run, replies: Replies
) -> None:
    replies(refused_key(), say("Here I am."))
    mended = run("text", input="first\nsecond\n")
    assert mended.stdout == f"{kind_words.apology(changed=False)}\nHere I am.\n"
    assert mended.stderr.count("No answer:") == 1
    assert mended.exit_code == 0
    replies(say("Here I am."), refused_key())
    assert run("text", input="first\nsecond\n").exit_code == 1
    replies(say("Hello again."))
    chat = run("text", input="STOP\nHello?\nSTART\nHello\n")
    assert (chat.stdout, chat.exit_code) == ("Hello again.\n", 0)
    assert len(chat.stderr.splitlines()) == 3


def test_every_fault_of_the_model_and_a_spent_budget_has_its_reason() -> None:
    faults: list[type[ModelError]] = [ModelError, *ModelError.__subclasses__()]
    assert {OverBudget.code, *(fault.code for fault in faults)} <= NO_ANSWER.keys()


def test_the_turn_is_told_to_the_collector_of_the_settings_before_the_command_ends(run: Run) -> None:
    with Collector() as collector:
        told = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"{collector.url}/", "OTEL_EXPORTER_OTLP_HEADERS": "x-key=a%20b"}

        assert run("text", "/help", EMBEDDINGS="none", NO_PROXY="127.0.0.1", **told).exit_code == 0

    assert [span.name for span in collector.spans()] == ["turn", "send"]
    assert {headers["x-key"] for headers in collector.headers} == {"a b"}
