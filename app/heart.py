"""Heartbeats: by their age, not by what a thread says of itself, it is known that the work goes on."""

from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from app import marks

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


def age_seconds(db: Session, name: str, now: datetime) -> float | None:
    """How long ago the part `name` was last known to be alive; None when it never was."""
    mark = marks.read(db, name)
    return None if mark is None else max((now - mark.at).total_seconds(), 0.0)
