"""The state of our sender: stopped when the carrier says so, or is out of reach for long.

While it is stopped all texts stay queued, and one at a time tries whether it works again. The mark holds when the next
text may try, the code that stopped the sender, and the id of the text that tries.
"""

from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from app.clock import has_come
from app.models import Mark, Message
from app.operations import marks
from app.operations.alerts import clear, raise_alert

STOPPED = "sender_stopped"
ALERT = "sender"
TRY_EVERY = timedelta(minutes=5)  # Wrong credentials are mended within minutes, or not before somebody is awake.
LONGEST_PAUSE = timedelta(hours=1)  # For what takes the operator days, or Twilio until the next day, to mend.

NO_CODE = 0
"""In the place of the carrier's code, when the carrier itself has said nothing."""

LOST = frozenset({"undelivered", "failed", "canceled"})
"""What the carrier says of a text that has not reached its phone and never will."""

OUT_OF_REACH = (
    "Twilio cannot be reached, or takes nothing, since about {since:%H:%M} UTC: {why} All texts are kept. One tries "
    "again every five minutes, and the others follow by themselves once it has gone out. Look at this machine's "
    "network and at https://status.twilio.com."
)


def stop(db: Session, code: int, sentence: str, now: datetime, *, pause: timedelta = TRY_EVERY) -> None:
    """Send nothing more before `pause` is over; the operator is told in `sentence` what to do."""
    marks.put(db, STOPPED, now + pause, number=code)
    raise_alert(db, ALERT, sentence, now)


def stop_out_of_reach(db: Session, why: str, since: datetime, now: datetime) -> None:
    """Send nothing more for a while, since texts that were surely not sent have failed for so long.

    A sender that is stopped already stays so for its own reason, which is the one to be mended.
    """
    if marks.read(db, STOPPED) is None:
        stop(db, NO_CODE, OUT_OF_REACH.format(since=since, why=why), now)


def is_stopped(db: Session, now: datetime) -> bool:
    """Whether no text may go out now, not even one that tries."""
    mark = marks.read(db, STOPPED)
    if mark is None:
        return False
    if not has_come(mark.at, now, LONGEST_PAUSE):
        return True
    if _was_heard_of(db, mark):
        _works(db, now)
    return False


def try_now(db: Session, now: datetime) -> None:
    """Let one text try at once, as after a start: the operator may have mended what it was."""
    mark = marks.read(db, STOPPED)
    if mark is not None:
        mark.at = min(mark.at, now)


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
