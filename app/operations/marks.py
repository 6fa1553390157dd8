"""Marks of the installation itself, by name: heartbeats, how far it has looked, what is down since when."""

from datetime import datetime

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from app.models import Mark

_IS_SET = select(Mark.name).where(Mark.name == bindparam("mark"))


def read(db: Session, name: str) -> Mark | None:
    # Every turn asks for several, and most are not set: to look for the name takes a fraction of loading a row.
    if db.connection().execute(_IS_SET, {"mark": name}).first() is None:
        return None
    return db.get(Mark, name)


def put(db: Session, name: str, at: datetime, *, number: int = 0, note: str | None = None) -> Mark:
    """The mark as it is now set."""
    mark = db.get(Mark, name)
    if mark is None:
        mark = Mark(name=name)
        db.add(mark)
    mark.at, mark.number, mark.note = at, number, note
    db.flush()
    return mark


def remove(db: Session, name: str) -> None:
    mark = db.get(Mark, name)
    if mark is not None:
        db.delete(mark)
        db.flush()
