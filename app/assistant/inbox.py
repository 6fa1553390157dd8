"""A text comes in: kept durably, sorted, and the person's lane woken."""

import re
import secrets
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.sqlite import insert as insert_or_ignore
from sqlalchemy.orm import Session

from app import notices, people
from app.assistant import kind_words, outbox
from app.assistant.carrier_words import CarrierWord, carrier_word
from app.db import as_stored
from app.faultpoints import reach
from app.models import Message, Person
from app.services import Services, Statements
from app.states import move

_NUMBER = re.compile(r"^(whatsapp:)?\+[1-9]\d{6,14}$")


_KEEP_ORDINARY = (
    "INSERT INTO messages (person_id, direction, carrier, sid, state, body, media_count, created_at)"
    " SELECT id, 'in', ?, ?, 'waiting', ?, ?, ? FROM people"
    " WHERE address = ? AND access = 'allowed' AND opted_out_at IS NULL"
    " ON CONFLICT (sid) DO NOTHING RETURNING person_id"
)


@dataclass(frozen=True)
class IncomingText:
    """One text as a carrier brought it."""

    sid: str
    sender: str
    recipient: str
    body: str
    carrier: str
    media_count: int = 0
    opt_out_type: str | None = None
    """`STOP`, `START` or `HELP` where the carrier has matched one of its words."""


@dataclass(frozen=True)
class _Sorted:
    """What is to become of a text."""

    state: str
    note: str | None = None
    wake: bool = False


def take_in(services: Services, text: IncomingText) -> None:
    """The text is on the disk when this returns; one whose sid is known already changes nothing."""
    now = services.clock.now()
    person_id = services.store.together(lambda statements: _keep_ordinary(statements, text, now))
    if person_id is None:
        with services.transaction() as db:
            person_id = _keep_other(db, services, text, now)
    reach("text.kept")
    if person_id is not None:
        services.background.wake(person_id, at_once=text.body.lstrip().startswith("/"))


def _keep_ordinary(statements: Statements, text: IncomingText, now: datetime) -> int | None:
    """Keep a text of somebody who may text, and return who it is; None when it is not so plain.

    Nearly every text is such a one, and this is the hottest path there is: one statement that is compiled once.
    """
    if text.sender == text.recipient or carrier_word(text.body, text.opt_out_type, opted_out=False) is not None:
        return None
    values = (text.carrier, text.sid, _storable(text.body), text.media_count, as_stored(now), text.sender)
    row = statements.first_row(_KEEP_ORDINARY, values)
    return None if row is None else int(row[0])


def _keep_other(db: Session, services: Services, text: IncomingText, now: datetime) -> int | None:
    """Keep any text, sorted by what is to become of it; the person's id when there is something to do for them."""
    if is_known(db, text.sid):
        return None  # Brought again, perhaps a month later: what it asked for then may have been taken back since.
    person = _sender(db, services, text, now)
    sorted_ = _sort(db, person, text, now)
    kept = _keep(db, person, text, sorted_, now)
    return person.id if kept and sorted_.wake else None


def keep_for_terminal(db: Session, person: Person, body: str, now: datetime) -> Message:
    """A text from the operator's own terminal: nobody has to let it in, and no server answers it meanwhile.

    The carrier's words and an opt-out hold there as everywhere: then the text's state is `unanswered`.
    """
    text = IncomingText(f"TE{secrets.token_hex(16)}", person.address, "keepsake", body, "terminal")
    found = _opted_out(db, person, text, now) or _Sorted("waiting")
    message = Message(state=found.state, note=found.note, person_id=person.id, **_values(text, now))
    db.add(message)
    db.flush()
    return message


def _sender(db: Session, services: Services, text: IncomingText, now: datetime) -> Person:
    known = people.by_address(db, text.sender)
    if known is not None:
        return known
    if not _NUMBER.match(text.sender):
        access = "blocked"  # A short code or a name: a machine, never answered (a loop of two machines has no end).
    elif services.settings.is_allowlist and text.carrier == "twilio":
        access = "waiting"
    else:
        access = "allowed"
    return people.add(db, text.sender, access=access, now=now)


def _sort(db: Session, person: Person, text: IncomingText, now: datetime) -> _Sorted:
    if text.sender == text.recipient:
        return _Sorted("unanswered", "It came from our own number.")
    found = _opted_out(db, person, text, now)
    if found is not None:
        return found
    if person.access == "blocked":
        return _Sorted("unanswered", "This number is blocked, or is no phone's.")
    if person.access == "waiting":
        return _Sorted("held", wake=_tell_to_wait(db, person, text, now))
    return _Sorted("waiting", wake=True)


def _opted_out(db: Session, person: Person, text: IncomingText, now: datetime) -> _Sorted | None:
    word = carrier_word(text.body, text.opt_out_type, opted_out=person.opted_out_at is not None)
    if word is not None:
        return _heed(db, person, word, now)
    if person.opted_out_at is not None:
        return _Sorted("unanswered", "The person has opted out; only START opens the way back.")
    return None


def _heed(db: Session, person: Person, word: CarrierWord, now: datetime) -> _Sorted:
    """The carrier's and the law's words: the carrier answers them itself, we never do."""
    if word == "STOP":
        person.opted_out_at = now
        outbox.drop_waiting(db, person.id, "The person opted out.")
        theirs = (Message.person_id == person.id, Message.turn_id.is_(None))
        move(db, Message, "unanswered", *theirs, note="The person opted out.")
    elif word == "START":
        person.opted_out_at = None
    return _Sorted("unanswered", f"A carrier's word, recorded and never answered: {word}.")


def _tell_to_wait(db: Session, person: Person, text: IncomingText, now: datetime) -> bool:
    """The one reply that an unknown number gets, however often it texts; whether it was queued now."""
    if not notices.is_due(db, person.id, "wait", now, every=None):
        return False
    outbox.queue(db, person.id, None, text.carrier, [kind_words.PLEASE_WAIT], now, purpose="notice")
    return True


def _keep(db: Session, person: Person, text: IncomingText, sorted_: _Sorted, now: datetime) -> bool:
    statement = insert_or_ignore(Message).on_conflict_do_nothing(index_elements=["sid"])
    values = {"person_id": person.id, "state": sorted_.state, "note": sorted_.note, **_values(text, now)}
    result = db.execute(statement.values(**values).returning(Message.id))
    return result.scalar() is not None


def _values(text: IncomingText, now: datetime) -> dict[str, object]:
    return {
        "direction": "in",
        "carrier": text.carrier,
        "sid": text.sid,
        "body": _storable(text.body),
        "media_count": text.media_count,
        "created_at": now,
    }


def _storable(body: str) -> str:
    # NUL cannot be kept by PostgreSQL, nor a lone surrogate by any database: both become the mark for "unreadable".
    return body.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_known(db: Session, sid: str) -> bool:
    return db.scalar(select(Message.id).where(Message.sid == sid)) is not None
