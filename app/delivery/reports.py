"""The carrier's reports on our texts, as error codes and delivery statuses: their meaning, and the actions they cause.

A code concerns one text and its person, or our sender, in which case all texts wait. The codes are data:
`twilio/codes.toml`.
"""

import logging
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from app.clock import has_come, local
from app.delivery import windows
from app.models import Consent, Mark, Message, Person, marks, move
from app.operations.alerts import clear, raise_alert
from app.people import consents
from app.routines import occurrences
from app.services import LedgerEntry, Services
from app.text.word_files import read_words

RETRY_AFTER = timedelta(minutes=30)  # A phone that was off or out of reach is often back by then.
RETRY_WORTH = timedelta(hours=1)  # After this the person has asked again, or found out by other means.
MORNING_HOUR = 8  # Source: https://www.twilio.com/docs/api/errors/30610, on the law's quiet hours, 21:00 to 8:00.

RANKS = {
    "accepted": 0,
    "scheduled": 0,
    "queued": 1,
    "sending": 2,
    "sent": 3,
    "partially_delivered": 4,
    "delivered": 5,
    "undelivered": 5,
    "failed": 5,
    "canceled": 5,
    "read": 6,
}
"""Callbacks come in any order and may repeat, so a text's status only ever rises in rank.

Source of the names: twilio-oai, message_enum_status; of the lack of order:
https://www.twilio.com/docs/messaging/guides/track-outbound-message-status
"""
ARRIVED = frozenset({"delivered", "read"})
LOST = frozenset({"undelivered", "failed", "canceled"})
"""The carrier's statuses for a text that has not reached its phone and never will."""
ON_THE_WAY = RANKS.keys() - ARRIVED - LOST
UNCONFIRMED = "unconfirmed"
"""Our own status for a text that the carrier accepted without a final report; a later report still counts."""

STOPPED = "sender_stopped"
"""The mark of a sender that the carrier stopped, or that could not reach the carrier for long: all texts stay queued,
and one at a time tests the sender. It holds the instant of the next trial, the code, and the id of the trial text."""
SENDER_ALERT = "sender"
TRY_EVERY = timedelta(minutes=5)  # Wrong credentials are fixed within minutes, or not before somebody is awake.
LONGEST_PAUSE = timedelta(hours=1)  # For faults that the operator needs days to fix, or Twilio until the next day.
OUT_OF_REACH = (
    "Twilio cannot be reached, or takes nothing, since about {since:%H:%M} UTC: {why} All texts are kept. One tries "
    "again every five minutes, and the others follow by themselves once it has gone out. Look at this machine's "
    "network and at https://status.twilio.com."
)

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Meaning:
    """Consequences of one code, as explained in the file; a field left out has none."""

    opts_out: bool = False
    unreachable: str | None = None
    misses: int | None = None
    retried: bool = False
    by_day: bool = False
    stops_for: timedelta | None = None
    until_they_text: bool = False
    alert: str | None = None


_PAUSES = {"soon": TRY_EVERY, "later": LONGEST_PAUSE}
MEANINGS = {
    code: Meaning(**{**fields, "stops_for": _PAUSES.get(fields.get("stops_for"))})
    for fields in read_words(__file__, "twilio/codes.toml")["meaning"]
    for code in fields.pop("codes")
}


def is_kept(code: int | None) -> bool:
    """True if a text refused with the code may be sent unchanged later, since the text was not at fault."""
    return code in MEANINGS and (MEANINGS[code].stops_for is not None or MEANINGS[code].until_they_text)


