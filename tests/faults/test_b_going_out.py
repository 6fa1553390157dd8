"""Going out: what stalls, dies and lies between us and Twilio, in real processes."""

from pathlib import Path

import pytest

from tests.claude_server import ClaudeServer, say
from tests.serving import Serving
from tests.twilio_server import HTML_503, PROBLEM_500, Fault, TwilioServer

LEASE = "0.2"  # Seconds: a second process takes five times as long to start.


def process(folder: Path, claude: ClaudeServer, twilio: TwilioServer) -> Serving:
    return Serving.live(folder, twilio, claude, SEND_LEASE_SECONDS=LEASE)


def test_r34_a_worker_paused_past_its_lease_sends_nothing_under_it_when_it_goes_on(
    tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.otherwise = say("Once only")
    paused, second = process(tmp_path, claude, twilio), process(tmp_path, claude, twilio)
    paused.start(faults="send.claimed:1:STOP")
    try:
        paused.text("Hi")
        paused.wait_for_stop()
        with second:
            assert twilio.accepted == []
            paused.go_on()
            twilio.wait_for(1)
            claude.otherwise = say("Next")
            second.text("And?")
            assert [text.body for text in twilio.wait_for(2)] == ["Once only", "Next"]
            assert any("held too long" in line for line in paused.lines)
    finally:
        paused.kill()
    assert twilio.bodies == ["Once only", "Next"]


@pytest.mark.parametrize("fault", [HTML_503, PROBLEM_500], ids=["html", "problem"])
def test_r24_an_answer_in_no_known_form_is_classified_and_the_next_text_goes_on(
    fault: Fault, tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    twilio.next_faults = [fault]
    claude.queue(say("In doubt"), say("Next"))
    with process(tmp_path, claude, twilio) as keepsake:
        keepsake.text("Hi")
        assert claude.wait_for(1)
        keepsake.text("And?")
        twilio.wait_for(1 + fault.accepts)
        assert keepsake.terminate() == 0
        assert not any("Traceback" in line for line in keepsake.lines)
    assert twilio.bodies == ["In doubt"] * fault.accepts + ["Next"]
