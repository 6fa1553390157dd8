"""Somebody else holds the database: Twilio is told in time to try again, and when it does nothing is missing.

A process that is killed lets its locks go, so what holds it here is a program that knows nothing of ours and uses
SQLite alone; what holds our own lock stands in `tests/web/test_sms.py`.
"""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError

import pytest

from app.text import kind_words
from tests.claude_server import ClaudeServer, Reply, say, text
from tests.serving import Serving
from tests.twilio_server import TwilioServer

SID = "SM" + "5" * 32
BLAIR = "+12125550101"
TOO_LATE_SECONDS = 10.0  # Twilio itself waits 15, and its answer has to reach it, too.

HOLD = """
import sqlite3, sys
holding = sqlite3.connect(sys.argv[1], isolation_level=None)
holding.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def another_program_writes(database: Path) -> Iterator[None]:
    """A process of its own is in the middle of a transaction until the block ends."""
    command = [sys.executable, "-c", HOLD, str(database)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        yield
        holder.kill()


def is_put_off(keepsake: Serving, body: str) -> bool:
    """Whether Twilio is told in time to bring the text again."""
    with pytest.raises(HTTPError) as refusal:
        keepsake.text(body, patience_seconds=TOO_LATE_SECONDS, sid=SID, sender=BLAIR)
    with refusal.value as answer:
        return answer.code == 503


def test_r4_while_another_program_holds_the_database_texts_are_put_off_and_then_each_is_answered_once(
    tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    may_answer = threading.Event()
    claude.queue(Reply(content=[text("Once kept.")], until=may_answer))
    claude.otherwise = lambda request: say("Two." if "And two?" in str(request["messages"][-1]) else "One.")
    with Serving.live(tmp_path, twilio, claude) as keepsake:
        keepsake.text("What is one?")
        assert claude.wait_for(1)
        with another_program_writes(keepsake.database):
            may_answer.set()
            assert is_put_off(keepsake, "And two?")
        assert keepsake.text("And two?", sid=SID, sender=BLAIR) == 200
        twilio.wait_for(2, seconds=30)
        assert keepsake.terminate() == 0
    alex, blair = sorted(twilio.accepted, key=lambda sent: sent.to, reverse=True)
    assert blair.body == "Two."
    # Whether it is the answer or an apology depends on which of the waits for the database ended first.
    assert alex.body in {"Once kept.", "One.", kind_words.trouble(memory_changed=False)}
