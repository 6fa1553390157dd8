"""Tells those who have waited a minute for a model that is down that their text is kept."""

from apscheduler.triggers.interval import IntervalTrigger

from app.conversation import waiting

SCHEDULE = IntervalTrigger(seconds=5)  # A minute is felt to the second by nobody.
run = waiting.tell_of_outage
