"""The scheduler's heartbeat: while its thread lives, the mark is never older than ten seconds."""

from app.operations.alerts import clear_passed
from app.operations.heartbeats import SCHEDULER, beat
from app.services import Services

EVERY_SECONDS = 10  # A sixth of the age that counts as dead.


def run(services: Services) -> None:
    now = services.clock.now()
    with services.transaction() as db:
        beat(db, SCHEDULER, now)
        clear_passed(db, now)
