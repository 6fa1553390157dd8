"""The scheduler's heart: as long as its thread lives, the mark is never older than ten seconds."""

from apscheduler.triggers.interval import IntervalTrigger

from app.operations.alerts import clear_passed
from app.operations.marks import SCHEDULER, beat
from app.services import Services

SCHEDULE = IntervalTrigger(seconds=10)  # A sixth of what is too old.


def run(services: Services) -> None:
    now = services.clock.now()
    with services.transaction() as db:
        beat(db, SCHEDULER, now)
        clear_passed(db, now)
