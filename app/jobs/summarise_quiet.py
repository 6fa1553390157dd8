"""Makes episodes of conversations that have gone quiet, and of what outgrows the history of those that go on."""

import logging
from contextlib import suppress

from apscheduler.triggers.interval import IntervalTrigger

from app.conversation.waiting import outage
from app.errors import ModelDown
from app.memory.episodes.summarise import summarise, waiting
from app.services import Services

SCHEDULE = IntervalTrigger(seconds=30)  # Nobody waits for an episode; a conversation that goes on soon needs room.
RUN_SECONDS = 25.0  # After this no further one is begun: the next run is near.

logger = logging.getLogger(__name__)


def run(services: Services) -> None:
    """One conversation after the other, so that replies have all other threads, and nothing while the model is down."""
    until = services.clock.monotonic() + RUN_SECONDS
    with services.reading() as db:
        if outage(db) is not None:
            return
    seen: list[int] = []
    with suppress(ModelDown):
        while (due := waiting(services)) and due != seen:  # A person's next comes up when the one before it is done.
            for conversation_id in due:
                _summarise(services, conversation_id, until)
            seen = due


def _summarise(services: Services, conversation_id: int, until: float) -> None:
    """All of the conversation that is due: a long one is made into several episodes."""
    try:
        while services.clock.monotonic() < until and summarise(services, conversation_id):
            pass
    except ModelDown:
        raise
    except Exception:  # The job's door: one conversation that breaks must not keep all others from theirs.
        logger.exception("Conversation %s could not be summarised", conversation_id)
