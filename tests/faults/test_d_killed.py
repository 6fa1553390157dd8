"""Cases A to D: `kill -9`, a stop or a power cut at the worst moments, in a real process, and what a person then gets.

What no test here can show is a disk that says it has written and has not. What can be shown is that it was asked to,
and had answered, before Twilio was: in the calls that the process makes to the system. That `synchronous=FULL` is set
on every connection stands in `tests/store/test_db.py`.
"""

import os
import re
import shutil
import signal
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from tests.asked_of_claude import memory_shown
from tests.claude_server import ClaudeServer, Reply, call, say, text
from tests.serving import START_SECONDS, Serving
from tests.twilio_server import TwilioServer

LEARN = call("extract_memory", {"facts": [{"fact": "Likes black coffee"}]})
SID = "SM" + "7" * 32
LEASE = "0.2"  # Seconds.

CALLS = "trace=pwrite64,fsync,fdatasync,sendto"
STRACE = ["strace", "-f", "-D", "-qq", "-y", "-s", "16", "-e", CALLS, "-e", "signal=none"]
"""Each call of each thread in a line: `1234  fsync(5</tmp/instance/keepsake.db-wal>) = 0`."""

BEGUN = re.compile(r"(\d+) +(\w+)\((.*)")


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


def test_r34_a_worker_paused_past_its_lease_sends_nothing_under_it_when_it_goes_on(
    tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.otherwise = say("Once only")
    paused, second = (Serving.live(tmp_path, twilio, claude, SEND_LEASE_SECONDS=LEASE) for _ in range(2))
    paused.start(faults="send.claimed:1:STOP")
    try:
        paused.text("Hi")
        paused.wait_for_stop()
        with second:
            assert twilio.accepted == []
            paused.signal(signal.SIGCONT)
            twilio.wait_for(1)
            claude.otherwise = say("Next")
            second.text("And?")
            assert [text.body for text in twilio.wait_for(2)] == ["Once only", "Next"]
            assert any("held too long" in line for line in paused.lines)
    finally:
        paused.kill()
    assert twilio.bodies == ["Once only", "Next"]


def strace_works() -> bool:
    found = shutil.which("strace")
    return found is not None and subprocess.run([*STRACE, "-o", os.devnull, "true"], check=False).returncode == 0


def before_each_200(trace: str) -> list[list[str]]:
    """For each text that was acknowledged, what its thread had asked of the log since it acknowledged one before."""
    calls: dict[str, list[str]] = {}
    acknowledged = []
    for line in trace.splitlines():
        if (begun := BEGUN.match(line)) is None:
            continue
        thread, name, given = begun.groups()
        if "keepsake.db-wal>" in given:
            calls.setdefault(thread, []).append(name)
        elif name == "sendto" and '"HTTP/1.1 200' in given:
            acknowledged.append(calls.pop(thread, []))
    return acknowledged


@pytest.mark.skipif(not strace_works(), reason="strace is not there, or may not watch a process here")
def test_r54_a_text_is_acknowledged_after_it_and_its_log_are_on_the_disk(tmp_path: Path, twilio: TwilioServer) -> None:
    told = tmp_path / "told"
    os.mkfifo(told)
    keepsake = Serving.live(tmp_path, twilio)
    with ThreadPoolExecutor() as pool:
        trace = pool.submit(told.read_text)  # Until strace has ended, and with it what it watched.
        try:
            keepsake.start(under=[*STRACE, "-o", str(told)])
            keepsake.text("Hello")  # Somebody new takes another way in.
            keepsake.text("And hello again")
        finally:
            keepsake.kill()
            with suppress(OSError):  # Otherwise the reader of a trace that never began waits for ever.
                os.close(os.open(told, os.O_WRONLY | os.O_NONBLOCK))
        texts = before_each_200(trace.result(START_SECONDS))
    assert len(texts) == 2
    for calls in texts:
        assert "pwrite64" in calls
        assert calls[-1] in {"fsync", "fdatasync"}