def act_on(db: Session, message: Message, code: int | None, now: datetime) -> None:
    """Act on the code with which the carrier refused the text, or failed to deliver it."""
    if code is None:
        return
    message.carrier_code = code
    meaning = MEANINGS.get(code, Meaning())
    person = db.get_one(Person, message.person_id)
    if meaning.opts_out and not consents.has_agreed_since(db, person, message.sent_at or now):
        consents.withdraw(db, person, now, now)
        db.add(Consent(person_id=person.id, agrees=False, how="carrier_refusal", message_id=message.id, at=now))
    if meaning.unreachable:
        person.unreachable = meaning.unreachable
    if meaning.misses:
        person.undelivered += 1
        if person.undelivered >= meaning.misses:
            person.unreachable = f"{person.undelivered} texts in a row did not reach this number (the last: {code})."
    is_wanted = not (person.opted_out_at or consents.has_opted_out_since(db, person, message.created_at))
    if meaning.retried and is_wanted and not person.unreachable:
        _send_later(db, message, person, code, now)
    if meaning.until_they_text:
        _keep_until_they_text(db, message, person, code, now)
    if meaning.alert and meaning.stops_for:
        stop_sender(db, code, meaning.alert, now, pause=meaning.stops_for)
    elif meaning.alert:
        raise_alert(db, f"carrier_{code}", meaning.alert, now)


def _send_later(db: Session, message: Message, person: Person, code: int, now: datetime) -> None:
    """Send a reply again in half an hour, or on the next morning if the law forbids texts at night."""
    # A queued text was refused before it was accepted, and goes out itself.
    if message.state == "queued" or message.purpose != "reply" or message.resends:
        return
    if now - message.created_at > RETRY_WORTH:
        return
    at = now + RETRY_AFTER
    if MEANINGS[code].by_day:
        there = local(now, person.timezone)
        day = there.date() + timedelta(days=there.hour >= MORNING_HOUR)
        at = datetime.combine(day, time(MORNING_HOUR), there.tzinfo).astimezone(UTC)
    # Together with the other lost parts of its reply, whose reports may have come in any order.
    of_reply = select(Message.turn_id).where(Message.id == (message.again_of or message.id)).scalar_subquery()
    parts = select(Message.id).where(Message.person_id == person.id, Message.turn_id == of_reply)
    theirs = (Message.UNDER_WAY, Message.person_id == person.id, Message.state == "queued")
    others = (*theirs, Message.resends > 0, Message.again_of.in_(parts))
    at = max(at, db.scalar(select(func.max(Message.send_at)).where(*others)) or at)
    db.execute(update(Message).where(*others).values(send_at=at))
    _send_anew(db, message, code, now, resends=1, send_at=at)


def _keep_until_they_text(db: Session, message: Message, person: Person, code: int, now: datetime) -> None:
    """Keep a reply unchanged until the person texts; a routine is checked again for whether it may still come."""
    person.window_shut_at = message.sent_at or now  # Any later text of theirs opens it again.
    if message.purpose == "routine":
        this_one = (Message.id == message.id, Message.state == "queued")
        move(db, Message, "refused", *this_one, note=windows.CLOSED)
        occurrences.make_due_again(db, message.turn_id, windows.CLOSED, now)
    elif message.state == "sent":
        _send_anew(db, message, code, now)


def _send_anew(
    db: Session, message: Message, code: int, now: datetime, *, resends: int = 0, send_at: datetime | None = None
) -> None:
    """Queue the text again as a new row; the first row stays as the record of a text that was sent and charged."""
    as_it_was = {name: getattr(message, name) for name in ("person_id", "carrier", "body", "segments", "purpose")}
    note = f"Message {message.id} did not arrive ({code}); this is it once more."
    again = {"direction": "out", "state": "queued", "key": secrets.token_hex(16), "resends": resends, "note": note}
    place = {"again_of": message.again_of or message.id, "send_at": send_at}
    db.add(Message(**as_it_was, **again, **place, created_at=now))


def record_status(services: Services, *, key: str | None, sid: str, status: str, error_code: int | None = None) -> None:
    """Store `status` on the text with this sid or key; old, odd or unknown reports are ignored.

    A callback proves that the carrier accepted the text. So a row whose send ended in doubt, or has not
    returned yet, gets its sid here and counts as sent, and the next part of its reply goes out.
    """
    if status not in RANKS:
        logger.warning("A status callback was passed over: %d letters that name no status.", len(status))
        return
    now = services.clock.now()
    with services.transaction() as db:
        row = _find(db, key, sid)
        if row is None:
            return
        was_open = row.sid is None
        if was_open:
            record_accepted(db, row, sid, now)
        _settle(db, row, status, error_code, now)
    if was_open:
        wake_if_more(services, row.person_id)


