"""Tells those who have waited a minute for a model that is down that their text is kept."""

from apscheduler.triggers.interval import IntervalTrigger

from app.conversation.waiting import tell_of_outage
from app.services import Services

SCHEDULE = IntervalTrigger(seconds=5)  # A minute is felt to the second by nobody.


def run(services: Services) -> None:
    tell_of_outage(services)
