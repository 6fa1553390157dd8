"""The carrier's word on our texts, in error codes and in later reports: what it means, and what is done about it.

A code is about one text and its person, or about our sender: then all texts wait. The codes are data:
`twilio/codes.toml`.
"""

import logging
import secrets
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.clock import has_come, local
from app.delivery import windows
from app.models import Consent, Mark, Message, Person, move
from app.operations import marks
from app.operations.alerts import clear, raise_alert
from app.people import consents
from app.routines import occurrences
from app.services import LedgerEntry, Services

RETRY_AFTER = timedelta(minutes=30)  # A phone that was off or out of reach is often back by then.
RETRY_WORTH = timedelta(hours=1)  # After this the person has asked again, or found out otherwise.
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
"""Callbacks come in any order and twice, so a text only ever rises.

Source of the names: twilio-oai, message_enum_status; of the lack of order:
https://www.twilio.com/docs/messaging/guides/track-outbound-message-status
"""
ARRIVED = frozenset({"delivered", "read"})
LOST = frozenset({"undelivered", "failed", "canceled"})
"""The carrier's words for a text that has not reached its phone and never will."""
ON_THE_WAY = RANKS.keys() - ARRIVED - LOST
UNCONFIRMED = "unconfirmed"
"""Our own word for a text that the carrier took and never told the end of; what it tells after all still counts."""

STOPPED = "sender_stopped"
"""The mark of a sender that the carrier stopped, or that could not reach it for long: all texts stay queued, and one at
a time tries whether it works again. It holds when the next may try, the code, and the id of the text that tries."""
SENDER_ALERT = "sender"
TRY_EVERY = timedelta(minutes=5)  # Wrong credentials are mended within minutes, or not before somebody is awake.
LONGEST_PAUSE = timedelta(hours=1)  # For what takes the operator days, or Twilio until the next day, to mend.
OUT_OF_REACH = (
    "Twilio cannot be reached, or takes nothing, since about {since:%H:%M} UTC: {why} All texts are kept. One tries "
    "again every five minutes, and the others follow by themselves once it has gone out. Look at this machine's "
    "network and at https://status.twilio.com."
)

logger = logging.getLogger(__name__)


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


_PAUSES = {"soon": TRY_EVERY, "later": LONGEST_PAUSE}
MEANINGS = {
    code: Meaning(**{**fields, "stops_for": _PAUSES.get(fields.get("stops_for"))})
    for fields in tomllib.loads((Path(__file__).parent / "twilio" / "codes.toml").read_text("utf-8"))["meaning"]
    for code in fields.pop("codes")
}


def is_kept(code: int | None) -> bool:
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
        db.add(Consent(person_id=person.id, agrees=False, how="carrier_refusal", message_id=message.id, at=now))
    if meaning.unreachable:
        person.unreachable = meaning.unreachable
    if meaning.misses:
        person.undelivered += 1
        if person.undelivered >= meaning.misses:
            person.unreachable = f"{person.undelivered} texts in a row did not reach this number (the last: {code})."
    if meaning.retried and not (person.unreachable or person.opted_out_at):
        _send_later(db, message, person, code, now)
    if meaning.until_they_text:
        _keep_until_they_text(db, message, person, code, now)
    if meaning.alert and meaning.stops_for:
        stop_sender(db, code, meaning.alert, now, pause=meaning.stops_for)
    elif meaning.alert:
        raise_alert(db, f"carrier_{code}", meaning.alert, now)


def _send_later(db: Session, message: Message, person: Person, code: int, now: datetime) -> None:
    """A reply once more, in half an hour or in the next morning in which the law lets anybody text the person."""
    # One that is queued was refused before it was taken, and goes out itself.
    if message.state == "queued" or message.purpose != "reply" or message.resends:
        return
    if now - message.created_at > RETRY_WORTH:
        return
    at = now + RETRY_AFTER
    if MEANINGS[code].by_day:
        there = local(now, person.timezone)
        day = there.date() + timedelta(days=there.hour >= MORNING_HOUR)
        at = datetime.combine(day, time(MORNING_HOUR), there.tzinfo).astimezone(UTC)
    _send_anew(db, message, code, now, resends=1, send_at=at)


def _keep_until_they_text(db: Session, message: Message, person: Person, code: int, now: datetime) -> None:
    """A reply goes out then as it is; what came by itself is asked anew whether it may still come."""
    person.window_shut_at = message.sent_at or now  # What they have texted since opens it again.
    if message.purpose == "routine":
        this_one = (Message.id == message.id, Message.state == "queued")
        move(db, Message, "refused", *this_one, note=windows.CLOSED)
        occurrences.come_again(db, message.turn_id, windows.CLOSED, now)
    elif message.state == "sent":
        _send_anew(db, message, code, now)


