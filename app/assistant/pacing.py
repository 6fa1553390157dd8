"""When a text may go out through a sender that takes only so many segments a second.

The first text of an idle sender goes at once. While it is busy each text is given the next free slot, and a reply the
slot of a routine, which goes to the end of the line: somebody waits for a reply.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from app import marks
from app.models import Message
from app.models.message import UNDER_WAY

SLOT_GRACE = timedelta(
    seconds=10
)  # A slot that was missed by more is given anew, else a restart would send all at once.


def slot(db: Session, message: Message, sender: str, per_second: float, now: datetime) -> datetime:
    """The instant from which the text may go: not after `now`, or one that is kept for it.

    `per_second` counts segments; 0 lets everything go at once.
    """
    if message.send_at is not None and message.send_at >= now - SLOT_GRACE:
        return message.send_at
    if not per_second:
        return now
    mark = marks.read(db, f"sender:{sender}")
    free_at = max(mark.at, now) if mark else now
    if free_at == now or message.purpose == "routine":
        first, end = free_at, free_at + _length(message, per_second)
    else:
        first, end = _before_routines(db, message, free_at, per_second, now)
    message.send_at = first
    marks.put(db, f"sender:{sender}", end)
    return first


def _before_routines(
    db: Session, message: Message, free_at: datetime, per_second: float, now: datetime
) -> tuple[datetime, datetime]:
    """The first routine's slot, and the end of the line once enough routines for the reply's length stand there."""
    first, needed = free_at, _length(message, per_second)
    for routine in _routines_in_line(db, message, now):
        first = min(first, routine.send_at or first)
        routine.send_at = free_at
        free_at += _length(routine, per_second)
        needed -= _length(routine, per_second)
        if needed <= timedelta(0):
            break
    return first, free_at + max(needed, timedelta(0))


def _routines_in_line(db: Session, message: Message, now: datetime) -> Sequence[Message]:
    """The next routines with a slot to come: as many as there are segments in the text are always enough."""
    in_line = select(Message).where(
        UNDER_WAY,
        Message.state == "queued",
        Message.purpose == "routine",
        Message.carrier == message.carrier,
        Message.send_at > now,
    )
    return db.scalars(in_line.order_by(Message.send_at, Message.id).limit(_segments(message))).all()


def _length(message: Message, per_second: float) -> timedelta:
    return timedelta(seconds=_segments(message) / per_second)


def _segments(message: Message) -> int:
    return message.segments or 1
