"""Archives facts whose last day is over, and those that nobody has needed for very long."""

from app.jobs.bit_by_bit import work_bit_by_bit
from app.memory.facts import archive_some
from app.services import Services

EVERY_SECONDS = 3600  # Once a day would do, but a process restarted daily would never get there.
RUN_SECONDS = 5.0  # After a change of the rules many may be due at once; the next run does the rest.


def run(services: Services) -> None:
    work_bit_by_bit(services, archive_some, services.clock.monotonic() + RUN_SECONDS)
