"""Heartbeats: a part counts as working by the age of its last one, not by what a thread says of itself."""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.models import Mark, marks

WORKER = "heart:worker"
SCHEDULER = "heart:scheduler"
TOO_OLD_SECONDS = 60.0
CLOCKS_APART = timedelta(seconds=30)  # Of machines that share a database; more means that a clock was set.


def beat(db: Session, name: str, at: datetime) -> None:
    """Note that the part `name` was alive at that instant; one slightly earlier than the known one changes nothing.

    A much earlier one comes after the clock was set back, and counts: otherwise a process that stalls then would look
    alive until the clock had caught up.
    """
    mark = marks.read(db, name)
    if mark is None or mark.at < at or mark.at > at + CLOCKS_APART:
        marks.put(db, name, at)


def ages_seconds(db: Session, now: datetime) -> dict[str, float]:
    """Seconds since each part was last known to be alive; a part that never was is left out."""
    beats = select(Mark.name, Mark.at).where(Mark.name.in_((WORKER, SCHEDULER)))
    return {name: max((now - at).total_seconds(), 0.0) for name, at in db.execute(beats)}
