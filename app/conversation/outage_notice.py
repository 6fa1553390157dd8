"""The notice that people get while the model is down: once, kindly, at an hour when it is no nuisance."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, func, select
from sqlalchemy.orm import Session

from app.clock import local
from app.conversation import waiting
from app.conversation.waiting import Outage
from app.delivery import outbox
from app.models import Message, Notice, Person
from app.models.message import UNDER_WAY
from app.people import notices
from app.services import Services
from app.text import kind_words

KIND = "model_down"
AFTER = timedelta(seconds=60)  # Sooner, the answer may well come by itself.
APART = timedelta(hours=1)  # Between two such texts, however often the model comes and goes.
APART_LASTING = timedelta(days=1)
EVENING, MORNING = 22, 7  # Hours on the person's own clock; in between nobody is woken for an apology.
AWAKE = timedelta(minutes=10)  # Whoever texted so lately is up.


def tell(services: Services) -> None:
    """Tell everyone who has waited for long, and was not told yet, that their text is kept."""
    now = services.clock.now()
    with services.reading() as db:  # Nearly always there is nobody to tell, and a look costs no writer's turn.
        people = _who_is_to_be_told(db, now)
    for person_id in people:
        with services.transaction() as db:
            told = _tell(db, person_id, now)
        if told:
            services.background.wake(person_id, at_once=True)


def _who_is_to_be_told(db: Session, now: datetime) -> list[int]:
    down = waiting.outage(db)
    if down is None:
        return []
    carriers = _carriers_to_tell_by(db, down, now)
    return [person_id for person_id in waiting.people_kept_long(db, now, at_least=AFTER) if person_id in carriers]


def _tell(db: Session, person_id: int, now: datetime) -> bool:
    """Whether the person is told: since the look the model may have come back, or another process told them."""
    down = waiting.outage(db)
    if down is None:
        return False
    carrier = _carriers_to_tell_by(db, down, now, Message.person_id == person_id).get(person_id)
    if carrier is None or not notices.is_due(db, person_id, KIND, now, every=_apart(down, now)):
        return False
    outbox.queue(db, person_id, None, carrier, [kind_words.MODEL_DOWN], now, purpose="notice")
    return True


def _carriers_to_tell_by(db: Session, down: Outage, now: datetime, *whose: ColumnElement[bool]) -> dict[int, str]:
    """Whoever waits and may be told, by their ids; and the carrier of the newest text that they wait for."""
    newest = select(func.max(Message.id)).where(UNDER_WAY, Message.state == "waiting", Message.carrier != "terminal")
    found = (
        select(Message.person_id, Message.carrier, Message.created_at, Person.timezone, Notice.at)
        .join(Person, Person.id == Message.person_id)
        .outerjoin(Notice, and_(Notice.person_id == Person.id, Notice.kind == KIND))
        .where(Message.id.in_(newest.where(*whose).group_by(Message.person_id)))
        .where(Person.access == "allowed", Person.opted_out_at.is_(None), Person.stop_text_id.is_(None))
    )
    return {
        person_id: carrier
        for person_id, carrier, texted_at, timezone, told_at in db.execute(found)
        if (_is_day(timezone, now) or now - texted_at <= AWAKE)
        and (told_at is None or _is_news(told_at, texted_at, down, now))
    }


def _is_day(timezone: str, now: datetime) -> bool:
    return MORNING <= local(now, timezone).hour < EVENING


def _is_news(told_at: datetime, texted_at: datetime, down: Outage, now: datetime) -> bool:
    """Whether they were told long enough ago, and before this outage or before they texted once more."""
    return now - told_at >= _apart(down, now) and (told_at < down.since or texted_at > told_at)


def _apart(down: Outage, now: datetime) -> timedelta:
    return APART_LASTING if down.is_lasting else max(now - down.since, APART)
