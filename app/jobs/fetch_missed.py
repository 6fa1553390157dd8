"""Fetches texts that the webhook never brought."""

from apscheduler.triggers.interval import IntervalTrigger

from app.delivery import ledger

SCHEDULE = IntervalTrigger(seconds=60)  # Whoever texted into an outage waits no longer than they would for a friend.
run = ledger.take_in_missed
