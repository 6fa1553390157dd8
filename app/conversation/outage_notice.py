"""The notice that people get while the model is down: once, kindly, at an hour when it is no nuisance."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, func, select
from sqlalchemy.orm import Session

from app.clock import local
from app.conversation import waiting
from app.delivery import outbox
from app.models import Message, Notice, Person
from app.people import is_notice_due
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
        to_tell = _to_tell(db, now)
        kept_long = waiting.people_kept_long(db, now, at_least=AFTER) if to_tell else ()
    for person_id in (one for one in kept_long if one in to_tell):
        with services.transaction() as db:  # Since then the model may have come back, or another process told them.
            carrier, apart = _to_tell(db, now, Message.person_id == person_id).get(person_id, (None, APART))
            told = carrier is not None and is_notice_due(db, person_id, KIND, now, every=apart)
            if carrier is not None and told:
                outbox.queue(db, person_id, None, carrier, [kind_words.MODEL_DOWN], now, purpose="notice")
        if told:
            services.background.wake(person_id, at_once=True)


def _to_tell(db: Session, now: datetime, *whose: ColumnElement[bool]) -> dict[int, tuple[str, timedelta]]:
    """Whoever waits and may be told, by their ids: the carrier of the newest text that they wait for.

    With it how long ago they must have been told, if they were.
    """
    down = waiting.outage(db)
    if down is None:
        return {}
    newest = select(func.max(Message.id)).where(
        Message.UNDER_WAY, Message.state == "waiting", Message.carrier != "terminal"
    )
    found = (
        select(Message.person_id, Message.carrier, Message.created_at, Person.timezone, Notice.at)
        .join(Person, Person.id == Message.person_id)
        .outerjoin(Notice, and_(Notice.person_id == Person.id, Notice.kind == KIND))
        .where(Message.id.in_(newest.where(*whose).group_by(Message.person_id)))
        .where(Person.access == "allowed", Person.opted_out_at.is_(None), Person.stop_text_id.is_(None))
    )
    apart = APART_LASTING if down.is_lasting else max(now - down.since, APART)

    def may_be_told(texted_at: datetime, timezone: str, told_at: datetime | None) -> bool:
        is_up = MORNING <= local(now, timezone).hour < EVENING or now - texted_at <= AWAKE
        if told_at is None or not is_up:
            return is_up
        # Long enough ago, and before this outage or before they texted once more.
        return now - told_at >= apart and (told_at < down.since or texted_at > told_at)

    return {
        person_id: (carrier, apart)
        for person_id, carrier, texted_at, timezone, told_at in db.execute(found)
        if may_be_told(texted_at, timezone, told_at)
    }
