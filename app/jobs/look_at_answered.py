"""Looks at what hooks noted of the last replies: conversations that outgrow their history, people who repeat things.

What is not noted, or was noted in a process that died, is found in the rows by `summarise_quiet` and `suggest_habits`.
"""

from apscheduler.triggers.interval import IntervalTrigger

from app.conversation import outage
from app.jobs import suggest_habits, summarise_quiet
from app.memory.episodes.summarise import waiting
from app.services import Services

SCHEDULE = IntervalTrigger(seconds=10)  # What leaves the history should be an episode by the next text but one.
RUN_SECONDS = 8.0  # What is left then is found by the jobs that look through the rows.


def run(services: Services) -> None:
    noted = services.just_answered.take()
    until = services.clock.monotonic() + RUN_SECONDS
    suggest_habits.look(services, noted.people, until)
    if not noted.conversations:
        return
    with services.reading() as db:
        if outage.current(db) is not None:
            return
    summarise_quiet.summarise_all(services, waiting(services, among=noted.conversations), until)
