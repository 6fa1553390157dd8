"""An end that loses nothing, and a process that says how it is, in real processes."""

import http.client
import json
import signal
import socket
import threading
import urllib.error
from collections import Counter
from pathlib import Path

import pytest

from tests.claude_server import ClaudeServer, Reply, say, text
from tests.serving import Serving
from tests.twilio_server import TwilioServer

PEOPLE = [f"+1415555{number:04}" for number in range(10)]


def test_r116_of_ten_turns_five_end_within_the_grace_and_five_after_the_restart_and_none_twice(
    tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    soon, never = threading.Event(), threading.Event()
    quick = set(PEOPLE[:5])

    def reply(request: dict[str, object]) -> Reply:
        said = str(request["messages"])
        return Reply(content=[text("First")], until=soon if any(number in said for number in quick) else never)

    claude.otherwise = reply
    keepsake = Serving.live(tmp_path, twilio, claude, WORKERS="16", SHUTDOWN_GRACE_SECONDS="4")
    with keepsake:
        for person in PEOPLE:
            assert keepsake.text(f"I am {person}", sender=person) == 200
        assert claude.wait_for(10)
        kept = http.client.HTTPConnection("127.0.0.1", keepsake.port)
        kept.request("GET", "/health")
        kept.getresponse().read()
        keepsake.signal(signal.SIGTERM)
        keepsake.wait_for_line("Stopping")
        kept.request("GET", "/ready")
        answer = kept.getresponse()
        assert (answer.status, json.loads(answer.read())["status"]) == (503, "stopping")
        kept.close()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", keepsake.port))
        soon.set()
        assert keepsake.wait_for_death() == 0
        assert {accepted.to for accepted in twilio.accepted} == quick
        assert "5 cut off: taken up at the next start, or by another process." in keepsake.lines
        claude.otherwise = say("Second")
        keepsake.start()
        twilio.wait_for(10)
        keepsake.text("And now?", sender=PEOPLE[0])
        twilio.wait_for(11)
    answered = Counter(accepted.to for accepted in twilio.accepted)
    assert answered == Counter(PEOPLE) + Counter(PEOPLE[:1])
    assert {accepted.body for accepted in twilio.accepted if accepted.to not in quick} == {"Second"}


def test_r116_r117_a_process_just_started_is_ready_and_a_second_signal_ends_it_at_once(
    tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.otherwise = Reply(content=[text("Too late")], until=threading.Event())
    with Serving.live(tmp_path, twilio, claude, SHUTDOWN_GRACE_SECONDS="600") as keepsake:
        status, told = keepsake.ready()
        assert (status, told["status"], told["twilio"], told["model"]) == (200, "ready", "ok", "ok")
        keepsake.text("Hi")
        assert claude.wait_for(1)
        keepsake.signal(signal.SIGTERM)
        keepsake.wait_for_line("Stopping")
        keepsake.signal(signal.SIGTERM)
        assert keepsake.wait_for_death() == -signal.SIGTERM


def test_r116_texts_that_come_while_one_process_takes_over_from_another_are_answered_once(
    tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.otherwise = say("Here.")
    old, new = Serving.live(tmp_path, twilio, claude), Serving.live(tmp_path, twilio, claude)
    with old, new:
        for person in PEOPLE[:3]:
            assert old.text("Hi", sender=person) == 200
        old.signal(signal.SIGTERM)
        for person in PEOPLE[3:]:
            try:
                status = old.text("Hi", sender=person)
            except (urllib.error.URLError, http.client.HTTPException, OSError):
                status = new.text("Hi", sender=person)  # As Twilio does, by the fallback address.
            assert status == 200
        assert old.wait_for_death() == 0
        twilio.wait_for(len(PEOPLE), seconds=30)
        new.text("And now?", sender=PEOPLE[0])
        twilio.wait_for(len(PEOPLE) + 1)
        assert Counter(accepted.to for accepted in twilio.accepted) == Counter([*PEOPLE, PEOPLE[0]])


def test_r103_debug_mode_ends_the_start(tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer) -> None:
    keepsake = Serving.live(tmp_path, twilio, claude, FLASK_DEBUG="1")
    with pytest.raises(AssertionError, match="FLASK_DEBUG: must not be set"):
        keepsake.start()
    assert keepsake.wait_for_death() == 1
