"""Wakes everyone with work waiting: texts of a turn that another process left, and replies not sent yet."""

from app.conversation.waiting import wake_waiting
from app.services import Services

EVERY_SECONDS = 10  # A lost wake-up costs ten seconds, never a text.


def run(services: Services) -> None:
    wake_waiting(services, quiet_seconds=services.settings.burst_max_seconds)
