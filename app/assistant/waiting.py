"""Who has something waiting: looks that cost next to nothing, however many rows there are.

SQLite takes a partial index only where the query itself says the index's condition; without it, it reads every row.
"""

from datetime import datetime, timedelta

from sqlalchemy import and_, exists, func, or_, select, text
from sqlalchemy.orm import Session

from app.assistant.lane import is_for_servers
from app.models import Message, Turn
from app.services import Services

_UNDER_WAY = text("messages.state IN ('waiting', 'queued', 'sending')")
_OPEN = text("turns.state IN ('running', 'postponed')")


def wake_unnoticed(services: Services) -> None:
    """Wake everyone whose texts wait longer than a burst lasts: another process let them in, or took them in."""
    quiet = timedelta(seconds=services.settings.burst_max_seconds)
    with services.reading() as db:
        waiting = people_waiting(db, services.clock.now(), quiet=quiet)
    for person_id in waiting:
        services.background.wake(person_id, at_once=True)


def people_to_answer(db: Session, now: datetime, *, quiet: timedelta = timedelta(0)) -> list[int]:
    """People with a turn to take up, a text not sent yet, or texts that wait and are older than `quiet`."""
    due = or_(Turn.state == "running", and_(Turn.state == "postponed", Turn.retry_at <= now))
    begun = select(Turn.person_id).where(_OPEN, due).order_by(Turn.id)
    queued = select(Message.person_id).where(_UNDER_WAY, Message.state == "queued").order_by(Message.id)
    found = [*db.scalars(begun), *people_waiting(db, now, quiet=quiet), *db.scalars(queued)]
    return list(dict.fromkeys(found))


def people_waiting(db: Session, now: datetime, *, quiet: timedelta) -> list[int]:
    """People whose newest waiting text is older than `quiet` and who have no turn begun; longest wait first."""
    begun = exists().where(_OPEN, Turn.person_id == Message.person_id)
    waiting = select(Message.person_id).where(_UNDER_WAY, Message.state == "waiting", is_for_servers(now), ~begun)
    waiting = waiting.group_by(Message.person_id).having(func.max(Message.created_at) <= now - quiet)
    return list(db.scalars(waiting.order_by(func.min(Message.id))))


def oldest_waiting_at(db: Session) -> datetime | None:
    """When the text came that has waited longest for its answer."""
    return db.scalar(select(func.min(Message.created_at)).where(_UNDER_WAY, Message.state == "waiting"))
