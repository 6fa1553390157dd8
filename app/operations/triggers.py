"""Triggers of jobs, where APScheduler has no word for them."""

from datetime import datetime, timedelta

from apscheduler.triggers.base import BaseTrigger


class AtStartAndDaily(BaseTrigger):  # type: ignore[misc]
    """At once, so that a wrong setting shows before the first text; in a thread of its own, so that no start waits."""

    def get_next_fire_time(self, previous_fire_time: datetime | None, now: datetime) -> datetime:
        return now if previous_fire_time is None else previous_fire_time + timedelta(days=1)
