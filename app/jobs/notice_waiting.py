"""Wakes those whose texts another process let in or took in: a wake-up does not reach from process to process."""

from apscheduler.triggers.interval import IntervalTrigger

from app.conversation.waiting import wake_unnoticed
from app.services import Services

SCHEDULE = IntervalTrigger(
    seconds=1
)  # Somebody who was just let in looks at the phone; a look costs half a millisecond.


def run(services: Services) -> None:
    wake_unnoticed(services)
