"""The signals that end a process: each is heard, wherever it falls."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli.serve import Stopping

HUNG_SECONDS = 10.0  # A wait that has not ended by then never will; the test ends it by a signal that it does hear.
LOOKS = 100


def wait_until_asleep(thread: threading.Thread) -> None:
    """Return once the thread has left the interpreter for others at one place, and does not come back for it."""
    looks, place = 0, None
    while looks < LOOKS:
        frame = sys._current_frames()[thread.ident or 0]
        found = (frame.f_code, frame.f_lasti)
        sleeps = Path(f"/proc/self/task/{thread.native_id}/stat").read_text().split()[2] == "S"
        looks, place = (looks + 1 if sleeps and found == place else 0), found


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_signal_before_the_wait_ends_it() -> None:
    stopping = Stopping()
    os.kill(os.getpid(), signal.SIGINT)
    stopping.wait()


def test_a_second_signal_ends_the_process_at_once() -> None:
    stopping = Stopping()
    os.kill(os.getpid(), signal.SIGTERM)
    stopping.wait()
    assert {signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)} == {signal.SIG_DFL}


def test_a_signal_that_does_not_interrupt_the_main_thread_ends_the_wait_all_the_same() -> None:
    stopping, ended, heard = Stopping(), threading.Event(), []
    main = threading.main_thread()
    main_id = threading.get_ident()

    def take_a_signal() -> None:
        wait_until_asleep(main)
        signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
        heard.append(ended.wait(HUNG_SECONDS))
        if not heard[0]:
            signal.pthread_kill(main_id, signal.SIGTERM)

    taker = threading.Thread(target=take_a_signal)
    taker.start()
    stopping.wait()
    ended.set()
    taker.join()
    assert heard == [True]
