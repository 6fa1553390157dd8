"""Texts come twice, at once, damaged or from machines, and each is kept once and answered at most once.

What the door itself refuses, by signature, form or sender, stands in `tests/web/test_sms.py` and `test_signature.py`
beside it, what the inbox makes of a text in `tests/delivery/test_inbox.py`.
Here: real processes, and texts all the way from the webhook to the reply.
"""

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from app.conversation.waiting import LOOP_REPLIES
from app.models import Message
from tests.asked_of_claude import newest
from tests.claude_server import ClaudeServer, Reply, say, text
from tests.faults.outages import Scene
from tests.line import Line
from tests.serving import Serving
from tests.twilio_server import NUMBER, TwilioServer

SID = "SM" + "5" * 32


def test_r1_a_text_brought_twenty_times_at_once_to_two_processes_is_answered_once(
    tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.queue(say("Once."), say("Next."))
    one, other = (Serving.live(tmp_path, twilio, claude) for _ in range(2))
    with one, other, ThreadPoolExecutor(20) as pool:
        brought = [pool.submit(process.text, "Hello", sid=SID) for process in (one, other) * 10]
        assert [each.result() for each in brought] == [200] * 20
        twilio.wait_for(1)
        assert other.text("Hello", sid=SID) == 200  # And on the fallback address, late.
        one.text("And now?")
        assert [accepted.body for accepted in twilio.wait_for(2)] == ["Once.", "Next."]
    assert len(claude.requests) == 2
    assert str(claude.requests[1]["messages"]).count("Hello") == 1


@pytest.mark.parametrize(
    "place", ["group.after", *(pytest.param(place, marks=pytest.mark.whole) for place in ("group.before", "text.kept"))]
)
def test_r2_a_process_that_dies_around_the_commit_answers_the_text_once_that_twilio_brings_again(
    place: str, tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.queue(say("Welcome."), say("Once."), say("Next."))
    with Serving.live(tmp_path, twilio, claude).armed(f"{place}:2:KILL") as keepsake:
        keepsake.text("Hi")  # Somebody new takes another way in.
        twilio.wait_for(1)
        with suppress(OSError):
            keepsake.text("Hello", sid=SID)
        assert keepsake.wait_for_death() == -signal.SIGKILL
        keepsake.start()
        assert keepsake.text("Hello", sid=SID) == 200
        twilio.wait_for(2)
        keepsake.text("And now?")
        assert [accepted.body for accepted in twilio.wait_for(3)] == ["Welcome.", "Once.", "Next."]


def test_r3_the_webhook_answers_at_once_while_every_worker_waits_for_the_model(
    tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.otherwise = Reply(content=[text("Too late")], until=threading.Event())
    took: list[float] = []
    with Serving.live(tmp_path, twilio, claude, WORKERS="2") as keepsake:
        for number in range(40):
            began = time.monotonic()
            assert keepsake.text("Hello", sender=f"+1415555{number:04}") == 200
            took.append(time.monotonic() - began)
        assert claude.wait_for(2)
    assert sorted(took)[-2] < 1.0
    assert len(claude.requests) == 2
    assert twilio.bodies == []


@pytest.mark.parametrize("sender", ["72975", "GOOGLE", "My Bank 24", NUMBER, "rcs:agent_1"])
def test_r14_what_a_machine_texts_is_kept_and_never_answered(sender: str, line: Line) -> None:
    for number in range(3):
        line.text(f"Your code is {number}", sender=sender)
    assert [message.state for message in line.came()] == ["unanswered"] * 3
    assert line.went() == []
    assert line.twilio.bodies == []


def test_r15_two_machines_that_answer_each_other_fall_silent_long_before_twilio_cuts_the_number_off(line: Line) -> None:
    heard = 0
    line.text("Thank you for your message. I will get back to you soon.")
    for _ in range(60):  # The other machine answers whatever it gets, within a second.
        for body in line.twilio.bodies[heard:]:
            heard += 1
            line.text(f"Thank you for your message: {body[:60]}")
        line.clock.advance(seconds=1)
    assert LOOP_REPLIES <= len(line.twilio.bodies) <= LOOP_REPLIES + 1
    assert line.alerts() == ["loop"]
    assert {message.state for message in line.came()} == {"answered", "waiting"}


@pytest.mark.parametrize(
    "body",
    ["\U0001f600" * 800, "שלום עולם", "e\u0301" * 30, "\u200d\u200d", "   \n", "a\x00b", "\x07\x1b[31m", "x" * 999],
)
def test_r16_a_strange_body_gets_a_reply_that_can_be_sent(body: str, line: Line) -> None:
    line.text(body)
    assert line.twilio.bodies
    assert all(sent.strip() and len(sent) <= 1600 for sent in line.twilio.bodies)


def test_r17_six_texts_in_a_row_are_one_turn_in_their_order_whatever_the_clock_does(scene: Scene) -> None:
    scene.claude.queue(say("All six."))
    words = ["one", "two", "three", "four", "five", "six"]
    for word in words:
        scene.alex.send(word)
        scene.clock.advance(seconds=-0.7)
    scene.background.run()
    assert scene.alex.received() == ["All six."]
    assert newest(scene.claude.requests[0]) == "\n".join(words)
    texts: list[Message] = scene.alex.messages("in")
    assert [one.body for one in texts] == words
    assert {one.state for one in texts} == {"answered"}


def test_r17_a_text_that_comes_while_the_answer_is_made_is_answered_after_it(scene: Scene) -> None:
    def interrupted(_: object) -> Reply:
        scene.alex.send("And two?")
        return say("One.")

    scene.claude.queue(interrupted, say("Two."))
    assert scene.alex.text("What is one?") == ["One.", "Two."]
