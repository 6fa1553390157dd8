"""Tells the operator how many texts wait until their person texts again, as their channel requires."""

from app.delivery import windows

EVERY_SECONDS = 60  # The wait lasts for hours, and only the person can end it.
run = windows.tell_operator
