"""How often each job looks. That each file of the folder runs is shown where the schedule is started."""

from datetime import timedelta
from types import ModuleType

import pytest
from apscheduler.triggers.interval import IntervalTrigger

from app.jobs import (
    JOBS,
    archive_facts,
    ask_about_silent,
    count_hours,
    fetch_missed,
    index_texts,
    look_at_answered,
    notice_waiting,
    pair_facts,
    reconcile_sends,
    summarise_quiet,
)

EVERY = {
    archive_facts: timedelta(hours=1),
    ask_about_silent: timedelta(minutes=10),
    count_hours: timedelta(minutes=2),
    fetch_missed: timedelta(minutes=1),
    index_texts: timedelta(seconds=10),
    look_at_answered: timedelta(seconds=10),
    notice_waiting: timedelta(seconds=1),
    pair_facts: timedelta(minutes=2),
    reconcile_sends: timedelta(seconds=15),
    summarise_quiet: timedelta(seconds=30),
}


@pytest.mark.parametrize("job", EVERY, ids=lambda job: job.__name__.rpartition(".")[2])
def test_each_runs_in_its_rhythm(job: ModuleType) -> None:
    assert job in JOBS
    assert isinstance(job.SCHEDULE, IntervalTrigger)
    assert job.SCHEDULE.interval == EVERY[job]
