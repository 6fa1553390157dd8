"""Lanes of threads: one lane a person, bursts gathered, nobody forgotten."""

import queue
import threading
from collections.abc import Callable, Iterator

import pytest

from app.background.local import DESKS, LocalBackground
from app.clock import SystemClock

SOON = 10.0  # Seconds after which a test gives up; nothing here takes a tenth of one.


class Lanes:
    """Lanes whose work is recorded, and ends only when the test allows it."""

    def __init__(self, background: LocalBackground) -> None:
        self.background = background
        self.began: queue.Queue[int] = queue.Queue()
        self.may_end = threading.Semaphore(0)
        self._running: list[int] = []
        background.start(self._work)

    def _work(self, person_id: int) -> None:
        self._running.append(person_id)
        assert self._running.count(person_id) == 1, "two lanes of one person"
        self.began.put(person_id)
        self.may_end.acquire(timeout=SOON)
        self._running.remove(person_id)

    def next(self) -> int:
        return self.began.get(timeout=SOON)


class CountingClock(SystemClock):
    """Counts how often it is looked at."""

    looks = 0

    def monotonic(self) -> float:
        self.looks += 1
        return super().monotonic()


@pytest.fixture
def lanes() -> Iterator[Callable[..., Lanes]]:
    """Lanes of their own for each call; what is under way ends with the test, and nothing more has begun."""
    made: list[Lanes] = []

    def start(*, workers: int = 4, quiet: float = 0.0, longest: float = 0.0) -> Lanes:
        lane = Lanes(LocalBackground(SystemClock(), workers=workers, quiet_seconds=quiet, max_seconds=longest))
        made.append(lane)
        return lane

    yield start
    for lane in made:
        lane.may_end.release(DESKS)
        lane.background.stop(SOON)
        assert lane.began.empty()


Start = Callable[..., Lanes]


def test_one_person_is_answered_by_one_lane_at_a_time_and_again_after_it(lanes: Start) -> None:
    lane = lanes()
    lane.background.wake(1)
    assert lane.next() == 1
    lane.background.wake(1)
    lane.background.wake(2)
    assert lane.next() == 2  # Person 1 is due too, and not begun while their lane is busy.
    lane.may_end.release(2)
    assert lane.next() == 1


def test_texts_within_the_quiet_window_are_one_piece_of_work_and_a_command_does_not_wait(lanes: Start) -> None:
    lane = lanes(quiet=0.05, longest=0.5)
    for _ in range(10):
        lane.background.wake(1)
    assert lane.next() == 1
    patient = lanes(quiet=30, longest=60)
    patient.background.wake(1)
    patient.background.wake(1, at_once=True)
    assert patient.next() == 1


def test_no_more_work_than_there_are_desks_and_a_job_leaves_its_own_while_it_waits_for_something_outside() -> None:
    background = LocalBackground(SystemClock(), workers=DESKS, quiet_seconds=0, max_seconds=0)
    lane = Lanes(background)
    with background.at_a_desk():
        for person in range(DESKS):
            background.wake(person)
        others = {lane.next() for _ in range(DESKS - 1)}
        assert lane.began.empty()
        with background.leave_desk():
            assert lane.next() not in others
            lane.may_end.release(DESKS)
    background.stop(SOON)


def test_work_that_fails_is_logged_and_the_lane_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    done: queue.Queue[int] = queue.Queue()

    def work(person_id: int) -> None:
        if person_id == 1:
            raise ValueError("broken")
        done.put(person_id)

    background = LocalBackground(SystemClock(), workers=1, quiet_seconds=0, max_seconds=0)
    background.start(work)
    background.wake(1)
    background.wake(2)
    assert done.get(timeout=SOON) == 2
    background.stop(SOON)
    assert "Person 1 could not be answered" in caplog.text


def test_stop_waits_for_the_work_under_way_and_no_longer_than_its_grace_and_begins_no_more(lanes: Start) -> None:
    lane, slow = lanes(workers=1), lanes(workers=1)
    for one in (lane, slow):
        one.background.wake(1)
        one.background.wake(2)
        assert one.next() == 1
    threading.Timer(0.05, lane.may_end.release).start()
    lane.background.stop(SOON)
    slow.background.stop(0.01)


def test_whoever_is_to_be_looked_at_later_is_looked_at_then_and_sooner_when_there_is_cause(lanes: Start) -> None:
    lane = lanes()
    lane.background.wake_within(1, 0.05)
    lane.background.wake_within(1, 60)  # Puts nothing off.
    lane.background.wake_within(2, 60)
    assert lane.next() == 1
    lane.background.wake(2, at_once=True)
    assert lane.next() == 2


def test_a_look_that_was_arranged_for_later_does_not_cut_a_thought_short(lanes: Start) -> None:
    lane = lanes(workers=2, quiet=0.2, longest=0.5)
    lane.background.wake(1)
    lane.background.wake_within(1, 0.01)
    lane.background.wake_within(2, 0.05)
    # One lane is busy with person 2 then; the other must take over the watch for person 1.
    assert [lane.next(), lane.next()] == [2, 1]


def test_one_person_who_is_due_wakes_few_of_many_free_lanes() -> None:
    clock = CountingClock()
    background = LocalBackground(clock, workers=100, quiet_seconds=0.0, max_seconds=0.0)
    lane = Lanes(background)
    lane.may_end.release(20)
    for person in range(20):
        background.wake_within(person, 0.001)
        assert lane.next() == person
    background.stop(SOON)
    assert clock.looks < 100 + 20 * 10, "Once for each lane at its start, and a few times for each person."
