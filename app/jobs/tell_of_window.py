"""Tells the operator how many texts wait until their person texts again, as their channel requires."""

from apscheduler.triggers.interval import IntervalTrigger

from app.delivery import windows

SCHEDULE = IntervalTrigger(seconds=60)  # The wait lasts for hours, and only the person can end it.
run = windows.tell_operator
