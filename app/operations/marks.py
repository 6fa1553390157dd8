"""Marks of the installation itself, by name: heartbeats, how far it has looked, what is down since when.

By the age of its heartbeat, not by what a thread says of itself, it is known that a part goes on with its work.
"""

from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm import Session

from app.models import Mark

WORKER = "heart:worker"
SCHEDULER = "heart:scheduler"
TOO_OLD_SECONDS = 60.0
CLOCKS_APART = timedelta(seconds=30)  # Of machines that share a database; more is a clock that was set.

_IS_SET = select(Mark.name).where(Mark.name == bindparam("mark"))


def read(db: Session, name: str) -> Mark | None:
    # Every turn asks for several, and most are not set: to look for the name takes a fraction of loading a row.
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
    """Note that the part `name` was alive at that instant; one that is a little earlier than is known changes nothing.

    One that is much earlier comes after the clock was set back, and counts: else a process that stalls then would
    look alive until the clock had caught up.
    """
    mark = read(db, name)
    if mark is None or mark.at < at or mark.at > at + CLOCKS_APART:
        put(db, name, at)


def ages_seconds(db: Session, now: datetime) -> dict[str, float]:
    """How long ago each part was last known to be alive; one that never was is left out."""
    beats = select(Mark.name, Mark.at).where(Mark.name.in_((WORKER, SCHEDULER)))
    return {name: max((now - at).total_seconds(), 0.0) for name, at in db.execute(beats)}
