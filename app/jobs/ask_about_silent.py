"""Asks the carrier, once, about texts that it took hours ago and has said nothing final of."""

from apscheduler.triggers.interval import IntervalTrigger

from app.delivery.ledger import ask_about_silent
from app.services import Services

SCHEDULE = IntervalTrigger(minutes=10)  # After hours of silence minutes do not matter.


def run(services: Services) -> None:
    ask_about_silent(services)
