"""Wakes people whose texts another process let in or received: a wake-up does not cross processes."""

from app.conversation import waiting

EVERY_SECONDS = 1  # A person just let in is watching the phone; a run costs half a millisecond.
run = waiting.wake_overdue
