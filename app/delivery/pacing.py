"""The pace of a sender that takes only so many segments a second: the instant at which each text may go out.

The first text of an idle sender goes at once. While it is busy each text is given the next free slot, and a reply the
slot of a routine, which goes to the end of the line: somebody waits for a reply.

A clock that is set back leaves slots, and the end of the line, far ahead. They are given up when they were given to a
text that seems to have been made in the future.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.orm import Session

from app.models import Message
from app.models.message import UNDER_WAY
from app.operations import marks

SLOT_GRACE = timedelta(seconds=10)  # What missed its slot by more gets another, else a restart would send all at once.
STEP = timedelta(minutes=1)  # A clock that was set back by less is caught up with; the line stays as it is.


def slot(db: Session, message: Message, sender: str, per_second: float, now: datetime) -> datetime:
    """The instant from which the text may go: not after `now`, or one that is kept for it.

    `per_second` counts segments; 0 lets everything go at once.
    """
    given = message.send_at
    if given is not None and given >= now - SLOT_GRACE and not _is_of_a_clock_ahead(given, message, now):
        return given
    if not per_second:
        return now
    free_at = _free_at(db, sender, now)
    if free_at == now or message.purpose == "routine":
        first, end = free_at, free_at + _length(message, per_second)
    else:
        first, end = _before_routines(db, message, free_at, per_second, now)
    message.send_at = first
    marks.put(db, _mark(sender), end, number=message.id)
    return first


def has_its_turn(now: datetime) -> ColumnElement[bool]:
    """Which queued texts wait for no slot that is to come. One that is sent anew waits for its time in any case."""
    given_up = and_(Message.created_at > now + STEP, Message.send_at >= Message.created_at, Message.resends == 0)
    return or_(Message.send_at.is_(None), Message.send_at <= now, given_up)


def _mark(sender: str) -> str:
    """The mark that holds the end of the sender's line, and the id of the text that was last given a slot."""
    return f"sender:{sender}"


def _free_at(db: Session, sender: str, now: datetime) -> datetime:
    """When the line ends, or now."""
    mark = marks.read(db, _mark(sender))
    if mark is None:
        return now
    last = db.get(Message, mark.number)  # None when its person was forgotten meanwhile.
    if last is not None and _is_of_a_clock_ahead(mark.at, last, now):
        return now
    return max(mark.at, now)


def _is_of_a_clock_ahead(instant: datetime, message: Message, now: datetime) -> bool:
    """Whether the instant was given to the text by a clock that has been set back since."""
    return instant >= message.created_at > now + STEP


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
        ~has_its_turn(now),
    )
    return db.scalars(in_line.order_by(Message.send_at, Message.id).limit(_segments(message))).all()


def _length(message: Message, per_second: float) -> timedelta:
    return timedelta(seconds=_segments(message) / per_second)


def _segments(message: Message) -> int:
    return message.segments or 1
