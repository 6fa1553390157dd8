"""What the carrier's error codes mean for a person, for our sender and for the operator, and what is done about them.

Source: https://www.twilio.com/docs/api/errors (one page a code) and Twilio's notes for builders, github.com/twilio/ai.
"""

import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

from sqlalchemy.orm import Session

from app.clock import local
from app.delivery import sender, window
from app.models import Message, Person
from app.models.states import move
from app.operations.alerts import raise_alert
from app.people import consents
from app.routines import outcomes

RETRY_AFTER = timedelta(minutes=30)  # A phone that was off or out of reach is often back by then.
RETRY_WORTH = timedelta(hours=1)  # After this the person has asked again, or found out otherwise.
MORNING_HOUR = 8  # Source: https://www.twilio.com/docs/api/errors/30610, on the law's quiet hours, 21:00 to 8:00.


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
    by_day: bool = False
    """When it is sent once more: not before the morning where the phone is."""
    stops_for: timedelta | None = None
    """Nothing at all can be sent now; after so long one text tries again."""
    until_they_text: bool = False
    """Their channel takes nothing before the person texts, so it is kept for then; `window.py` tells the operator."""
    alert: str | None = None
    """What the operator has to know, and to do."""


_SOON, _LATER = sender.TRY_EVERY, sender.LONGEST_PAUSE

_NOT_LET_IN = Meaning(
    stops_for=_SOON,
    alert="Twilio refuses our credentials, so no text goes out; all are kept. Check TWILIO_ACCOUNT_SID and "
    "TWILIO_AUTH_TOKEN, or TWILIO_API_KEY, its secret and its rights, and restart.",
)
_NOT_OUR_SENDER = Meaning(
    stops_for=_SOON,
    alert="Twilio lets our account send nothing from TWILIO_FROM, so no text goes out; all are kept. Set it to a "
    "number that can send texts, or to a Messaging Service, of the account in TWILIO_ACCOUNT_SID, and restart.",
)
_NO_SUCH_SERVICE = Meaning(
    stops_for=_SOON,
    alert="Twilio does not know the Messaging Service in TWILIO_FROM, so no text goes out; all are kept. Copy its SID "
    "(MG and 32 digits) from Twilio's console, in the account of TWILIO_ACCOUNT_SID, and restart.",
)
_EMPTY_SERVICE = Meaning(
    stops_for=_SOON,
    alert="The Messaging Service in TWILIO_FROM has no number to send from, so no text goes out; all are kept. Add one "
    "in Twilio's console under Messaging, Services, Sender Pool; the texts follow within minutes.",
)
_NOT_ACTIVE = Meaning(
    stops_for=_SOON,
    alert="Twilio says that our account is not active, so no text goes out; all are kept. Add funds in Twilio's "
    "console, or answer its letter on the suspension; the texts follow within minutes.",
)
_QUIET_HOURS = Meaning(retried=True, by_day=True)

