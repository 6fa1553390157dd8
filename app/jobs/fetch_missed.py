"""Fetches texts that the webhook never brought."""

from app.delivery import ledger

EVERY_SECONDS = 60  # A person who texts during an outage waits no longer than for a friend.
run = ledger.take_in_missed
