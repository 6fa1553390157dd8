"""`kill -9` at the worst moments, in a real process, and what the person's phone got in the end."""

import signal
import threading
from pathlib import Path

import pytest

from tests.asked_of_claude import memory_shown
from tests.claude_server import ClaudeServer, Reply, call, say, text
from tests.serving import Serving
from tests.twilio_server import TwilioServer

LEARN = call("extract_memory", {"facts": [{"fact": "Likes black coffee"}]})
SID = "SM" + "7" * 32


@pytest.mark.parametrize(
    ("texts", "before", "after"),
    [
        (["Are you there?"], [], ["Yes."]),
        (["I like black coffee"], [LEARN], ["Noted: black coffee."]),  # It does not ask for the call again.
        (["First", "Second"], [], ["Answer to the first", "Answer to the second"]),
    ],
    ids=["in the beginning", "after a call", "with a text that came meanwhile"],
)
def test_r2_r18_a_process_killed_while_the_model_thinks_answers_once_though_twilio_brings_the_text_again(
    texts: list[str], before: list[Reply], after: list[str], tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.queue(*before, Reply(content=[text("Too late")], until=threading.Event()))
    with Serving.live(tmp_path, twilio, claude) as keepsake:
        keepsake.text(texts[0], sid=SID)
        assert claude.wait_for(len(before) + 1)
        for body in texts[1:]:
            keepsake.text(body)
        keepsake.kill()
        claude.queue(*map(say, [*after, "Next."]))
        keepsake.start()
        keepsake.text(texts[0], sid=SID)
        twilio.wait_for(len(after))
        keepsake.text("And now?")
        assert [accepted.body for accepted in twilio.wait_for(len(after) + 1)] == [*after, "Next."]
    assert len(claude.requests) == len(before) + 1 + len(after) + 1


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
    asked_again = [LEARN] if place == "model.answered" else []  # It was not kept.
    claude.queue(LEARN, *asked_again, say("Noted: black coffee."))
    with Serving.live(tmp_path, twilio, claude).armed(f"{place}:1:KILL") as keepsake:
        keepsake.text("I like black coffee")
        assert keepsake.wait_for_death() == -signal.SIGKILL
        keepsake.start()
        assert [accepted.body for accepted in twilio.wait_for(1)] == ["Noted: black coffee."]
    told = claude.requests[-1]
    assert '"stored": [{"id": 1, "fact": "Likes black coffee"}]' in str(told["messages"][-1])
    assert memory_shown(told).count("Likes black coffee") == 1
    assert len(claude.requests) == 2 + len(asked_again)
