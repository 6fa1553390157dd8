"""Fetches texts that the webhook never brought."""

from apscheduler.triggers.interval import IntervalTrigger

from app.delivery import ledger

SCHEDULE = IntervalTrigger(seconds=60)  # A person who texts during an outage waits no longer than for a friend.
run = ledger.take_in_missed
