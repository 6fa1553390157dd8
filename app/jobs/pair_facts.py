"""Looks which facts of a person may be one or contradict each other, for the operator to decide."""

from apscheduler.triggers.interval import IntervalTrigger

from app.jobs.bit_by_bit import work_bit_by_bit
from app.memory.facts.pairs import pair_some
from app.services import Services

SCHEDULE = IntervalTrigger(minutes=2)  # An operator who looks at what was just learned sees what it resembles.
RUN_SECONDS = 5.0  # After an import very much may be new at once: the rest of it is left to the next run.


def run(services: Services) -> None:
    work_bit_by_bit(services, pair_some, services.clock.monotonic() + RUN_SECONDS)
