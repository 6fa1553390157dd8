"""Tells people who have waited a minute while the model is down that their text is kept."""

from app.conversation import waiting

EVERY_SECONDS = 5  # Nobody notices whether a minute is exact to the second.
run = waiting.tell_of_outage
