"""Heartbeats: by their age, not by what a thread says of itself, it is known that the work goes on."""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.models import Mark
from app.operations import marks

WORKER = "heart:worker"
SCHEDULER = "heart:scheduler"
TOO_OLD_SECONDS = 60.0
CLOCKS_APART = timedelta(seconds=30)  # Of machines that share a database; more is a clock that was set.


def beat(db: Session, name: str, at: datetime) -> None:
    """Note that the part `name` was alive at that instant; one that is a little earlier than is known changes nothing.

    One that is much earlier comes after the clock was set back, and counts: else a process that stalls then would
    look alive until the clock had caught up.
    """
    mark = marks.read(db, name)
    if mark is None or mark.at < at or mark.at > at + CLOCKS_APART:
        marks.put(db, name, at)


def ages_seconds(db: Session, now: datetime) -> dict[str, float]:
    """How long ago each part was last known to be alive; one that never was is left out."""
    beats = select(Mark.name, Mark.at).where(Mark.name.in_((WORKER, SCHEDULER)))
    return {name: max((now - at).total_seconds(), 0.0) for name, at in db.execute(beats)}
