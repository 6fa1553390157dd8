"""Runs the jobs of one process, and watches over them."""

import logging
import threading
from datetime import timedelta
from types import ModuleType

from apscheduler.schedulers.background import BackgroundScheduler

from app.jobs import JOBS, beat
from app.operations import heartbeats
from app.services import Services

WATCH_SECONDS = 10.0
STILL_SECONDS = 45.0  # The jobs begin every second; noticed at the next look, this is within a minute.

logger = logging.getLogger(__name__)


class Scheduling:
    """APScheduler in a thread of its own, and a plain thread that watches over it and the lanes.

    A scheduler whose thread has died is replaced. Its `running` cannot be trusted: it stays true after the thread has
    ended with an error.
    """

    def __init__(self, services: Services, jobs: tuple[ModuleType, ...] = JOBS) -> None:
        self._services = services
        self._jobs = (*jobs, *(job for feature in services.features for job in feature.jobs))
        self._ended = threading.Event()

    def start(self) -> None:
        beat.run(self._services)  # Alive from the first moment, not ten seconds later.
        self._begin()
        beat_for_lanes(self._services)
        threading.Thread(target=self._watch, name="watch", daemon=True).start()

    def look(self) -> bool:
        """True if a job has begun lately; if not, a new scheduler has replaced the old one."""
        still = self._services.clock.monotonic() - self._began_at
        if still < STILL_SECONDS:
            return True
        logger.error("No job has begun for %.0f s: the scheduler is started anew.", still)
        # On a thread of its own: a scheduler that hangs would hang its caller.
        shutdown, how = self._scheduler.shutdown, {"wait": False}
        threading.Thread(target=shutdown, kwargs=how, name="scheduler-end", daemon=True).start()
        self._begin()
        return False

    def stop(self) -> None:
        self._ended.set()
        self._scheduler.shutdown(wait=False)

    def _begin(self) -> None:
        # By default a job that is a second late is dropped silently; late is better than never.
        late = {"coalesce": True, "misfire_grace_time": None}
        self._scheduler = BackgroundScheduler(timezone="UTC", job_defaults=late)
        for job in self._jobs:
            at_once = {"next_run_time": self._services.clock.now()} if hasattr(job, "AT_START") else {}
            every = {"seconds": job.EVERY_SECONDS, "id": job.__name__}
            self._scheduler.add_job(self._run, "interval", args=[job], **every, **at_once)
        self._began_at = self._services.clock.monotonic()
        self._scheduler.start()

    def _run(self, job: ModuleType) -> None:
        self._began_at = self._services.clock.monotonic()
        job.run(self._services)

    def _watch(self) -> None:
        while not self._ended.wait(WATCH_SECONDS):
            try:
                self.look()  # First: its thread may have died of the same database that holds the marks.
                beat_for_lanes(self._services)
            except Exception:  # The watch itself must not end; an unreachable database comes back.
                logger.exception("The watch could not look after the lanes and the jobs")


def beat_for_lanes(services: Services) -> None:
    """Beat the worker's heart: as of now, or as of when its lanes were last known to work."""
    # While every lane is busy none looks for work, for as long as the longest turn.
    silent = max(services.background.alive_seconds() - services.settings.turn_max_seconds, 0.0)
    at = services.clock.now() - timedelta(seconds=silent)
    with services.transaction() as db:
        heartbeats.beat(db, heartbeats.WORKER, at)
