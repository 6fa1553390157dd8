"""The jobs of one process, and the watch over them."""

import logging
import threading
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
    """APScheduler in a thread of its own, and a plain thread that looks after it and after the lanes.

    A scheduler whose thread has died is begun anew. Its own word is not asked for: `running` stays true when the thread
    has ended with an error.
    """

    def __init__(self, services: Services, jobs: tuple[ModuleType, ...] = JOBS) -> None:
        self._services = services
        self._jobs = (*jobs, *(job for feature in services.features for job in feature.jobs))
        self._ended = threading.Event()

    def start(self) -> None:
        beat.run(self._services)  # Alive from the first moment on, and not ten seconds later.
        self._begin()
        look_at_lanes(self._services)
        threading.Thread(target=self._watch, name="watch", daemon=True).start()

    def look(self) -> bool:
        """Whether jobs have begun lately; if not, another scheduler has taken over."""
        still = self._services.clock.monotonic() - self._began_at
        if still < STILL_SECONDS:
            return True
        logger.error("No job has begun for %.0f s: the scheduler is started anew.", still)
        # One that hangs would hang whoever waits for its end.
        shutdown, how = self._scheduler.shutdown, {"wait": False}
        threading.Thread(target=shutdown, kwargs=how, name="scheduler-end", daemon=True).start()
        self._begin()
        return False

    def stop(self) -> None:
        self._ended.set()
        self._scheduler.shutdown(wait=False)

    def _begin(self) -> None:
        # By default a job that is a second late is dropped without a word; late is better than never.
        late = {"coalesce": True, "misfire_grace_time": None}
        self._scheduler = BackgroundScheduler(timezone="UTC", job_defaults=late)
        for job in self._jobs:
            at_once = {"next_run_time": self._services.clock.now()} if hasattr(job, "AT_START") else {}
            self._scheduler.add_job(self._run, job.SCHEDULE, args=[job], id=job.__name__, **at_once)
        self._began_at = self._services.clock.monotonic()
        self._scheduler.start()

    def _run(self, job: ModuleType) -> None:
        self._began_at = self._services.clock.monotonic()
        job.run(self._services)

    def _watch(self) -> None:
        while not self._ended.wait(WATCH_SECONDS):
            try:
                self.look()  # First: its thread may have died of the very database that the marks are in.
                look_at_lanes(self._services)
            except Exception:  # The watch itself must not end; a database that is away comes back.
                logger.exception("The watch could not look after the lanes and the jobs")


def look_at_lanes(services: Services) -> None:
    """Have the worker's heart beat: as of now, or as of when its lanes were last known to work."""
    # While every lane is at work none looks for more, for as long as the longest turn.
    silent = max(services.background.alive_seconds() - services.settings.turn_max_seconds, 0.0)
    at = services.clock.now() - timedelta(seconds=silent)
    with services.transaction() as db:
        marks.beat(db, marks.WORKER, at)
