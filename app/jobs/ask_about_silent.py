"""Asks the carrier, once, about texts that it took hours ago and has not reported a final state for."""

from apscheduler.triggers.interval import IntervalTrigger

from app.delivery import ledger

SCHEDULE = IntervalTrigger(minutes=10)  # After hours of silence, minutes do not matter.
run = ledger.ask_about_silent
