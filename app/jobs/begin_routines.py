"""Begins reminders and routines that are due, in their people's lanes."""

from app.people import end_passed_stays
from app.routines.occurrences import begin_due, people_to_wake, settle_sent
from app.routines.setting import end_passed_pauses
from app.services import Services

EVERY_SECONDS = 1  # A reminder for 08:00 comes at 08:00; a run with nothing due is almost free.


def run(services: Services) -> None:
    begin_due(services)
    # After `begin_due`, so that a pause or stay that ended while no process ran still governs what was due in it.
    end_passed_pauses(services)
    end_passed_stays(services)
    settle_sent(services)
    with services.reading() as db:
        people = people_to_wake(db, services.clock.now())
    for person_id in people:
        services.background.wake_within(person_id, 0.0)