def wake_if_more(services: Services, person_id: int) -> None:
    """Wake the person's lane if a text waits there: it may have waited for the text that was just settled."""
    queued = select(Message.id).where(Message.UNDER_WAY, Message.person_id == person_id, Message.state == "queued")
    if services.finds(queued):
        services.background.wake_within(person_id, 0.0)


def record_accepted(db: Session, row: Message, sid: str, now: datetime) -> None:
    """Record that the carrier has the text under this id, whatever the result of the call that sent it."""
    move(db, Message, "sent", Message.id == row.id, sid=sid, sent_at=row.sent_at or now, note=None, carrier_code=None)


def record_entry(db: Session, row: Message, entry: LedgerEntry, now: datetime) -> None:
    """Store the text's status and cost from the carrier's ledger."""
    if entry.cost_cents is not None:
        row.cost_cents = entry.cost_cents
    if entry.status in RANKS:
        _settle(db, row, entry.status, entry.error_code, now)


def _find(db: Session, key: str | None, sid: str) -> Message | None:
    by_sid = db.scalar(select(Message).where(Message.sid == sid, Message.direction == "out"))
    if by_sid is not None:
        return by_sid
    # The key is in the callback's URL, so it finds the row even before the sid is saved.
    by_key = db.scalar(select(Message).where(Message.key == key, Message.direction == "out")) if key else None
    if by_key is None:
        logger.warning("A status callback was passed over: its text is none of ours.")
    elif by_key.sid is not None:
        # The row has an id already; a second one under the same key would mean a text sent twice.
        logger.error("Message %d has an id already, and the carrier reports another for it.", by_key.id)
        return None
    return by_key


def _settle(db: Session, row: Message, status: str, error_code: int | None, now: datetime) -> None:
    if not _rises(row.delivery, status):
        return
    row.delivery = status
    if status in ARRIVED:
        person = db.get_one(Person, row.person_id)
        person.unreachable, person.undelivered = None, 0
        if (stopped := marks.read(db, STOPPED)) is not None:
            end_try(db, stopped, row.id, now, arrived=True)
    elif status in LOST:
        reason = f"error {error_code}" if error_code else "no error code"
        row.note = f"The carrier did not deliver it: {status}, {reason}."
        act_on(db, row, error_code, now)
    if row.purpose == "routine" and status not in ON_THE_WAY:
        occurrences.follow_delivery(db, row.turn_id, None if status in ARRIVED else row.note)


def _rises(before: str | None, after: str) -> bool:
    if before is None or before == UNCONFIRMED:
        return before is None or after not in ON_THE_WAY
    return before not in LOST and RANKS[after] > RANKS.get(before, -1)


# The state of our sender.


def stop_sender(db: Session, code: int, sentence: str, now: datetime, *, pause: timedelta = TRY_EVERY) -> None:
    """Send nothing until `pause` is over; `sentence` tells the operator what to do."""
    marks.put(db, STOPPED, now + pause, number=code)
    raise_alert(db, SENDER_ALERT, sentence, now)


def may_try(db: Session, stopped: Mark, now: datetime) -> bool:
    """True if a text may go out now, as a trial or because the sender works again."""
    if not has_come(stopped.at, now, LONGEST_PAUSE):
        return False
    tried = db.get(Message, int(stopped.note)) if stopped.note else None  # None if its person was forgotten meanwhile.
    if tried is not None and tried.state == "sent" and tried.delivery not in LOST:
        _sender_works(db, now)  # It went out without a bad report since; some carriers never confirm delivery.
    return True


def end_try(db: Session, stopped: Mark, message_id: int, now: datetime, *, arrived: bool) -> bool:
    """True if the sender works again, now that the carrier has accepted or delivered this text."""
    # 30xxx are errors of delivery: such texts are accepted first and fail later, so being accepted proves nothing.
    # Source: https://www.twilio.com/docs/api/errors
    if stopped.note != str(message_id) or (stopped.number // 1000 == 30 and not arrived):  # noqa: PLR2004
        return False
    _sender_works(db, now)
    return True


def _sender_works(db: Session, now: datetime) -> None:
    marks.remove(db, STOPPED)
    clear(db, SENDER_ALERT, now)
