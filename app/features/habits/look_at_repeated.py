"""Looks within seconds at whoever has just said what may be a habit of theirs.

Whoever was not noted, or was noted in a process that died, is found in the rows by `suggest_habits`.
"""

from apscheduler.triggers.interval import IntervalTrigger

from app.features.habits import suggest_habits
from app.services import Services

SCHEDULE = IntervalTrigger(seconds=10)
RUN_SECONDS = 8.0


def run(services: Services) -> None:
    suggest_habits.look(services, services.just_answered.take(), services.clock.monotonic() + RUN_SECONDS)
