"""What people are told while the model is down: once, kindly, at an hour when it is no nuisance."""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from app import notices
from app.assistant import kind_words, outage, outbox
from app.assistant.outage import Outage
from app.clock import local
from app.models import Message, Person
from app.services import Services

AFTER = timedelta(seconds=60)  # Sooner, the answer may well come by itself.
APART = timedelta(hours=1)  # Between two such texts, however often the model comes and goes.
APART_LASTING = timedelta(days=1)
EVENING, MORNING = 22, 7  # Hours on the person's own clock; in between nobody is woken for an apology.
AWAKE = timedelta(minutes=10)  # Whoever texted so lately is up.


def tell(services: Services) -> None:
    """Tell everyone who has waited for long, and was not told yet, that their text is kept."""
    now = services.clock.now()
    with services.reading() as db:
        down = outage.current(db)
        waiting = [] if down is None else outage.who_waits_since(db, now - AFTER, now)
    if down is None:
        return
    for person_id in waiting:
        with services.transaction() as db:
            told = _tell(db, person_id, down, now)
        if told:
            services.background.wake(person_id, at_once=True)


def _tell(db: Session, person_id: int, down: Outage, now: datetime) -> bool:
    newest = db.scalars(
        select(Message)
        .where(Message.person_id == person_id, Message.state == "waiting", Message.carrier != "terminal")
        .order_by(Message.id.desc())
        .limit(1)
    ).one_or_none()
    person = db.get_one(Person, person_id)
    if newest is None or person.access != "allowed" or person.opted_out_at is not None:
        return False
    if not (_is_day(person, now) or now - newest.created_at <= AWAKE) or _knows(db, person_id, newest, down):
        return False
    apart = APART_LASTING if down.is_lasting else max(now - down.since, APART)
    if not notices.is_due(db, person_id, "model_down", now, every=apart):
        return False
    outbox.queue(db, person_id, None, newest.carrier, [kind_words.MODEL_DOWN], now, purpose="notice")
    return True


def _is_day(person: Person, now: datetime) -> bool:
    return MORNING <= local(now, person.timezone).hour < EVENING


def _knows(db: Session, person_id: int, newest: Message, down: Outage) -> bool:
    """Whether they were told in this outage, and have not texted since."""
    told = notices.told_at(db, person_id, "model_down")
    return told is not None and told >= down.since and newest.created_at <= told
