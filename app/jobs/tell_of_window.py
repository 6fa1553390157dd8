"""Tells the operator how many texts wait until their person texts again, since their channel takes none before."""

from apscheduler.triggers.interval import IntervalTrigger

from app.delivery import windows

SCHEDULE = IntervalTrigger(seconds=60)  # It lasts for hours, and nobody can end it but the person.
run = windows.tell_operator
