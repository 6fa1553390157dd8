"""Fetches texts that the webhook never brought."""

from app.delivery import ledger

EVERY_SECONDS = 60  # A person who texts during an outage waits no longer than for a friend.
AT_START = True  # Texts that come before the first look, which only notes the time, are never fetched.
run = ledger.take_in_missed
