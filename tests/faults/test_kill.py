"""`kill -9` at the worst moments, in a real process, and what the person's phone got in the end."""

import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.asked_of_claude import memory_shown
from tests.claude_server import ClaudeServer, Reply, call, say, text
from tests.serving import Serving
from tests.twilio_server import CUT_AFTER_ACCEPTING, TwilioServer

COFFEE = {"facts": [{"fact": "Likes black coffee"}]}


@pytest.fixture
def keepsake(tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer) -> Iterator[Serving]:
    with Serving.live(tmp_path, twilio, claude) as serving:
        yield serving


def never() -> Reply:
    """A model that is still thinking when the process dies."""
    return Reply(content=[text("Too late")], until=threading.Event())


def test_a_text_is_answered_by_a_real_process(keepsake: Serving, claude: ClaudeServer, twilio: TwilioServer) -> None:
    claude.queue(say("Hello from Claude"))
    assert keepsake.text("Hi") == 200
    assert [accepted.body for accepted in twilio.wait_for(1)] == ["Hello from Claude"]


def test_r18_a_process_killed_while_the_model_thinks_answers_once_after_the_restart(
    keepsake: Serving, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.queue(never())
    keepsake.text("Are you there?")
    assert claude.wait_for(1)
    keepsake.kill()
    claude.queue(say("Yes."))
    keepsake.start()
    assert [accepted.body for accepted in twilio.wait_for(1)] == ["Yes."]


def test_r2_a_process_killed_right_after_the_200_answers_once_though_twilio_brings_the_text_again(
    keepsake: Serving, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.otherwise = never()  # The kill may come before the model is asked, or after.
    sid = "SM" + "7" * 32
    keepsake.text("Hello", sid=sid)
    keepsake.kill()
    claude.otherwise = say("Hello to you")
    keepsake.start()
    keepsake.text("Hello", sid=sid)
    twilio.wait_for(1)
    keepsake.text("And again", sid="SM" + "8" * 32)
    assert [accepted.body for accepted in twilio.wait_for(2)] == ["Hello to you", "Hello to you"]
    assert "Hello" in str(claude.requests[-1]["messages"][:-1])


def test_a_process_killed_while_the_model_thinks_about_a_tools_result_does_not_ask_for_the_call_again(
    keepsake: Serving, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.queue(call("extract_memory", COFFEE), never())
    keepsake.text("I like black coffee")
    assert claude.wait_for(2)
    keepsake.kill()
    claude.queue(say("Noted: black coffee."))
    keepsake.start()
    assert [accepted.body for accepted in twilio.wait_for(1)] == ["Noted: black coffee."]
    assert len(claude.requests) == 3


def test_r20_a_reply_that_twilio_may_have_taken_is_not_sent_again_after_a_kill(
    keepsake: Serving, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    twilio.next_faults = [CUT_AFTER_ACCEPTING]
    claude.queue(say("Once only"), say("Next"))
    keepsake.text("Hi")
    twilio.wait_for(1)
    keepsake.kill()
    keepsake.start()
    keepsake.text("Still there?")
    assert [accepted.body for accepted in twilio.wait_for(2)] == ["Once only", "Next"]


def test_a_text_that_came_while_the_model_was_thinking_is_answered_after_the_restart_in_order(
    keepsake: Serving, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.queue(never())
    keepsake.text("First")
    assert claude.wait_for(1)
    keepsake.text("Second")
    keepsake.kill()
    claude.queue(say("Answer to the first"), say("Answer to the second"))
    keepsake.start()
    assert [accepted.body for accepted in twilio.wait_for(2)] == ["Answer to the first", "Answer to the second"]


def test_sigterm_lets_the_answer_under_way_go_out(
    keepsake: Serving, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    may_answer = threading.Event()
    claude.queue(Reply(content=[text("Just in time")], until=may_answer))
    keepsake.text("Hi")
    assert claude.wait_for(1)
    threading.Timer(0.2, may_answer.set).start()
    assert keepsake.terminate() == 0
    assert twilio.bodies == ["Just in time"]


@pytest.mark.parametrize(
    "place",
    [
        "call.kept",
        "turn.finished",
        *(pytest.param(place, marks=pytest.mark.whole) for place in ("model.answered", "answer.kept", "tool.ran")),
    ],
)
def test_r44_a_process_that_dies_around_a_tool_learns_the_fact_once_and_answers_once(
    place: str, tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    asked_again = [call("extract_memory", COFFEE)] if place == "model.answered" else []  # It was not kept.
    claude.queue(call("extract_memory", COFFEE), *asked_again, say("Noted: black coffee."))
    with Serving.live(tmp_path, twilio, claude).armed(f"{place}:1:KILL") as keepsake:
        keepsake.text("I like black coffee")
        assert keepsake.wait_for_death() == -signal.SIGKILL
        keepsake.start()
        assert [accepted.body for accepted in twilio.wait_for(1)] == ["Noted: black coffee."]
    told = claude.requests[-1]
    assert '"stored": [{"id": 1, "fact": "Likes black coffee"}]' in str(told["messages"][-1])
    assert memory_shown(told).count("Likes black coffee") == 1
    assert len(claude.requests) == (3 if place == "model.answered" else 2)
