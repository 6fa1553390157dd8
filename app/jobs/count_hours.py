"""Counts what each hour came to, from the rows themselves, for the pages of numbers and for `/metrics`."""

from apscheduler.triggers.interval import IntervalTrigger

from app.operations.numbers.hours import count, drop_old, to_count
from app.services import Services

SCHEDULE = IntervalTrigger(minutes=2)  # So old at the most is what the present hour shows.
RUN_SECONDS = 5.0  # Of years that were never counted the rest is left to the next run.


def run(services: Services) -> None:
    now = services.clock.now()
    until = services.clock.monotonic() + RUN_SECONDS
    with services.reading() as db:
        hours = to_count(db, now)
    for began in hours:
        if services.clock.monotonic() >= until:
            return
        with services.background.at_a_desk():  # Between two looks whoever waits for an answer comes first.
            count(services, began, now)
    drop_old(services, now)
