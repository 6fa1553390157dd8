"""Cost of a million routines: an idle tick, ten thousand routines due at one instant, and the delay of each.

One SQLite file holds them; idle ticks alternate with those of a second file that holds a thousand. By design a hundred
due routines start per second; the delay of each text is counted from its place in that queue, with the real lanes and
the scheduler's real ticks.
`python -m bench.schedule [--routines N] [--due N] [--looks N]`
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from app.cli.scheduling import Scheduling
from app.clock import seconds_between
from app.conversation import turn
from app.jobs import begin_routines
from app.models import Message, Occurrence, Person, Routine
from app.routines.occurrences import APART, begin_due
from app.routines.request import ScheduleRequest, from_request
from app.wiring import build_services
from bench.filled import Installation
from bench.load import percentile
from tests.fakes import FrozenClock

SMALL_ROUTINES = 1_000
OF_A_PERSON = 50  # The most that a person may have.
WARM_UP = 20
ZONE = "America/Los_Angeles"
BEGIN = datetime(2026, 11, 21, 16, 0, tzinfo=UTC)
DUE = BEGIN + timedelta(hours=1)
LAST = timedelta(days=30)
LOOK_SECONDS = 1.0
PATIENCE_SECONDS = 120.0  # Allowed after the instant at which the last one should have come.


class World(Installation):
    """An installation with `routines` routines, of which `due` are due at one instant, each another person's."""

    def __init__(self, path: Path, routines: int, due: int) -> None:
        self.clock = FrozenClock(BEGIN)
        people = max(due, -(-routines // OF_A_PERSON))
        rows = ((Person, _people(people)), (Routine, _routines(routines, due, people)))
        super().__init__(path, self.clock, f"{routines:>9,} routines of {people:,} people", iter(rows))

    def look(self) -> float:
        """Milliseconds of one tick."""
        began = time.perf_counter()
        begin_routines.run(self.services)
        return (time.perf_counter() - began) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--routines", type=int, default=1_000_000)
    parser.add_argument("--due", type=int, default=10_000, help="how many are due at one instant")
    parser.add_argument("--looks", type=int, default=500, help="how many idle ticks are measured")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        small = World(Path(folder) / "small.db", SMALL_ROUTINES, 0)
        large = World(Path(folder) / "large.db", given.routines, given.due)
        took = [(small.look(), large.look()) for _ in range(given.looks + WARM_UP)][WARM_UP:]
        _show_idle(SMALL_ROUTINES, [one for one, _ in took])
        _show_idle(given.routines, [one for _, one in took])
        _claim(large, given.due)
        _bring(large, given.due)


def _show_idle(routines: int, took: list[float]) -> None:
    took.sort()
    print(
        f"idle tick, {routines:>9,} routines: p50 {percentile(took, 0.5):.2f} ms, p95 {percentile(took, 0.95):.2f} ms"
    )


def _claim(world: World, due: int) -> None:
    world.clock.advance(seconds=seconds_between(BEGIN, DUE))
    began = time.perf_counter()
    found = begin_due(world.services)
    took = time.perf_counter() - began
    assert found == due, f"{found} of {due} were found."
    print(f"{found:,} that are due found and claimed in {took:.2f} s")


def _bring(world: World, due: int) -> None:
    """Run all due routines through the real lanes in real time, and print their delays."""
    clock = _Running(DUE)
    services = build_services(world.settings)
    services = replace(services, clock=clock)
    services.background.start(partial(turn.answer, services))
    scheduling = Scheduling(services, (begin_routines,))
    scheduling.start()
    end = APART["remind"].total_seconds() * due + PATIENCE_SECONDS
    left = due
    while left and seconds_between(DUE, clock.now()) < end:
        clock.wait(LOOK_SECONDS)
        with services.reading() as db:
            waiting = db.scalar(select(func.count()).select_from(Occurrence).where(Occurrence.OPEN)) or 0
            left = waiting + (db.scalar(select(func.count()).select_from(Occurrence).where(Occurrence.RUNNING)) or 0)
    took = seconds_between(DUE, clock.now())
    scheduling.stop()
    services.background.stop(grace_seconds=5.0)
    with services.reading() as db:
        places = select(Occurrence.run_at, Message.sent_at).join(Message, Message.turn_id == Occurrence.turn_id)
        late = sorted(seconds_between(at, sent) for at, sent in db.execute(places) if sent is not None)
    print(f"{len(late):,} of {due:,} texts came within {took:.0f} s, {len(late) / took:.0f} in each second;")
    shares = ", ".join(f"p{share} {percentile(late, share / 100):.2f} s" for share in (50, 95, 99))
    print(f"after its place in the line of {1 / APART['remind'].total_seconds():.0f} a second each took {shares}")


class _Running:
    """A running clock that starts at a given instant."""

    def __init__(self, begin: datetime) -> None:
        self._begin = begin
        self._began = time.monotonic()

    def now(self) -> datetime:
        return self._begin + timedelta(seconds=time.monotonic() - self._began)

    def monotonic(self) -> float:
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)


def _people(people: int) -> Iterator[dict[str, Any]]:
    for number in range(1, people + 1):
        yield {
            "id": number,
            "address": f"+1206{number:07d}",
            "key": f"{number:032x}",
            "timezone": ZONE,
            "timezone_source": "told",
            "access": "allowed",
            "last_routine_number": OF_A_PERSON,
            "created_at": BEGIN,
        }


def _routines(routines: int, due: int, people: int) -> Iterator[dict[str, Any]]:
    """Rows of everybody's first routine, then everybody's second, and so on: no person's rows are adjacent."""
    schedule = from_request(ScheduleRequest(repeat="daily", times=["09:00"]), BEGIN, ZONE).as_dict()
    for place in range(routines):
        yield {
            "id": place + 1,
            "person_id": place % people + 1,
            "number": place // people + 1,
            "does": "remind",
            "words": f"Take a breath, number {place}",
            "schedule": schedule,
            "state": "active",
            "useful_minutes": 60,
            "at_night": False,
            "carrier": "phone",
            "source": "explicit",
            "next_due_at": DUE if place < due else DUE + LAST * ((place + 1) / routines),
            "created_at": BEGIN,
        }


if __name__ == "__main__":
    main()
