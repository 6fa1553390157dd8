"""Looks at conversations in which a reply was just queued: some outgrow their history.

What is not noted, or was noted in a process that died, is found in the rows by `summarise_quiet`.
"""

from apscheduler.triggers.interval import IntervalTrigger

from app.conversation.waiting import outage
from app.jobs import summarise_quiet
from app.memory.episodes.summarise import waiting
from app.services import Services

SCHEDULE = IntervalTrigger(seconds=10)  # What leaves the history should be an episode by the next text but one.
RUN_SECONDS = 8.0  # What is left then is found by the jobs that look through the rows.


def run(services: Services) -> None:
    conversations = services.just_answered.conversations.take()
    if not conversations:
        return
    until = services.clock.monotonic() + RUN_SECONDS
    with services.reading() as db:
        if outage(db) is not None:
            return
    summarise_quiet.summarise_all(services, waiting(services, among=conversations), until)
