"""Finds facts of one person that may be the same or contradict each other, for the operator to decide."""

from app.jobs.bit_by_bit import work_bit_by_bit
from app.memory.facts.pairs import pair_some
from app.services import Services

EVERY_SECONDS = 120  # An operator who reviews a new fact sees the facts that it resembles.
RUN_SECONDS = 5.0  # After an import many facts may be new at once; the next run does the rest.


def run(services: Services) -> None:
    work_bit_by_bit(services, pair_some, services.clock.monotonic() + RUN_SECONDS)
