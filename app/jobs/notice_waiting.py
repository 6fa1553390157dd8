"""Wakes those whose texts another process let in or took in: a wake-up does not reach from process to process."""

from apscheduler.triggers.interval import IntervalTrigger

from app.conversation import waiting

SCHEDULE = IntervalTrigger(seconds=1)  # Somebody just let in looks at the phone; a look costs half a millisecond.
run = waiting.wake_unnoticed
