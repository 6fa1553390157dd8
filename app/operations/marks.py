"""Marks of the installation itself, by name: heartbeats, progress of jobs, starts of outages.

A part counts as working by the age of its heartbeat, not by what a thread says of itself.
"""

from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm import Session

from app.models import Mark

WORKER = "heart:worker"
SCHEDULER = "heart:scheduler"
TOO_OLD_SECONDS = 60.0
CLOCKS_APART = timedelta(seconds=30)  # Of machines that share a database; more means that a clock was set.

_IS_SET = select(Mark.name).where(Mark.name == bindparam("mark"))


def read(db: Session, name: str) -> Mark | None:
    # Every turn reads several, and most are not set: looking for the name takes a fraction of loading a row.
    if db.connection().execute(_IS_SET, {"mark": name}).first() is None:
        return None
    return db.get(Mark, name)


def put(db: Session, name: str, at: datetime, *, number: int = 0, note: str | None = None) -> Mark:
    mark = db.merge(Mark(name=name, at=at, number=number, note=note))
    db.flush()
    return mark


def remove(db: Session, name: str) -> None:
    db.execute(delete(Mark).where(Mark.name == name))


def beat(db: Session, name: str, at: datetime) -> None:
    """Note that the part `name` was alive at that instant; one slightly earlier than the known one changes nothing.

    A much earlier one comes after the clock was set back, and counts: otherwise a process that stalls then would look
    alive until the clock had caught up.
    """
    mark = read(db, name)
    if mark is None or mark.at < at or mark.at > at + CLOCKS_APART:
        put(db, name, at)


def ages_seconds(db: Session, now: datetime) -> dict[str, float]:
    """Seconds since each part was last known to be alive; a part that never was is left out."""
    beats = select(Mark.name, Mark.at).where(Mark.name.in_((WORKER, SCHEDULER)))
    return {name: max((now - at).total_seconds(), 0.0) for name, at in db.execute(beats)}
