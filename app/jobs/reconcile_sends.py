"""Looks up texts whose sending ended in doubt in the carrier's ledger."""

from app.delivery import ledger

EVERY_SECONDS = 15  # Somebody waits for the reply; with none in doubt, a run only reads an index.
run = ledger.settle_doubts
