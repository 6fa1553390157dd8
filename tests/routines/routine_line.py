"""Routines as seen on a person's phone: the clock advances and the scheduler ticks when a test says so."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import select

from app.jobs import begin_routines
from app.models import Occurrence, Routine
from app.routines.request import ScheduleRequest, from_request
from app.routines.setting import NewRoutine, set_routine
from app.services import Services
from tests.fakes import InlineBackground
from tests.memory.remembering import TOLD, add_person
from tests.phoning import ALEX, Phone
from tests.tools.calling import call, context, texted


def request_of(when: str, more: Mapping[str, Any]) -> ScheduleRequest:
    """A request from `repeat` and times, such as `daily 09:00 17:30`, with further fields."""
    repeat, *times = when.split()
    return ScheduleRequest(repeat, times, **more)  # type: ignore[arg-type]


class Coming:
    """One person's phone with its routines."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        self.services: Services = phone.services

    def remind(self, words: str, **schedule: Any) -> int:
        """Schedule a reminder as the person would now, and return its number."""
        return self.set("remind", words, **schedule)

    def run(self, words: str, **schedule: Any) -> int:
        return self.set("run", words, **schedule)

    def set(self, does: str, words: str, *, zone: str | None = None, **schedule: Any) -> int:
        person, now = self.phone.person(), self.services.clock.now()
        when = from_request(ScheduleRequest(**schedule), now, zone or person.timezone)
        new = NewRoutine(does, words, when, zone=zone)
        return set_routine(self.services, person.id, new, TOLD, "phone").number

    def listed(self) -> list[str]:
        """The lines of /routines, without numbers and next times."""
        [listed] = self.phone.text("/routines")
        found = re.findall(r"^\d+\. (.+)$", listed, re.MULTILINE)
        return [line.partition(". Next: ")[0].rstrip(".") for line in found]

    def call(self, tool: str, **given: Any) -> Any:
        """The answer of a tool in a turn in which the person asks for it."""
        texts = texted(self.services, self.phone.person_id, "Please do that")
        return call(context(self.services, self.phone.person_id, texts), tool, **given)

    def change(self, action: str, number: int = 1, **given: Any) -> Any:
        return self.call("change_routine", action=action, routine_ids=[number], **given)

    def tick(self) -> list[str]:
        """Run the scheduler's tick and all that follows, and return the texts that came."""
        before = len(self.phone.received())
        begin_routines.run(self.services)
        self.phone.background.run(within_seconds=0)
        begin_routines.run(self.services)
        self.phone.background.run(within_seconds=0)
        return self.phone.received()[before:]

    def pass_time(self, **span: float) -> list[str]:
        """Advance the clock, then tick."""
        self.services.clock.advance(**span)  # type: ignore[attr-defined]
        return self.tick()

    def step(self, step: str) -> list[str]:
        """The replies to a text, or the texts that came in `(20 minutes)`; in `(20 minutes asleep)` nothing ticks."""
        if (span := re.fullmatch(r"\((\d+) minutes( asleep)?\)", step)) is None:
            return self.phone.text(step)
        self.services.clock.advance(minutes=int(span[1]))  # type: ignore[attr-defined]
        return [] if span[2] else self.tick()

    def occurrences(self) -> list[Occurrence]:
        with self.services.reading() as db:
            return list(db.scalars(select(Occurrence).order_by(Occurrence.due_at, Occurrence.id)))

    def ends(self) -> list[tuple[str, str | None]]:
        """State and reason of each occurrence."""
        return [(one.state, one.reason) for one in self.occurrences()]

    def states(self) -> list[str]:
        return [one.state for one in self.occurrences()]

    def routine(self, number: int = 1) -> Routine:
        with self.services.reading() as db:
            return db.scalars(select(Routine).where(Routine.number == number)).one()

    def next_due(self, number: int = 1) -> datetime | None:
        return self.routine(number).next_due_at


@pytest.fixture
def coming(services: Services, background: InlineBackground) -> Coming:
    """Alex, in Los Angeles, on 21 November 2026 at 9 in the morning."""
    add_person(services, ALEX)
    return Coming(Phone(services, background))
