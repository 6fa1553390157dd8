"""Marks, the named values of the installation's own state, and the way to read and set one."""

from datetime import datetime

from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.store.db import Base


class Mark(Base):
    """One thing that the installation remembers about itself, such as its progress or the start of an outage."""

    __tablename__ = "marks"

    name: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    number: Mapped[int] = mapped_column(default=0, server_default="0")
    note: Mapped[str | None]


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


def hasten(db: Session, name: str, now: datetime) -> None:
    """Let what the mark puts off be tried at once, as after a start: the operator may have fixed the cause."""
    if (mark := read(db, name)) is not None:
        mark.at = min(mark.at, now)


def remove(db: Session, name: str) -> None:
    db.execute(delete(Mark).where(Mark.name == name))
