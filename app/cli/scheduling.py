"""The jobs of one process, and the watch over them."""

import logging
import threading
from collections.abc import Callable
from datetime import timedelta
from types import ModuleType

from apscheduler.schedulers.background import BackgroundScheduler

from app.jobs import JOBS, beat
from app.operations import marks
from app.services import Services

WATCH_SECONDS = 10.0
STILL_SECONDS = 45.0  # The jobs begin every second; noticed at the next look, this is within a minute.

logger = logging.getLogger(__name__)


class Scheduling:
    """APScheduler in a thread of its own, begun anew when that thread has died.

    Its own word is not asked for: `running` stays true when the thread has ended with an error.
    """

    def __init__(self, services: Services, jobs: tuple[ModuleType, ...] = JOBS) -> None:
        self._services = services
        self._jobs = (*jobs, *(job for feature in services.features for job in feature.jobs))
        self._began_at = services.clock.monotonic()
        self._scheduler = self._made()

    def start(self) -> None:
        beat.run(self._services)  # Alive from the first moment on, and not ten seconds later.
        self._begin()

    def look(self) -> bool:
        """Whether jobs have begun lately; if not, another scheduler has taken over."""
        still = self._services.clock.monotonic() - self._began_at
        if still < STILL_SECONDS:
            return True
        logger.error("No job has begun for %.0f s: the scheduler is started anew.", still)
        left, self._scheduler = self._scheduler, self._made()
        # One that hangs would hang whoever waits for its end.
        threading.Thread(target=left.shutdown, kwargs={"wait": False}, name="scheduler-end", daemon=True).start()
        self._begin()
        return False

    def stop(self) -> None:
        """Begin no more jobs."""
        self._scheduler.shutdown(wait=False)

    def _begin(self) -> None:
        self._began_at = self._services.clock.monotonic()
        self._scheduler.start()

    def _made(self) -> BackgroundScheduler:
        # By default a job that is a second late is dropped without a word; late is better than never.
        scheduler = BackgroundScheduler(timezone="UTC", job_defaults={"coalesce": True, "misfire_grace_time": None})
        for job in self._jobs:
            scheduler.add_job(self._noting(job), job.SCHEDULE, args=[self._services], id=job.__name__)
        return scheduler

    def _noting(self, job: ModuleType) -> Callable[[Services], None]:
        def run(services: Services) -> None:
            self._began_at = services.clock.monotonic()
            job.run(services)

        return run


def look_at_lanes(services: Services) -> None:
    """Have the worker's heart beat: as of now, or as of when its lanes were last known to work."""
    # While every lane is at work none looks for more, for as long as the longest turn.
    silent = max(services.background.alive_seconds() - services.settings.turn_max_seconds, 0.0)
    at = services.clock.now() - timedelta(seconds=silent)
    with services.transaction() as db:
        marks.beat(db, marks.WORKER, at)


class Watch:
    """A plain thread that looks after the lanes and the scheduler every ten seconds."""

    def __init__(self, services: Services, scheduling: Scheduling) -> None:
        self._services = services
        self._scheduling = scheduling
        self._ended = threading.Event()

    def start(self) -> None:
        self.look()
        threading.Thread(target=self._watch, name="watch", daemon=True).start()

    def stop(self) -> None:
        self._ended.set()

    def look(self) -> None:
        """Look once. The scheduler first: its thread may have died of the very database that the marks are in."""
        self._scheduling.look()
        look_at_lanes(self._services)

    def _watch(self) -> None:
        while not self._ended.wait(WATCH_SECONDS):
            try:
                self.look()
            except Exception:  # The watch itself must not end; a database that is away comes back.
                logger.exception("The watch could not look after the lanes and the jobs")
