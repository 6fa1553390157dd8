"""Tells people who have waited a minute while the model is down that their text is kept."""

from apscheduler.triggers.interval import IntervalTrigger

from app.conversation import waiting

SCHEDULE = IntervalTrigger(seconds=5)  # Nobody notices whether a minute is exact to the second.
run = waiting.tell_of_outage
