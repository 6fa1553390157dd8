"""Asks at the start, and once a day, whether the model that is set is still offered."""

from datetime import datetime, timedelta

from apscheduler.triggers.base import BaseTrigger

from app.operations.model_standing import look
from app.services import Services


class AtStartAndDaily(BaseTrigger):  # type: ignore[misc]
    """At once, so that a wrong name shows before the first text; in a thread of its own, so that no start waits."""

    def get_next_fire_time(self, previous_fire_time: datetime | None, now: datetime) -> datetime:
        return now if previous_fire_time is None else previous_fire_time + timedelta(days=1)


SCHEDULE = AtStartAndDaily()


def run(services: Services) -> None:
    look(services)
