"""How fast one number is answered. Texts beyond it are late, never lost: they wait, and are answered together.

Two limits. In an hour a number gets `PERSON_REPLIES_PER_HOUR` replies of the model. And ten replies of any kind within
two minutes look like two machines that answer each other: then the number gets none for ten minutes. Twilio itself
breaks such a loop after thirty, and by cutting off the number (its error 14107).

Both are for numbers out in the world. On the phone page and at the terminal sits whoever runs this installation.

A clock that is set back makes a number's last replies lie in the future. They do not count then, so that nobody waits
for hours because of it; the worst that comes of it is ten replies more.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.conversation import rests
from app.conversation.rests import LOOP, RATE, Rest
from app.delivery import outbox
from app.models import Message, Turn
from app.operations.alerts import clear, raise_alert
from app.people import notices
from app.services import Services
from app.text import kind_words

HOUR = timedelta(hours=1)
LOOP_REPLIES = 10  # A third of what Twilio bears, and more than a person reads in two minutes.
LOOP_WINDOW = timedelta(minutes=2)
LOOP_REST = timedelta(minutes=10)  # Most machines give up long before; a person is told how long it takes.

LOOP_ALERT = (
    f"A number got {LOOP_REPLIES} replies within two minutes and gets none for ten: a machine may be answering there. "
    "Look at the conversation on the operator's pages, and block the number if so."
)


def admitted(
    db: Session, services: Services, person_id: int, waiting: Sequence[Message], now: datetime
) -> Sequence[Message]:
    """Which of the person's waiting texts may be answered now; when they were too fast, a rest begins."""
    if not waiting:
        return waiting
    rest = rests.latest(db, person_id)
    if rest is not None and rest.lasts(now):
        return _despite(rest, waiting)
    rest_begun = _too_fast(db, services, person_id, now) if waiting[0].carrier == "twilio" else None
    if rest_begun is not None:
        _tell(db, person_id, waiting[0].carrier, rest_begun, now)
        return _despite(rests.begin(db, person_id, rest_begun), waiting)
    if rest is not None:
        rests.forget(db, person_id)
        if rest.why == LOOP:
            clear(db, "loop", now)
    return waiting


def _despite(rest: Rest, waiting: Sequence[Message]) -> Sequence[Message]:
    return () if rest.is_for_commands else [text for text in waiting if text.body.lstrip().startswith("/")]


def _too_fast(db: Session, services: Services, person_id: int, now: datetime) -> Rest | None:
    if _nth_last_reply(db, person_id, LOOP_REPLIES, now, within=LOOP_WINDOW, commands_too=True):
        raise_alert(db, "loop", LOOP_ALERT, now)
        return Rest(now + LOOP_REST, LOOP)
    most = services.settings.person_replies_per_hour
    first = _nth_last_reply(db, person_id, most, now, within=HOUR, commands_too=False)
    return Rest(first + HOUR, RATE) if first else None


def _nth_last_reply(
    db: Session, person_id: int, nth: int, now: datetime, *, within: timedelta, commands_too: bool
) -> datetime | None:
    """When the turn began that has been answered as the nth last; None unless that is so short a time ago."""
    replies = select(Turn.started_at).where(Turn.person_id == person_id, Turn.carrier == "twilio")
    if not commands_too:
        replies = replies.where(Turn.kind == "reply")
    began = db.scalar(replies.order_by(Turn.id.desc()).offset(nth - 1).limit(1))
    return began if began is not None and now - within < began <= now else None


def _tell(db: Session, person_id: int, carrier: str, rest: Rest, now: datetime) -> None:
    """Tell the person, once an hour at most: a machine that reads it has one text more to answer, and then silence."""
    if notices.is_due(db, person_id, "rate", now, every=HOUR):
        minutes = max(-(-(rest.until - now) // timedelta(minutes=1)), 1)
        outbox.queue(db, person_id, None, carrier, [kind_words.too_fast(minutes)], now, purpose="notice")
