"""Cases E: two schedulers on one database, killed at random through a week of routines, bring each instant once.

The clock is one for both and is moved on by the test; at each of its steps both look at the same moment. In the first
night Berlin's clocks are set back; `make test` ends the week on its second day.
"""

import random
import signal
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlcipher3 import dbapi2

from app import people
from app.routines.request import ScheduleRequest, from_request
from app.routines.setting import NewRoutine, set_routine
from app.settings import load_settings
from app.wiring import build_services
from tests.claude_server import ClaudeServer, say
from tests.fakes import FrozenClock
from tests.faults.lives import begin, schedule, settings_of
from tests.forking import ANYWHERE
from tests.memory.remembering import TOLD
from tests.twilio_server import CUT_AFTER_ACCEPTING, TwilioServer

BEGIN = datetime(2026, 10, 24, tzinfo=UTC)
BETWEEN_DUE = timedelta(minutes=30)  # At each whole and each half hour something may be due.
KILLED = [timedelta(), timedelta(seconds=3)]
"""Delays after each due instant at which both schedulers tick and are killed; routines due at once are spread out."""
SPARED = [timedelta(minutes=after) for after in (3, 8, 13, 18, 25)]
"""Delays of later ticks while anything is under way. Nobody is killed then, because a text that is interrupted a second
time is given up with a record."""
UNDER_WAY = """
    SELECT (SELECT count(*) FROM occurrences WHERE state IN ('due', 'running'))
        + (SELECT count(*) FROM messages WHERE direction = 'out' AND state NOT IN ('sent', 'delivered'))"""
MOST_ARRIVALS = 40
LEAST_KILLS_A_DAY = 4
CARRIER_FAULT_SHARE = 0.01

ZONES = {"+12065550101": "America/Los_Angeles", "+12065550102": "Asia/Kolkata", "+12065550103": "Europe/Berlin"}
DAILY = {
    "stretch": ("remind", [time(8)]),
    "drink": ("remind", [time(10), time(14, 30)]),
    "my day": ("run", [time(7)]),
    "the night shift": ("remind", [time(2, 30)]),
}
"""Each person's daily reminders with their local times."""


class Scheduler:
    """A process that ticks on demand; a new one replaces it if it has died."""

    def __init__(self, folder: Path, settings: dict[str, Any]) -> None:
        self._begin = partial(begin, schedule, folder, settings=settings)
        self._process = self._begin()

    def tell(self, now: datetime, kill_at: int) -> None:
        """Make it tick, and die at the nth fault point on the way; with 0 it survives."""
        self._process.tell(f"{now.isoformat()} {f'{ANYWHERE}:{kill_at}:KILL' if kill_at else ''}")

    def has_died(self) -> bool:
        """True if it died in that tick."""
        said = []
        for line in self._process.stdout:
            if line == "looked\n":
                return False
            said.append(line)
        assert self._process.wait() == -signal.SIGKILL, "".join(said)
        self._process = self._begin()
        return True

    def end(self) -> None:
        self._process.kill()
        self._process.wait()


class Week:
    """An installation, its people's routines, and the texts that the carrier accepted."""

    def __init__(self, folder: Path, clock: FrozenClock, twilio: TwilioServer, settings: dict[str, Any]) -> None:
        self.path = folder / "keepsake.db"
        self.clock = clock
        self.schedulers = [Scheduler(folder, settings) for _ in range(2)]
        self.twilio = twilio
        self.chance = random.Random(20261122)
        self.kills = 0
        services = replace(build_services(load_settings(**settings)), clock=clock)
        for number, zone in ZONES.items():
            with services.transaction() as db:
                person = people.add(db, number, access="allowed", now=BEGIN)
            people.set_profile(services, person.id, TOLD, timezone=zone)
            for words, (does, times) in DAILY.items():
                request = ScheduleRequest(repeat="daily", times=[f"{at:%H:%M}" for at in times])
                new = NewRoutine(does, words, from_request(request, BEGIN, zone), night_was_named=True)
                set_routine(services, person.id, new, TOLD, "twilio")
        services.store.close()

    def pass_until(self, end: datetime) -> None:
        at = BEGIN
        while (at := at + BETWEEN_DUE) <= end:
            for after in KILLED + SPARED:
                self.clock.set(at + after)
                if self.chance.random() < CARRIER_FAULT_SHARE:
                    self.twilio.next_faults = [CUT_AFTER_ACCEPTING]
                for scheduler in self.schedulers:
                    arrival = self.chance.randint(1, MOST_ARRIVALS)
                    scheduler.tell(self.clock.now(), arrival if after in KILLED else 0)
                self.kills += sum([scheduler.has_died() for scheduler in self.schedulers])
                if self.ask(UNDER_WAY) == [(0,)]:
                    break

    def ask(self, question: str) -> Any:
        with dbapi2.connect(str(self.path)) as connection:
            return connection.execute(question).fetchall()


@pytest.fixture
def week(tmp_path: Path) -> Iterator[Week]:
    clock = FrozenClock(BEGIN)
    with ClaudeServer(otherwise=say("This is my day for you.")) as claude, TwilioServer(now=clock.now) as twilio:
        week = Week(tmp_path, clock, twilio, settings_of(tmp_path, twilio, claude))
        yield week
        for scheduler in week.schedulers:
            scheduler.end()


@pytest.mark.parametrize("days", [2, pytest.param(7, marks=pytest.mark.whole)])
def test_r69_two_schedulers_killed_through_a_week_bring_each_instant_once(days: int, week: Week) -> None:
    week.pass_until(end := BEGIN + timedelta(days=days))

    due = {
        (number, words, at)
        for number, zone in ZONES.items()
        for words, (_, times) in DAILY.items()
        for at in _due(zone, times, end)
    }
    found = week.ask("""
        SELECT people.address, words, due_at, occurrences.state FROM occurrences
        JOIN routines ON routines.id = routine_id JOIN people ON people.id = occurrences.person_id""")
    assert {(number, words, datetime.fromisoformat(at).replace(tzinfo=UTC)) for number, words, at, _ in found} == due
    assert len(found) == len(due)
    assert {state for *_, state in found} <= {"sent", "late"}
    came = Counter((text.to, words) for text in week.twilio.accepted for words in DAILY if words in text.body)
    assert came == Counter((number, words) for number, words, _ in due)
    assert len(week.twilio.accepted) == len(due)
    assert week.kills >= LEAST_KILLS_A_DAY * days


def _due(zone: str, times: list[time], end: datetime) -> list[datetime]:
    """Each instant until the end at which a clock in the zone shows one of the times first."""
    days = [BEGIN.date() + timedelta(days=number - 1) for number in range(10)]
    instants = [datetime.combine(day, at, ZoneInfo(zone)).astimezone(UTC) for day in days for at in times]
    return [at for at in instants if BEGIN < at <= end]
