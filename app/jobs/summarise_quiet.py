"""Makes episodes of conversations that have gone quiet, and of texts that no longer fit the history of open ones."""

import logging
from contextlib import suppress

from app.conversation.waiting import outage
from app.errors import ModelDown
from app.memory.episodes.summarise import summarise, waiting
from app.services import Services

EVERY_SECONDS = 30  # Nobody waits for an episode, but an open conversation soon needs room.
RUN_SECONDS = 25.0  # No episode is begun after this; the next run is near.

logger = logging.getLogger(__name__)


def run(services: Services) -> None:
    """Summarise one conversation at a time, leaving the other threads to replies; none while the model is down."""
    until = services.clock.monotonic() + RUN_SECONDS
    with services.reading() as db:
        if outage(db) is not None:
            return
    seen: list[int] = []
    with suppress(ModelDown):
        while (due := waiting(services)) and due != seen:  # A person's next is listed once this one is done.
            for conversation_id in due:
                _summarise(services, conversation_id, until)
            seen = due


def _summarise(services: Services, conversation_id: int, until: float) -> None:
    """Summarise all of the conversation that is due; a long one becomes several episodes."""
    try:
        while services.clock.monotonic() < until and summarise(services, conversation_id):
            pass
    except ModelDown:
        raise
    except Exception:  # The job is a door: one conversation that fails must not block all others.
        logger.exception("Conversation %s could not be summarised", conversation_id)
