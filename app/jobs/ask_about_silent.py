"""Asks the carrier, once, about texts that it took hours ago and has not reported a final state for."""

from app.delivery import ledger

EVERY_SECONDS = 600  # After hours of silence, minutes do not matter.
run = ledger.ask_about_silent
