"""Consent: people's words on being texted, kept word for word for as long as the person is, and heeded at once.

Rows are only ever added; the person's own row says how it stands now. Who texts first has agreed to be answered. Being
let in or blocked is the operator's decision and no word of the person.

An opt-out ends whatever was to be sent, and a START lets the person be answered again. What was scheduled does not
begin again by itself: it waits for the person's yes.
"""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.models import Consent, Message, Person, Turn, move
from app.routines import rows, suggestions
from app.services import Services
from app.text import opt_out

OPTED_OUT = "The person opted out."


def withdraw(db: Session, person: Person, since: datetime, now: datetime) -> None:
    """Nothing goes to the person from now on: what is queued is dropped, what waits is not answered.

    A turn under way is ended, so that whoever holds it finds itself overtaken: it asks the model nothing more, changes
    nothing, and has no reply to send.
    """
    person.opted_out_at, person.stop_text_id = person.opted_out_at or since, None
    theirs = Message.person_id == person.id
    move(db, Message, "refused", theirs, Message.state == "queued", note=OPTED_OUT)
    move(db, Message, "unanswered", theirs, note=OPTED_OUT)
    move(db, Turn, "done", Turn.person_id == person.id, outcome="opted_out", ended_at=now)
    rows.have_wait_for_yes(db, person.id, OPTED_OUT, now)
    suggestions.withdraw(db, person.id, OPTED_OUT)


def give_back(person: Person) -> None:
    """The person is answered again; what they texted meanwhile stays unanswered."""
    person.opted_out_at = person.stop_text_id = None


def refuse_for(services: Services, person_id: int, words: str) -> None:
    """Opt a person out who has said so elsewhere, by phone or in a letter; `words` are how they said it."""
    now = services.clock.now()
    with services.transaction() as db:
        withdraw(db, db.get_one(Person, person_id), now, now)
        db.add(Consent(person_id=person_id, agrees=False, how="operator", words=words, at=now))


def of(db: Session, person_id: int) -> list[Consent]:
    """All that the person said, oldest first."""
    return list(db.scalars(select(Consent).where(Consent.person_id == person_id).order_by(Consent.id)))


def is_barred_by_carrier(db: Session, person: Person) -> bool:
    """Whether the carrier, too, sends this person nothing: then it takes also YES for START.

    After words of their own, which no carrier acts on, a YES may as well mean "yes, stop".
    """
    if person.opted_out_at is None:
        return False
    refusals = select(Consent.how).where(Consent.person_id == person.id, Consent.agrees.is_(False))
    return db.scalar(refusals.order_by(Consent.id.desc()).limit(1)) in {None, "carrier_word", "carrier_refusal"}


def is_meant_wholly(db: Session, person: Person, body: str) -> bool:
    """Whether the text ends all texts as the answer to our question."""
    if person.stop_text_id is None:
        return False
    unclear = db.get(Message, person.stop_text_id)
    was_asked = unclear is not None and unclear.state == "answered"
    return was_asked and (opt_out.wish_of(body) is not None or opt_out.means_all(body))
