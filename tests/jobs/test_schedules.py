"""How often each job looks. That each file of the folder runs is shown where the schedule is started."""

from datetime import timedelta

from apscheduler.triggers.interval import IntervalTrigger

from app.jobs import JOBS

EVERY = {
    "archive_facts": timedelta(hours=1),
    "ask_about_silent": timedelta(minutes=10),
    "count_hours": timedelta(minutes=2),
    "fetch_missed": timedelta(minutes=1),
    "index_texts": timedelta(seconds=10),
    "look_at_answered": timedelta(seconds=10),
    "notice_waiting": timedelta(seconds=1),
    "pair_facts": timedelta(minutes=2),
    "reconcile_sends": timedelta(seconds=15),
    "summarise_quiet": timedelta(seconds=30),
}


def test_each_runs_in_its_rhythm() -> None:
    schedules = {job.__name__.rpartition(".")[2]: job.SCHEDULE for job in JOBS}
    intervals = {name: one.interval for name, one in schedules.items() if isinstance(one, IntervalTrigger)}
    assert {name: intervals.get(name) for name in EVERY} == EVERY
