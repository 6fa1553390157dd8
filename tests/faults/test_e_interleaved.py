"""Cases E: whatever two schedulers, restarts and a clock that is set do in turn, each instant comes once at most, and
none is lost without a record.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from app import people
from app.conversation import turn
from app.jobs import begin_routines
from app.models import Message, Occurrence
from app.routines import setting
from app.routines.schedule import Schedule, due_between
from app.services import Services
from tests.fakes import FrozenClock, InlineBackground
from tests.memory.remembering import TOLD

EVERY_DAY = Schedule.from_dict({"repeat": "daily", "times": ["09:10", "09:40", "10:10", "10:40", "18:00"]})
NINE = datetime(2026, 11, 21, 17, 0, tzinfo=UTC)  # In Los Angeles.
_numbers = count(1)

# At most half a day at once: more instants than are recorded of one standstill would have to pass in it.
STEPS = st.one_of(
    st.tuples(st.just("goes on"), st.sampled_from([1, 11, 31, 61, 720])),
    st.tuples(st.just("is set back"), st.sampled_from([5, 35, 200])),
    st.tuples(st.sampled_from(["looks", "works", "restarts"]), st.sampled_from([0, 1])),
)


class Scheduler:
    """One of two processes on the same rows."""

    def __init__(self, services: Services, clock: FrozenClock) -> None:
        self._services = services
        self._clock = clock
        self.restart()

    def restart(self) -> None:
        """Restart: the wake-ups are lost, the rows are not."""
        self.background = InlineBackground(self._clock)
        self.services = replace(self._services, background=self.background)
        self.background.start(partial(turn.answer, self.services))

    def look(self) -> None:
        begin_routines.run(self.services)

    def work(self) -> None:
        self.background.run(within_seconds=0)


class World:
    """Somebody with one routine, on a day of their own."""

    def __init__(self, services: Services, clock: FrozenClock) -> None:
        self.clock = clock
        self.services = services
        self.schedulers = [Scheduler(services, clock), Scheduler(services, clock)]
        # People of earlier rounds are three days back, and the day's first routine is about to be due.
        clock.advance(days=3, seconds=(NINE - clock.now()) % timedelta(days=1) / timedelta(seconds=1))
        self.begin = self.latest = clock.now()
        with services.transaction() as db:
            person = people.add(db, f"+1206555{next(_numbers):04d}", access="allowed", now=self.begin)
        self.person_id = person.id
        self.number = setting.set_routine(
            services, person.id, setting.NewRoutine("remind", "stretch", EVERY_DAY), TOLD, "phone"
        ).number

    def take(self, step: tuple[str, int]) -> None:
        match step:
            case "goes on", minutes:
                self.clock.advance(minutes=minutes)
                self.latest = max(self.latest, self.clock.now())
            case "is set back", minutes:
                self.clock.set_back(minutes=min(minutes, (self.clock.now() - self.begin).total_seconds() / 60))
            case "looks", which:
                self.schedulers[which].look()
            case "works", which:
                self.schedulers[which].work()
            case "restarts", which:
                self.schedulers[which].restart()

    def settle(self) -> None:
        """All that is to come by now comes: both look and work, while the clock has reached where it had been."""
        self.clock.advance(seconds=max(0.0, (self.latest - self.clock.now()).total_seconds()))
        for _ in range(3):
            for scheduler in self.schedulers:
                scheduler.look()
                scheduler.work()
            self.clock.advance(seconds=1)

    def check(self) -> None:
        now = self.clock.now()
        with self.services.reading() as db:
            found = db.scalars(select(Occurrence).where(Occurrence.person_id == self.person_id)).all()
            texts = db.scalars(
                select(Message.body).where(Message.person_id == self.person_id, Message.direction == "out")
            ).all()
            zone = people.by_id(db, self.person_id).timezone
        expected = set(due_between(EVERY_DAY, zone, self.begin, now))
        assert {one.due_at for one in found} == expected
        assert len(found) == len(expected)
        said = [one for one in found if one.said_at is not None]
        assert sum(text.startswith("Reminder: stretch") for text in texts) == len(said)
        assert {one.state for one in found} <= {"sent", "late", "missed", "skipped", "held"}

    def end(self) -> None:
        setting.cancel(self.services, self.person_id, [self.number], TOLD)


@example(
    steps=[("goes on", 11), ("looks", 0), ("works", 0), ("looks", 1), ("is set back", 5), ("looks", 1), ("works", 1)]
)
@example(steps=[("goes on", 61), ("looks", 0), ("is set back", 35), ("looks", 1), ("works", 0), ("restarts", 0)])
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, max_size=25))
def test_r67_r69_in_any_order_each_instant_comes_once_and_none_is_lost(
    steps: list[tuple[str, int]], services: Services, clock: FrozenClock
) -> None:
    world = World(services, clock)
    for step in steps:
        world.take(step)
    world.settle()
    world.check()
    world.end()
