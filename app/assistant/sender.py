"""Whether our sender works at all: stopped when the carrier says so, and tried again with one text at a time.

While it is stopped all texts stay queued. The mark holds when the next text may try, the code that stopped the sender,
and the id of the text that tries.
"""

from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from app import marks
from app.alerts import clear, raise_alert
from app.models import Mark, Message

STOPPED = "sender_stopped"
ALERT = "sender"
TRY_EVERY = timedelta(minutes=5)  # Wrong credentials are mended within minutes, or not before somebody is awake.
LOST = frozenset({"undelivered", "failed", "canceled"})


def stop(db: Session, code: int, sentence: str, now: datetime, *, pause: timedelta = TRY_EVERY) -> None:
    """Send nothing more before `pause` is over; the operator is told in `sentence` what to do."""
    marks.put(db, STOPPED, now + pause, number=code)
    raise_alert(db, ALERT, sentence, now)


def is_stopped(db: Session, now: datetime) -> bool:
    """Whether no text may go out now, not even one that tries."""
    mark = marks.read(db, STOPPED)
    if mark is None or mark.at > now:
        return mark is not None
    if _was_heard_of(db, mark):
        _works(db, now)
    return False


def begin_try(db: Session, message_id: int, now: datetime) -> None:
    """Let the text go out: while the sender is stopped, it alone does."""
    mark = marks.read(db, STOPPED)
    if mark is not None:
        mark.at, mark.note = now + TRY_EVERY, str(message_id)


def accepted(db: Session, message_id: int, now: datetime) -> bool:
    """Whether the sender works again, now that the carrier has accepted this text."""
    mark = marks.read(db, STOPPED)
    if mark is None or mark.note != str(message_id) or _is_told_late(mark):
        return False
    _works(db, now)
    return True


def delivered(db: Session, message_id: int, now: datetime) -> None:
    """Take in that the text has reached its phone: if it was the one that tried, the sender works again."""
    mark = marks.read(db, STOPPED)
    if mark is not None and mark.note == str(message_id):
        _works(db, now)


def _works(db: Session, now: datetime) -> None:
    marks.remove(db, STOPPED)
    clear(db, ALERT, now)


def _is_told_late(mark: Mark) -> bool:
    """Whether texts are accepted first and fail later, so that being accepted proves nothing.

    Source: 30xxx are errors of delivery, https://www.twilio.com/docs/api/errors
    """
    return mark.number // 1000 == 30  # noqa: PLR2004  (the leading digits of the code)


def _was_heard_of(db: Session, mark: Mark) -> bool:
    """Whether the last text that tried went out and nothing bad was heard of it since: some carriers never confirm."""
    if mark.note is None:
        return False
    tried = db.get(Message, int(mark.note))  # None when its person was forgotten meanwhile.
    return tried is not None and tried.state == "sent" and tried.delivery not in LOST
