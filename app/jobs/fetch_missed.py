"""Fetches texts that the webhook never brought."""

from apscheduler.triggers.interval import IntervalTrigger

from app.delivery.ledger import take_in_missed
from app.services import Services

SCHEDULE = IntervalTrigger(seconds=60)  # Whoever texted into an outage waits no longer than they would for a friend.


def run(services: Services) -> None:
    take_in_missed(services)
