"""Consent: people's words on being texted, obeyed at once and kept verbatim for as long as the person is.

Rows are only ever added; the person's own row holds the current state. A person who texts first has agreed to be
answered. Letting in and blocking are the operator's decisions, and no consent of the person.

An opt-out cancels everything that was to be sent, and a START lets the person be answered again. Routines do not
resume by themselves: they wait for the person's yes.
"""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.errors import Refused
from app.models import Consent, Message, Person, Turn, move
from app.routines import rows, suggestions
from app.services import Services
from app.text import opt_out

OPTED_OUT = "The person opted out."


def withdraw(db: Session, person: Person, since: datetime, now: datetime) -> None:
    """Send the person nothing from now on: drop queued texts, and leave waiting ones unanswered.

    A turn under way is ended, so that the process that holds it is overtaken: it asks the model nothing more, changes
    nothing and sends no reply.
    """
    person.opted_out_at, person.stop_text_id = person.opted_out_at or since, None
    theirs = Message.person_id == person.id
    move(db, Message, "refused", theirs, Message.state == "queued", note=OPTED_OUT)
    move(db, Message, "unanswered", theirs, note=OPTED_OUT)
    move(db, Turn, "done", Turn.person_id == person.id, outcome="opted_out", ended_at=now)
    rows.make_wait_for_yes(db, person.id, OPTED_OUT, now)
    suggestions.withdraw(db, person.id, OPTED_OUT)


def restore_consent(person: Person) -> None:
    """Answer the person again; texts sent meanwhile stay unanswered."""
    person.opted_out_at = person.stop_text_id = None


def opt_out_for(services: Services, person_id: int, words: str) -> None:
    """Opt out a person who asked for it elsewhere, by phone or letter; `words` is how they put it."""
    if not words.strip():
        raise Refused("The proof is empty. Write how they asked for no more texts, and when.")
    now = services.clock.now()
    with services.transaction() as db:
        withdraw(db, db.get_one(Person, person_id), now, now)
        db.add(Consent(person_id=person_id, agrees=False, how="operator", words=words, at=now))


def of(db: Session, person_id: int) -> list[Consent]:
    """The person's consents and refusals, oldest first."""
    return list(db.scalars(select(Consent).where(Consent.person_id == person_id).order_by(Consent.id)))


def is_barred_by_carrier(db: Session, person: Person) -> bool:
    """True if the carrier, too, sends this person nothing; it then accepts YES as START.

    After an opt-out in free words, which no carrier acts on, a YES could also mean "yes, stop".
    """
    if person.opted_out_at is None:
        return False
    refusals = select(Consent.how).where(Consent.person_id == person.id, Consent.agrees.is_(False))
    return db.scalar(refusals.order_by(Consent.id.desc()).limit(1)) in {None, "carrier_word", "carrier_refusal"}


def is_full_opt_out(db: Session, person: Person, body: str) -> bool:
    """True if the text, as the answer to our question, asks for no more texts at all."""
    if person.stop_text_id is None:
        return False
    unclear = db.get(Message, person.stop_text_id)
    was_asked = unclear is not None and unclear.state == "answered"
    return was_asked and (opt_out.opt_out_wish(body) is not None or opt_out.wants_to_stop_all(body))


def has_agreed_since(db: Session, person: Person, at: datetime) -> bool:
    """True if the person's last word on being texted is a yes that is later than `at`."""
    last = select(Consent.agrees).where(Consent.person_id == person.id, Consent.at > at).order_by(Consent.id.desc())
    return db.scalar(last.limit(1)) is True


def has_opted_out_since(db: Session, person: Person, at: datetime) -> bool:
    """True if the person asked after `at` for no more texts, even if they agree again by now."""
    refusals = select(Consent.id).where(Consent.person_id == person.id, Consent.agrees.is_(False), Consent.at > at)
    return db.scalar(refusals.limit(1)) is not None
