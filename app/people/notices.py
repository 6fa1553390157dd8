"""Notices that a person gets of the installation itself, and how often at most."""

from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from app.models import Notice


def is_due(db: Session, person_id: int, kind: str, now: datetime, *, every: timedelta | None) -> bool:
    """Whether the person is to be told now; then it is noted as told.

    `every` is the shortest time between two such texts; None tells once for all.
    """
    told = db.get(Notice, (person_id, kind))
    if told is None:
        db.add(Notice(person_id=person_id, kind=kind, at=now))
        db.flush()
        return True
    if every is None or now - told.at < every:
        return False
    told.at = now
    return True


def told_at(db: Session, person_id: int, kind: str) -> datetime | None:
    """When the person was last told."""
    told = db.get(Notice, (person_id, kind))
    return told.at if told else None
