"""The carrier's error codes: their meaning for a person, for our sender and for the operator, and what is done.

The codes are data: `twilio/codes.toml`.
"""

import secrets
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

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
    """What follows from one code, as the file explains it; nothing, where a field is left out."""

    opts_out: bool = False
    unreachable: str | None = None
    misses: int | None = None
    retried: bool = False
    by_day: bool = False
    stops_for: timedelta | None = None
    until_they_text: bool = False
    alert: str | None = None


_PAUSES = {"soon": sender.TRY_EVERY, "later": sender.LONGEST_PAUSE}


def _meanings() -> dict[int, Meaning]:
    read = tomllib.loads((Path(__file__).parent / "twilio" / "codes.toml").read_text(encoding="utf-8"))
    return {
        code: Meaning(**{**fields, "stops_for": _PAUSES.get(fields.get("stops_for"))})
        for codes, fields in ((one.pop("codes"), one) for one in read["meaning"])
        for code in codes
    }


MEANINGS = _meanings()


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