MEANINGS = {
    10001: _NOT_ACTIVE,
    20003: _NOT_LET_IN,
    20005: _NOT_ACTIVE,
    20006: _NOT_LET_IN,
    20404: Meaning(
        stops_for=_SOON,
        alert="Twilio does not find our account, so no text goes out; all are kept. Check TWILIO_ACCOUNT_SID (AC and "
        "32 digits, of the account that owns TWILIO_FROM) and TWILIO_API_URL, and restart.",
    ),
    21211: Meaning(unreachable="Twilio says that this is no valid phone number (21211)."),
    21212: _NOT_OUR_SENDER,
    21408: Meaning(
        unreachable="Texts to this number's region are not enabled at Twilio (21408).",
        alert="A text went to a region that is not enabled. Enable it in Twilio's console under Messaging, Settings, "
        "Geo permissions; whoever texts again is answered.",
    ),
    21601: _NOT_OUR_SENDER,
    # Twilio's page names the account and the destination as causes: others may well be reached, so nothing is stopped.
    21606: Meaning(
        alert="Twilio cannot send from TWILIO_FROM to somebody's number, or to anybody's, and refused a text. If "
        "others are refused as well, set TWILIO_FROM to a number of the account in TWILIO_ACCOUNT_SID that can send "
        "texts, and restart.",
    ),
    21608: Meaning(
        alert="Twilio's account is on trial, or has no approved compliance profile, and may text only verified "
        "numbers. Upgrade it, or verify the number, in Twilio's console.",
    ),
    21609: Meaning(
        stops_for=_SOON,
        alert="Twilio cannot call PUBLIC_URL and so takes no text; all are kept. Set it to the address at which the "
        "world reaches Keepsake, as https://keepsake.example.org, and restart.",
    ),
    21610: Meaning(opts_out=True),
    21611: Meaning(
        stops_for=_SOON,
        alert="More than ten hours of texts wait at Twilio for our number, so that it takes no more; the rest is kept "
        "here. Set TWILIO_SEGMENTS_PER_SECOND to what the number can send, or use a faster sender.",
    ),
    21614: Meaning(unreachable="Twilio says that this number cannot receive texts (21614)."),
    21635: Meaning(unreachable="Twilio says that this number is a landline (21635)."),
    21659: _NOT_OUR_SENDER,
    21660: _NOT_OUR_SENDER,
    21661: _NOT_OUR_SENDER,
    21701: _NO_SUCH_SERVICE,
    21703: _EMPTY_SERVICE,
    21705: _NO_SUCH_SERVICE,
    30001: Meaning(
        retried=True,
        stops_for=_SOON,
        alert="Twilio's queue for our sender ran over, and it takes no more texts for a while; the rest is kept here. "
        "Set TWILIO_SEGMENTS_PER_SECOND to what the sender can send.",
    ),
    30002: replace(_NOT_ACTIVE, retried=True),  # Suspended between a text's acceptance and its sending.
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
    30047: _QUIET_HOURS,  # Twilio itself was to wait for the morning, and failed to.
    30450: Meaning(
        alert="Twilio's protection against SMS pumping blocked a text. Look at the number on the operator's pages; if "
        "it is genuine, add it to the Global Safe List in Twilio's console.",
    ),
    30610: _QUIET_HOURS,
    30640: Meaning(unreachable="Twilio's Compliance Toolkit lists this number as one not to be texted (30640)."),
    # Mostly told later, with the status `failed`; as a refusal it means the same.
    63016: Meaning(until_they_text=True),
    63038: Meaning(
        stops_for=_LATER,
        alert="Twilio's daily limit of texts for the account is reached; what is queued is kept and goes out as soon "
        "as Twilio takes it. Ask Twilio's support for a higher limit if this comes often.",
    ),
    70051: _NOT_LET_IN,
    90010: _NOT_ACTIVE,
}
"""Any other code says only that this one text was not sent, or did not arrive."""


def keeps(code: int | None) -> bool:
    """Whether a text that was refused with the code may be sent later as it is, since it was not at fault."""
    return code in MEANINGS and (MEANINGS[code].stops_for is not None or MEANINGS[code].until_they_text)


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
        at = _next_morning(person, now) if meaning.by_day else now + RETRY_AFTER
        _send_later(db, message, code, at, now)
    if meaning.until_they_text:
        _keep_until_they_text(db, message, code, now)
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


def _next_morning(person: Person, now: datetime) -> datetime:
    """The next instant at which the law lets anybody text the person, by the clocks where they are."""
    there = local(now, person.timezone)
    day = there.date() + timedelta(days=there.hour >= MORNING_HOUR)
    return datetime.combine(day, time(MORNING_HOUR), there.tzinfo).astimezone(UTC)


def _send_later(db: Session, message: Message, code: int, at: datetime, now: datetime) -> None:
    """The text once more, as a row of its own: the first one stays as what was sent and charged."""
    if message.state == "queued":  # It was refused before it was taken, and goes out itself.
        return
    if message.purpose != "reply" or message.resends or now - message.created_at > RETRY_WORTH:
        return
    _send_anew(db, message, code, now, resends=1, send_at=at)


def _keep_until_they_text(db: Session, message: Message, code: int, now: datetime) -> None:
    """A reply goes out then as it is; what came by itself is asked anew whether it may still come."""
    window.close(db, message.person_id, message.sent_at or now)
    if message.purpose == "routine":
        move(db, Message, "refused", Message.id == message.id, Message.state == "queued", note=window.CLOSED)
        outcomes.come_again(db, message.turn_id, window.CLOSED, now)
    elif message.state == "sent":
        _send_anew(db, message, code, now)


def _send_anew(
    db: Session, message: Message, code: int, now: datetime, *, resends: int = 0, send_at: datetime | None = None
) -> None:
    again = Message(
        person_id=message.person_id,
        direction="out",
        carrier=message.carrier,
        key=secrets.token_hex(16),
        state="queued",
        body=message.body,
        segments=message.segments,
        resends=resends,
        send_at=send_at,
        purpose=message.purpose,
        note=f"Message {message.id} did not arrive ({code}); this is it once more.",
        created_at=now,
    )
    db.add(again)
    db.flush()