def _send_anew(
    db: Session, message: Message, code: int, now: datetime, *, resends: int = 0, send_at: datetime | None = None
) -> None:
    """As a row of its own: the first one stays as what was sent and charged."""
    as_it_was = {name: getattr(message, name) for name in ("person_id", "carrier", "body", "segments", "purpose")}
    note = f"Message {message.id} did not arrive ({code}); this is it once more."
    again = {"direction": "out", "state": "queued", "key": secrets.token_hex(16), "resends": resends, "note": note}
    db.add(Message(**as_it_was, **again, send_at=send_at, created_at=now))
    db.flush()


def record_status(services: Services, *, key: str | None, sid: str, status: str, error_code: int | None = None) -> None:
    """Keep `status` on the text with this sid or key; what is old, odd or unknown is passed over.

    A callback proves that the carrier accepted the text. So a row whose send ended in doubt, or has not
    returned yet, gets its sid here and counts as sent, and the part of its reply that waits behind it goes out.
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
            adopt(db, row, sid, now)
        _settle(db, row, status, error_code, now)
    if was_open:
        wake_if_more(services, row.person_id)


def wake_if_more(services: Services, person_id: int) -> None:
    """Have the person's lane look at once, if a text waits there: it may have waited for what has just been settled."""
    waiting = (Message.UNDER_WAY, Message.person_id == person_id, Message.state == "queued")
    with services.reading() as db:
        more = db.scalar(select(Message.id).where(*waiting).limit(1))
    if more is not None:
        services.background.wake(person_id, after_seconds=0.0)


def adopt(db: Session, row: Message, sid: str, now: datetime) -> None:
    """The carrier has the text under this id, whatever became of the call that sent it."""
    move(db, Message, "sent", Message.id == row.id, sid=sid, sent_at=row.sent_at or now, note=None, carrier_code=None)


def record_entry(db: Session, row: Message, entry: LedgerEntry, now: datetime) -> None:
    """Keep what the carrier's books say of the text: how far it came and what it cost."""
    if entry.cost_cents is not None:
        row.cost_cents = entry.cost_cents
    if entry.status in RANKS:
        _settle(db, row, entry.status, entry.error_code, now)


def _find(db: Session, key: str | None, sid: str) -> Message | None:
    by_sid = db.scalar(select(Message).where(Message.sid == sid, Message.direction == "out"))
    if by_sid is not None:
        return by_sid
    # The key stands in the callback's own address: it finds the row also before the sid is saved.
    by_key = db.scalar(select(Message).where(Message.key == key, Message.direction == "out")) if key else None
    if by_key is None:
        logger.warning("A status callback was passed over: its text is none of ours.")
    elif by_key.sid is not None:
        # The row has its text; a second one under the same key would be a text sent twice.
        logger.error("Message %d has an id already, and the carrier reports another for it.", by_key.id)
        return None
    return by_key


def _settle(db: Session, row: Message, status: str, error_code: int | None, now: datetime) -> None:
    if not _rises(row.delivery, status):
        return
    row.delivery = status
    if status in ARRIVED:
        db.get_one(Person, row.person_id).undelivered = 0
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
    """Send nothing more before `pause` is over; the operator is told in `sentence` what to do."""
    marks.put(db, STOPPED, now + pause, number=code)
    raise_alert(db, SENDER_ALERT, sentence, now)


def stop_sender_out_of_reach(db: Session, why: str, since: datetime, now: datetime) -> None:
    """The same where texts that were surely not sent have failed since then; a reason that stands already stays."""
    if marks.read(db, STOPPED) is None:
        stop_sender(db, 0, OUT_OF_REACH.format(since=since, why=why), now)


def try_sender_now(db: Session, now: datetime) -> None:
    """Let one text try at once, as after a start: the operator may have mended what it was."""
    stopped = marks.read(db, STOPPED)
    if stopped is not None:
        stopped.at = min(stopped.at, now)


def may_try(db: Session, stopped: Mark, now: datetime) -> bool:
    """Whether a text may go out now that tries whether the sender works again, or all may again."""
    if not has_come(stopped.at, now, LONGEST_PAUSE):
        return False
    tried = (
        db.get(Message, int(stopped.note)) if stopped.note else None
    )  # None when its person was forgotten meanwhile.
    if tried is not None and tried.state == "sent" and tried.delivery not in LOST:
        _sender_works(db, now)  # It went out and nothing bad was heard of it since: some carriers never confirm.
    return True


def end_try(db: Session, stopped: Mark, message_id: int, now: datetime, *, arrived: bool) -> bool:
    """Whether the sender works again, now that the carrier has accepted this text, or that it has arrived."""
    # 30xxx are errors of delivery: such texts are accepted first and fail later, so being accepted proves nothing.
    # Source: https://www.twilio.com/docs/api/errors
    if stopped.note != str(message_id) or (stopped.number // 1000 == 30 and not arrived):  # noqa: PLR2004
        return False
    _sender_works(db, now)
    return True


def _sender_works(db: Session, now: datetime) -> None:
    marks.remove(db, STOPPED)
    clear(db, SENDER_ALERT, now)
