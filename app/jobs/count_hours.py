"""Counts the figures of each hour from the rows themselves, for the number pages and for `/metrics`."""

from app.operations.numbers.hours import count, drop_old, hours_to_count
from app.services import Services

EVERY_SECONDS = 120  # The figures of the current hour are at most this old.
RUN_SECONDS = 5.0  # If years were never counted, later runs do the rest.


def run(services: Services) -> None:
    now = services.clock.now()
    until = services.clock.monotonic() + RUN_SECONDS
    with services.reading() as db:
        hours = hours_to_count(db, now)
    for began in hours:
        if services.clock.monotonic() >= until:
            return
        with services.background.at_a_desk():  # Between two hours, a turn that waits for a desk goes first.
            count(services, began, now)
    drop_old(services, now)
