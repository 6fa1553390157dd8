"""Windows of channels: the time in which a person may be texted on one.

A reply that may not go yet waits in the outbox; a routine is checked again for whether it may come (`due_routines.py`).
"""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, exists, not_, or_, select
from sqlalchemy.orm import Session

from app.models import Message, Occurrence, Person
from app.operations.alerts import raise_or_clear, sentence_of
from app.services import Services

WINDOWED = ("whatsapp:", "messenger:")
"""Channels on which a person may be texted freely only for 24 hours from their last text. After that only approved
templates get through, and Keepsake has none. If Twilio says that a window is closed although it seems open, Twilio is
right. Source: https://www.twilio.com/docs/api/errors/63016"""
WINDOW = timedelta(hours=24)
MARGIN = timedelta(minutes=2)  # Twilio's clock and ours may differ by this much, and sending takes a moment.
CLOSED = "Their last text is more than 24 hours old, so their channel takes nothing before they text again."
ALERT = "window"
WAIT = (
    "{texts} for {people} until they text again: WhatsApp and Messenger take a text only within 24 hours of the "
    "person's last one (Twilio's error 63016). Nothing is lost, and nothing has to be done. Whoever is to have it "
    "sooner has to text first, so ask them to, or reach them by SMS; approved templates are not supported."
)


def is_open(now: datetime) -> ColumnElement[bool]:
    """Condition for people whom Twilio may text now; for a query that has `people` in it."""
    theirs = (Message.person_id == Person.id, Message.direction == "in", Message.carrier.not_in(Message.HERE))
    # Not the text that came last, as one that the carrier's ledger brings late was sent long before.
    not_shut_since = or_(Person.window_shut_at.is_(None), Person.window_shut_at < Message.created_at)
    lasts = exists().where(*theirs, Message.created_at > now - WINDOW + MARGIN, not_shut_since).correlate(Person)
    return or_(not_(or_(*map(Person.address.startswith, WINDOWED))), lasts)


def is_open_for(db: Session, person: Person, carrier: str, now: datetime) -> bool:
    """True if a text may go to the person now by that carrier."""
    if carrier in Message.HERE or not person.address.startswith(WINDOWED):
        return True
    return bool(db.scalar(select(is_open(now)).where(Person.id == person.id)))


def tell_operator(services: Services) -> None:
    """Alert the operator to the number of texts that wait for closed windows, while any do."""
    now = services.clock.now()
    with services.reading() as db:
        sentence, alerted = _waiting_sentence(db, now), sentence_of(db, ALERT)
    if sentence == alerted:
        return
    with services.transaction() as db:
        raise_or_clear(db, ALERT, sentence, now)


def _waiting_sentence(db: Session, now: datetime) -> str | None:
    texts = select(Message.person_id).join(Person, Person.id == Message.person_id)
    texts = texts.where(
        Message.UNDER_WAY, Message.state == "queued", Message.carrier.not_in(Message.HERE), not_(is_open(now))
    )
    routines = select(Occurrence.person_id).where(Occurrence.OPEN, Occurrence.reason == CLOSED)
    waiting = [*db.scalars(texts), *db.scalars(routines)]
    if not waiting:
        return None
    people = len(set(waiting))
    return WAIT.format(
        texts="One text waits" if len(waiting) == 1 else f"{len(waiting)} texts wait",
        people="one person" if people == 1 else f"{people} people",
    )
