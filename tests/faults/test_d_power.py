"""The power goes right after Twilio was told that a text is kept.

What no test here can show is a disk that says it has written and has not. What can be shown is that it was asked to,
and had answered, before Twilio was: in the calls that the process makes to the system. That `synchronous=FULL` is set
on every connection stands in `tests/store/test_db.py`, and what a restart makes of what it finds in `test_kill.py`.
"""

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from tests.serving import START_SECONDS, Serving
from tests.twilio_server import TwilioServer

CALLS = "trace=pwrite64,fsync,fdatasync,sendto"
STRACE = ["strace", "-f", "-D", "-qq", "-y", "-s", "16", "-e", CALLS, "-e", "signal=none"]
"""Each call of each thread in a line: `1234  fsync(5</tmp/instance/keepsake.db-wal>) = 0`."""

BEGUN = re.compile(r"(\d+) +(\w+)\((.*)")


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
def test_r54_a_text_is_acknowledged_after_it_was_written_to_the_log_and_the_log_to_the_disk(
    tmp_path: Path, twilio: TwilioServer
) -> None:
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
            with suppress(OSError):  # Whoever waits for a trace that never began would wait for ever.
                os.close(os.open(told, os.O_WRONLY | os.O_NONBLOCK))
        texts = before_each_200(trace.result(START_SECONDS))
    assert len(texts) == 2
    for calls in texts:
        assert "pwrite64" in calls
        assert calls[-1] in {"fsync", "fdatasync"}
