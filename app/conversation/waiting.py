"""Who has something waiting: looks that cost next to nothing, however many rows there are.

SQLite takes a partial index only where the query itself says the index's condition; without it, it reads every row.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import exists, func, or_, select
from sqlalchemy.orm import Session

from app.conversation import outage, rests
from app.conversation.lane import is_for_servers
from app.delivery import due, pacing, window
from app.models import Message, Person, Turn
from app.models.message import UNDER_WAY
from app.models.turn import OPEN
from app.services import Services

APART_SECONDS = 0.2  # Between two people after an outage: five a second is a rate that a model just recovered stands.


def wake_unnoticed(services: Services) -> None:
    """Wake everyone whose texts wait longer than a burst lasts: another process let them in, or took them in.

    While the model is down: those whose command waits, and whoever is to try whether it is back.
    """
    quiet = timedelta(seconds=services.settings.burst_max_seconds)
    now = services.clock.now()
    with services.reading() as db:
        is_down = outage.current(db) is not None
        waiting = _people_meanwhile(db, now) if is_down else people_waiting(db, now, quiet=quiet)
        just_over = bool(waiting) and not is_down and outage.is_just_over(db, now)
    wake_all(services, waiting, apart_seconds=APART_SECONDS if just_over else 0.0)


def wake_all(services: Services, people: Sequence[int], *, apart_seconds: float) -> None:
    """Have the people looked at in this order, one after the other."""
    for place, person_id in enumerate(people):
        if place and apart_seconds:
            services.background.wake(person_id, after_seconds=place * apart_seconds)
        else:
            services.background.wake(person_id, at_once=True)


def wake_after_outage(services: Services) -> None:
    """The model is back: everyone whose texts waited for it, the longest wait first, and not all at once."""
    with services.reading() as db:
        people = outage.who_waits(db, services.clock.now())
    wake_all(services, people, apart_seconds=APART_SECONDS)


def people_to_answer(db: Session, now: datetime, *, quiet: timedelta = timedelta(0)) -> list[int]:
    """People with a turn to take up, a text not sent yet, or texts that wait and are older than `quiet`.

    While the model is down: only those for whom something can be done without it, and whoever is to try it.
    """
    queued = select(Message.person_id).join(Person, Person.id == Message.person_id)
    queued = queued.where(UNDER_WAY, Message.state == "queued", pacing.has_its_turn(now))
    queued = queued.where(or_(Message.carrier != "twilio", window.is_open(now)))
    queued = queued.order_by(Message.id)
    if outage.current(db) is not None:
        return list(dict.fromkeys([*_people_meanwhile(db, now), *db.scalars(queued)]))
    begun = select(Turn.person_id).where(OPEN, or_(Turn.state == "running", due.is_put_off_no_longer(now)))
    begun = begun.order_by(Turn.id)
    found = [*db.scalars(begun), *people_waiting(db, now, quiet=quiet), *db.scalars(queued)]
    return list(dict.fromkeys(found))


def _people_meanwhile(db: Session, now: datetime) -> list[int]:
    """Whoever tries whether the model is back, and those whose first waiting text is answered without it."""
    begun = select(Turn.person_id).where(OPEN, Turn.state == "running", Turn.kind == "command")
    first = select(func.min(Message.id)).where(UNDER_WAY, Message.state == "waiting").group_by(Message.person_id)
    commands = select(Message.person_id).where(
        Message.id.in_(first), func.ltrim(Message.body).like("/%"), Message.turn_id.is_(None), is_for_servers(now)
    )
    trying = outage.next_to_try(db, now)
    return [*([] if trying is None else [trying]), *db.scalars(begun), *db.scalars(commands)]


def people_waiting(db: Session, now: datetime, *, quiet: timedelta) -> list[int]:
    """People whose newest waiting text is older than `quiet` and who have no turn begun; longest wait first."""
    begun = exists().where(OPEN, Turn.person_id == Message.person_id)
    waiting = select(Message.person_id).where(UNDER_WAY, Message.state == "waiting", is_for_servers(now), ~begun)
    waiting = waiting.where(or_(rests.is_of_nobody_resting(now), func.ltrim(Message.body).like("/%")))
    waiting = waiting.group_by(Message.person_id).having(due.was_long_ago(func.max(Message.created_at), now, quiet))
    return list(db.scalars(waiting.order_by(func.min(Message.id))))
