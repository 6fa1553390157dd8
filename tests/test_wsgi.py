"""`wsgi:app` under another server: it stores texts, and says that it answers nobody."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.claude_server import ClaudeServer, say
from tests.serving import Serving
from tests.twilio_server import TwilioServer


@contextmanager
def flask_run(keepsake: Serving) -> Iterator[list[str]]:
    """Run Flask's own server with the same settings, database and port, and yield its log up to the start."""
    with subprocess.Popen(
        [sys.executable, "-m", "flask", "--app", "wsgi", "run", "--port", str(keepsake.port)],
        cwd=keepsake.folder,
        env=keepsake.environment(),
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            assert server.stderr is not None
            logged: list[str] = []
            while not any("Running on" in line for line in logged):
                logged.append(next(server.stderr))
            yield logged
        finally:
            server.kill()


def test_another_server_keeps_texts_says_that_it_answers_none_and_is_ready_beside_one_that_does(
    tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    keepsake, beside = (Serving.live(tmp_path, twilio, claude) for _ in range(2))
    with flask_run(beside) as logged:
        assert any("it answers none of them. Run `keepsake serve`" in line for line in logged), logged
        assert beside.text("Are you there?") == 200
        status, told = beside.ready()
        assert status == 503
        assert told["reason"].startswith("No worker and no scheduler is running: texts are kept")
        assert twilio.accepted == []
        claude.queue(say("Yes, now."), say("Here."))
        with keepsake:
            assert [one.body for one in twilio.wait_for(1)] == ["Yes, now."]
            status, told = keepsake.ready()
            assert (status, beside.ready()[0]) == (200, 200)
            assert told["reason"] is None
            assert beside.text("And now?", sid="SM" + "2" * 32) == 200
            assert [one.body for one in twilio.wait_for(2)] == ["Yes, now.", "Here."]
