"""Looks up, in the carrier's own books, texts whose sending ended in doubt."""

from apscheduler.triggers.interval import IntervalTrigger

from app.delivery import ledger

SCHEDULE = IntervalTrigger(seconds=15)  # Somebody waits for the reply; without one in doubt a look reads an index.
run = ledger.settle_doubts
