"""A scheduler that dies is noticed by its silence, not by what it says of itself, and another takes over."""

import queue
from datetime import datetime
from types import SimpleNamespace
from typing import Any

import pytest
from apscheduler.triggers.base import BaseTrigger

from app.background.local import LocalBackground
from app.cli.scheduling import STILL_SECONDS, Scheduling, beat_for_lanes
from app.jobs import check_model, fetch_missed
from app.operations import heartbeats
from app.services import Services
from app.services.feature import Feature
from tests.conftest import MakeServices
from tests.fakes import FrozenClock, InlineBackground

SOON = 10.0


class Deadly(BaseTrigger):  # type: ignore[misc]
    """A schedule that ends the scheduler's thread, as a fault in a job store does, the first time it is asked again."""

    def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime:
        if previous is None:
            return now
        raise RuntimeError("The scheduler's thread ends here.")


def job(every_seconds: float) -> tuple[Any, "queue.Queue[bool]"]:
    ran: queue.Queue[bool] = queue.Queue()
    return SimpleNamespace(__name__="a_job", EVERY_SECONDS=every_seconds, run=lambda _: ran.put(True)), ran


def age(services: Services, part: str) -> float | None:
    with services.reading() as db:
        return heartbeats.ages_seconds(db, services.clock.now()).get(part)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_r73_a_dead_scheduler_is_noticed_within_a_minute_and_begun_anew(
    make_services: MakeServices, clock: FrozenClock
) -> None:
    often, ran = job(0.01)
    scheduling = Scheduling(make_services(features=(Feature("counting", jobs=(often,)),)), jobs=())
    scheduling.start()
    dead = scheduling._scheduler
    dead.add_job(print, Deadly())
    dead._thread.join(SOON)
    assert not dead._thread.is_alive()
    ran.queue.clear()
    assert dead.running  # This is why nobody asks it.
    assert scheduling.look()
    clock.advance(seconds=STILL_SECONDS)
    assert not scheduling.look()
    assert ran.get(timeout=SOON)
    assert scheduling.look()
    scheduling.stop()
    assert STILL_SECONDS + 10 < 60, "the watch looks every ten seconds"


@pytest.mark.parametrize("file", [check_model, fetch_missed])
def test_r13_r47_the_first_look_is_at_the_start(file: Any, services: Services, clock: FrozenClock) -> None:
    clock.set_back(days=3650)  # Before the wall clock's now, whenever that is.
    daily, ran = job(86_400)
    daily.AT_START = file.AT_START
    scheduling = Scheduling(services, jobs=(daily,))
    scheduling.start()
    assert ran.get(timeout=SOON)
    scheduling.stop()


def test_both_hearts_beat_from_the_first_moment_on_and_lanes_that_look_for_nothing_let_theirs_grow_old(
    services: Services, clock: FrozenClock, background: InlineBackground
) -> None:
    scheduling = Scheduling(services, jobs=())
    scheduling.start()
    scheduling.stop()
    assert (age(services, heartbeats.WORKER), age(services, heartbeats.SCHEDULER)) == (0.0, 0.0)
    clock.advance(seconds=30)
    background.silent_seconds = services.settings.turn_max_seconds  # Every lane is at work, as it may be.
    beat_for_lanes(services)
    assert age(services, heartbeats.WORKER) == 0.0
    clock.advance(seconds=70)
    background.silent_seconds += 70
    beat_for_lanes(services)
    assert age(services, heartbeats.WORKER) == 70.0


def test_a_free_lane_shows_that_it_lives_when_it_is_asked() -> None:
    clock = FrozenClock()
    lanes = LocalBackground(clock, workers=2, quiet_seconds=0, max_seconds=0)
    lanes.start(lambda _: None)
    clock.advance(seconds=100)
    tries = 0
    while lanes.alive_seconds() and tries < 1_000_000:  # Each look wakes a lane, and the next one sees it.
        tries += 1
    assert lanes.alive_seconds() == 0.0
    lanes.stop(SOON)
    clock.advance(seconds=100)
    assert lanes.alive_seconds() == 100.0, "nobody is there any more"
