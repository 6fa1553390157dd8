"""Cases A and D: the database is locked or the disk is full. Twilio is told in time to try again, no text is reported
as kept that is not, the operator sees it, and nothing is missing afterwards.

A process that is killed lets its locks go, so what holds the database is a program that knows nothing of ours and uses
SQLite alone; what holds our own lock stands in `tests/web/test_sms.py`. A test cannot fill the disk of the machine that
it runs on: the files of one process may not grow, so its writes fail in the same places as on a full disk, and only the
system's words for it differ.
"""

import os
import resource
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.error import HTTPError

import pytest
from sqlalchemy.exc import OperationalError

from app.cli.scheduling import beat_for_lanes
from app.jobs import beat
from tests.claude_server import ClaudeServer, Reply, say, text
from tests.line import Line
from tests.serving import Serving
from tests.twilio_server import PERSON, TwilioServer, inbound_form

pytestmark = pytest.mark.sqlite

SID = "SM" + "5" * 32
BLAIR, NEWCOMER = "+12125550101", "+12125550102"
TOO_LATE_SECONDS = 10.0  # Twilio itself waits 15, and its answer has to reach it, too.


@contextmanager
def another_program_writes(database: Path) -> Iterator[None]:
    """Somebody who uses SQLite alone is in the middle of a transaction until the block ends."""
    with closing(sqlite3.connect(database, isolation_level=None)) as holding:
        holding.execute("BEGIN IMMEDIATE")
        yield


def is_put_off(keepsake: Serving, body: str) -> bool:
    """True if Twilio is told in time to deliver the text again."""
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
    assert alex.body in {"Once kept.", "One."}, "It is asked once more if its answer could not be kept."


@contextmanager
def full_disk(pid: int) -> Iterator[None]:
    """No file of the process takes a byte until the block ends."""
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, before[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


def status_of(keepsake: Serving, sender: str) -> int:
    """The HTTP status for the sender's one text, delivered for the first time or again."""
    try:
        return keepsake.text("Are you there?", sender=sender, sid=f"SM{sender[1:]:0>32}")
    except HTTPError as error:
        with error:
            return error.code


def test_r35_r61_while_the_disk_is_full_texts_are_put_off_and_once_it_has_room_each_is_answered_once(
    tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    may_answer = threading.Event()
    claude.queue(say("Hi."), Reply(content=[text("Yes.")], until=may_answer))
    claude.otherwise = say("Yes.")
    with Serving.live(tmp_path, twilio, claude) as keepsake:
        keepsake.text("Hello", sender=BLAIR)
        twilio.wait_for(1)
        assert status_of(keepsake, PERSON) == 200
        assert claude.wait_for(2)
        with full_disk(keepsake.pid):
            may_answer.set()
            assert [status_of(keepsake, sender) for sender in (BLAIR, NEWCOMER, BLAIR)] == [503] * 3
            keepsake.wait_for_line("What Twilio sent could not be stored")
        assert [status_of(keepsake, sender) for sender in (BLAIR, NEWCOMER)] == [200] * 2
        twilio.wait_for(4, seconds=30)
        assert keepsake.terminate() == 0
    assert Counter(sent.to for sent in twilio.accepted) == {BLAIR: 2, NEWCOMER: 1, PERSON: 1}


def test_r35_r117_a_full_disk_is_not_ready_after_a_minute_and_ready_again_once_it_has_room(line: Line) -> None:
    def hearts() -> None:
        beat_for_lanes(line.services)
        beat.run(line.services)

    hearts()
    assert line.ready()[0] == 200
    forms = [inbound_form("Hello", sender=sender) for sender in (BLAIR, NEWCOMER)]
    with full_disk(os.getpid()):
        assert [line.bring_form(form) for form in forms] == [503] * 2
        line.clock.advance(seconds=61)
        with pytest.raises(OperationalError):
            hearts()
        status, told = line.ready()
    assert (status, told["status"]) == (503, "not ready")
    hearts()
    assert line.ready()[0] == 200
    assert [line.bring_form(form) for form in forms] == [200] * 2
    line.background.run()
    assert [sent.to for sent in line.twilio.accepted] == [BLAIR, NEWCOMER]
