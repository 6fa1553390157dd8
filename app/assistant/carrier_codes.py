"""What the carrier's error codes mean for a person, for our sender and for the operator, and what is done about them.

Source: https://www.twilio.com/docs/api/errors (one page a code) and Twilio's notes for builders, github.com/twilio/ai.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from app.alerts import raise_alert
from app.assistant import consents, sender
from app.models import Message, Person

RETRY_AFTER = timedelta(minutes=30)  # A phone that was off or out of reach is often back by then.
RETRY_WORTH = timedelta(hours=1)  # After this the person has asked again, or found out otherwise.


@dataclass(frozen=True)
class Meaning:
    """What follows from one code; nothing, where a field is left out."""

    opts_out: bool = False
    """The person, or their carrier for them, wants nothing from us any more."""
    unreachable: str | None = None
    """Why no text can ever reach this number."""
    misses: int | None = None
    """After how many texts in a row that missed it the number counts as unreachable."""
    retried: bool = False
    """The text is worth sending once more, later."""
    stops_for: timedelta | None = None
    """Nothing at all can be sent now; after so long one text tries again."""
    alert: str | None = None
    """What the operator has to know, and to do."""


_SOON, _LATER = timedelta(minutes=5), timedelta(hours=1)

MEANINGS = {
    20003: Meaning(
        stops_for=_SOON,
        alert="Twilio refuses our credentials, so no text goes out; all are kept. Check TWILIO_ACCOUNT_SID and "
        "TWILIO_AUTH_TOKEN, or TWILIO_API_KEY and its secret, and restart.",
    ),
    21211: Meaning(unreachable="Twilio says that this is no valid phone number (21211)."),
    21408: Meaning(
        unreachable="Texts to this number's region are not enabled at Twilio (21408).",
        alert="A text went to a region that is not enabled. Enable it in Twilio's console under Messaging, Settings, "
        "Geo permissions; whoever texts again is answered.",
    ),
    21608: Meaning(
        alert="Twilio's account is on trial, or has no approved compliance profile, and may text only verified "
        "numbers. Upgrade it, or verify the number, in Twilio's console.",
    ),
    21610: Meaning(opts_out=True),
    21611: Meaning(
        stops_for=_SOON,
        alert="More than ten hours of texts wait at Twilio for our number, so that it takes no more; the rest is kept "
        "here. Set TWILIO_SEGMENTS_PER_SECOND to what the number can send, or use a faster sender.",
    ),
    21614: Meaning(unreachable="Twilio says that this number cannot receive texts (21614)."),
    21635: Meaning(unreachable="Twilio says that this number is a landline (21635)."),
    30001: Meaning(
        stops_for=_SOON,
        alert="Twilio's queue for our sender ran over, and it takes no more texts for a while; the rest is kept here. "
        "Set TWILIO_SEGMENTS_PER_SECOND to what the sender can send.",
    ),
    30003: Meaning(misses=5, retried=True),
    30004: Meaning(opts_out=True),  # Blocked: so does a toll-free number's own opt-out answer.
    30005: Meaning(misses=2),
    30006: Meaning(misses=2),
    30007: Meaning(
        alert="A phone company filtered one of our texts as unwanted. It is not sent again. Look at the refused text "
        "on the operator's pages, and at the campaign's registration in Twilio's console.",
    ),
    30008: Meaning(retried=True),
    30034: Meaning(
        stops_for=_LATER,
        alert="Our US number is in no registered A2P 10DLC campaign, so that phone companies block its texts; what is "
        "queued is kept. Register it in Twilio's console under Messaging, Regulatory compliance.",
    ),
    30450: Meaning(
        alert="Twilio's protection against SMS pumping blocked a text. Look at the number on the operator's pages; if "
        "it is genuine, add it to the Global Safe List in Twilio's console.",
    ),
    30640: Meaning(unreachable="Twilio's Compliance Toolkit lists this number as one not to be texted (30640)."),
    63038: Meaning(
        stops_for=_LATER,
        alert="Twilio's daily limit of texts for the account is reached; what is queued is kept and goes out as soon "
        "as Twilio takes it. Ask Twilio's support for a higher limit if this comes often.",
    ),
}
"""Any other code says only that this one text was not sent, or did not arrive."""


def stops_sender(code: int | None) -> bool:
    """Whether the code is about our sender and not about the text, which may be sent later as it is."""
    return code in MEANINGS and MEANINGS[code].stops_for is not None


def act_on(db: Session, message: Message, code: int | None, now: datetime) -> None:
    """Do what follows from the code with which the carrier refused the text, or failed to deliver it."""
    if code is None:
        return
    message.carrier_code = code
    meaning = MEANINGS.get(code, Meaning())
    person = db.get_one(Person, message.person_id)
    if meaning.opts_out:
        consents.withdraw(db, person, now, now)
        consents.record(db, person.id, False, "carrier_refusal", now, message_id=message.id)
    if meaning.unreachable:
        person.unreachable = meaning.unreachable
    if meaning.misses:
        _count_miss(person, code, meaning.misses)
    if meaning.retried and not (person.unreachable or person.opted_out_at):
        _send_later(db, message, code, now)
    if meaning.alert and meaning.stops_for:
        sender.stop(db, code, meaning.alert, now, pause=meaning.stops_for)
    elif meaning.alert:
        raise_alert(db, f"carrier_{code}", meaning.alert, now)


def got_through(db: Session, message: Message, now: datetime) -> None:
    """Do what follows from a text that has reached its phone."""
    db.get_one(Person, message.person_id).undelivered = 0
    sender.delivered(db, message.id, now)


def _count_miss(person: Person, code: int, allowed: int) -> None:
    person.undelivered += 1
    if person.undelivered >= allowed:
        person.unreachable = f"{person.undelivered} texts in a row did not reach this number (the last: {code})."


def _send_later(db: Session, message: Message, code: int, now: datetime) -> None:
    """The text once more, as a row of its own: the first one stays as what was sent and charged."""
    if message.purpose != "reply" or message.resends or now - message.created_at > RETRY_WORTH:
        return
    again = Message(
        person_id=message.person_id,
        direction="out",
        carrier=message.carrier,
        key=secrets.token_hex(16),
        state="queued",
        body=message.body,
        segments=message.segments,
        resends=1,
        send_at=now + RETRY_AFTER,
        note=f"Message {message.id} did not arrive ({code}); this is it once more.",
        created_at=now,
    )
    db.add(again)
    db.flush()
