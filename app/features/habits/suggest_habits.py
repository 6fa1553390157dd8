"""Looks what people do again and again, and has it suggested to them, one thing at a time."""

import logging
from collections.abc import Iterable

from apscheduler.triggers.interval import IntervalTrigger

from app.features.habits import noticing, records
from app.services import Services

SCHEDULE = IntervalTrigger(minutes=5)  # A suggestion has days; nobody is looked at who has not texted meanwhile.
RUN_SECONDS = 60.0  # Whoever is left then is looked at in the next run.

logger = logging.getLogger(__name__)


def run(services: Services) -> None:
    records.settle(services)
    _look(services)
    with services.reading() as db:
        people = records.people_to_wake(db, services.clock.now())
    for person_id in people:
        services.background.wake(person_id, after_seconds=0.0)


def _look(services: Services) -> None:
    with services.reading() as db:
        people, upto = noticing.people_with_news(db)
    if upto is None:
        return
    if look(services, people, services.clock.monotonic() + RUN_SECONDS):
        with services.transaction() as db:
            noticing.note_looked(db, upto, services.clock.now())


def look(services: Services, people: Iterable[int], until: float) -> bool:
    """Whether there was time for all of these; if not, all may be looked at again: that finds nothing twice."""
    for person_id in people:
        if services.clock.monotonic() > until:
            return False
        try:
            with services.background.at_a_desk():
                noticing.look(services, person_id)
        except Exception:  # The job's door: one person's texts that break it must not keep it from all others'.
            logger.exception("The texts of person %s could not be looked through", person_id)
    return True
