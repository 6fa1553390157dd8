"""Whose texts wait for an answer with nobody at work on them: a look that costs next to nothing, however many rows."""

from datetime import datetime, timedelta

from sqlalchemy import exists, func, or_, select, text
from sqlalchemy.orm import Session

from app.assistant.lane import TERMINAL_GRACE
from app.models import Message, Turn
from app.services import Services

# SQLite takes a partial index only where the query itself says the index's condition; without it, it reads every text.
_UNDER_WAY = text("messages.state IN ('waiting', 'queued', 'sending')")


def wake_unnoticed(services: Services) -> None:
    """Wake everyone whose texts wait longer than a burst lasts: another process let them in, or took them in."""
    quiet = timedelta(seconds=services.settings.burst_max_seconds)
    with services.reading() as db:
        waiting = people_waiting(db, services.clock.now(), quiet=quiet)
    for person_id in waiting:
        services.background.wake(person_id, at_once=True)


def people_waiting(db: Session, now: datetime, *, quiet: timedelta) -> list[int]:
    """People whose newest waiting text is older than `quiet` and who are not being answered; longest wait first.

    A text of the terminal is its terminal's for a while.
    """
    answered_now = exists().where(Turn.person_id == Message.person_id, Turn.state == "running")
    waiting = select(Message.person_id).where(
        _UNDER_WAY,
        Message.state == "waiting",
        or_(Message.carrier != "terminal", Message.created_at < now - TERMINAL_GRACE),
        ~answered_now,
    )
    waiting = waiting.group_by(Message.person_id).having(func.max(Message.created_at) <= now - quiet)
    return list(db.scalars(waiting.order_by(func.min(Message.id))))
