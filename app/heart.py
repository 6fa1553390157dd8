"""Heartbeats: by their age, not by what a thread says of itself, it is known that the work goes on."""

from datetime import datetime

from sqlalchemy.orm import Session

from app import marks

WORKER = "heart:worker"
SCHEDULER = "heart:scheduler"
TOO_OLD_SECONDS = 60.0


def beat(db: Session, name: str, at: datetime) -> None:
    """Note that the part `name` was alive at that instant; an earlier one than is known changes nothing."""
    mark = marks.read(db, name)
    if mark is None or mark.at < at:
        marks.put(db, name, at)


def age_seconds(db: Session, name: str, now: datetime) -> float | None:
    """How long ago the part `name` was last known to be alive; None when it never was."""
    mark = marks.read(db, name)
    return None if mark is None else max((now - mark.at).total_seconds(), 0.0)
