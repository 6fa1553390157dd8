"""Looks up, in the carrier's own books, texts whose sending ended in doubt."""

from apscheduler.triggers.interval import IntervalTrigger

from app.delivery.ledger import settle_doubts
from app.services import Services

SCHEDULE = IntervalTrigger(seconds=15)  # Somebody waits for the reply; without one in doubt a look reads an index.


def run(services: Services) -> None:
    settle_doubts(services)
