"""A text comes in: kept durably, sorted, and the person's lane woken."""

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app import people
from app.delivery import lateness, outbox, restored
from app.models import Media, Message, Person
from app.models.message import HERE
from app.people import consents, strangers
from app.people.consents import How
from app.routines import rows, told_late
from app.routines.told_late import Missed
from app.services import Services
from app.store.db import as_stored
from app.store.dialect import Spelt, insert_or_ignore
from app.store.faultpoints import reach
from app.text import kind_words
from app.text.opt_out import CarrierWord, asks_to_stop, carrier_word, wish_of

# A person: a phone number on whichever channel, or the number by which Messenger knows somebody to our page. An RCS
# address without a number is an agent's.
_OF_A_PERSON = re.compile(r"((whatsapp|rcs):)?\+[1-9]\d{6,14}|messenger:\d{5,50}", re.ASCII)
MAX_MEDIA = 10  # As many as Twilio takes with one text.
MAX_URL_CHARS = 2000  # Beyond what Twilio writes; what is longer is counted and not kept.
MAX_TYPE_CHARS = 100
PLACE = "application/geo"
"""The kind of file that a shared place is kept as: its address is a `geo:` one."""


# Texts of people who may text, in the order in which they came: hence the CROSS JOIN, which SQLite does not turn round.
_KEEP = (
    "WITH given (sid, carrier, body, media_count, created_at, address) AS (VALUES {{rows}})"
    " INSERT INTO messages (person_id, direction, carrier, sid, state, body, media_count, created_at)"
    " SELECT people.id, 'in', carrier, sid, 'waiting', body, {media_count}, {created_at}"
    " FROM given {join} people ON people.address = given.address"
    " WHERE access = 'allowed' AND opted_out_at IS NULL AND unreachable IS NULL AND stop_text_id IS NULL"
    " ON CONFLICT (sid) DO NOTHING RETURNING sid, person_id"
)
_KEEP_ORDINARY = Spelt(
    _KEEP.format(media_count="media_count", created_at="given.created_at", join="CROSS JOIN"),
    _KEEP.format(media_count="CAST(media_count AS int)", created_at="CAST(given.created_at AS timestamp)", join="JOIN"),
)


@dataclass(frozen=True)
class IncomingMedia:
    """One file that came with a text, as the carrier names it."""

    url: str
    content_type: str


@dataclass(frozen=True)
class IncomingText:
    """One text as a carrier brought it."""

    sid: str
    sender: str
    """In the carrier's form, channel and all. Somebody who texts both by SMS and by WhatsApp is two people here: that
    one number stands behind both addresses is no proof that one human does, and each reply goes back as it was asked.
    """
    recipient: str
    body: str
    carrier: str
    media_count: int = 0
    opt_out_type: str | None = None
    """`STOP`, `START` or `HELP` where the carrier has matched one of its words."""
    media: tuple[IncomingMedia, ...] = ()
    sent_at: datetime | None = None
    """When the carrier had it, where we had to fetch it; else it has just come."""
    unheeded: str | None = None
    """Why nothing in it may have an effect, so that it is only kept: a sentence for the operator."""
    forwarded: bool = False
    """Whether the carrier says that its sender only handed it on."""


@dataclass(frozen=True)
class _Sorted:
    """What is to become of a text."""

    state: str
    note: str | None = None
    wake: bool = False
    consent: tuple[bool, How] | None = None
    """Whether its sender agrees to be texted, and how they said so, where the text says anything on it."""


def take_in(services: Services, text: IncomingText) -> None:
    """The text is on the disk when this returns; one whose sid is known already changes nothing."""
    now = services.clock.now()
    person_id = _keep_ordinary(services, text, now) if _is_ordinary(text) else None
    if person_id is None:
        with services.transaction() as db:
            person_id = _keep_other(db, services, text, now)
    reach("text.kept")
    if person_id is not None:
        services.background.wake(person_id, at_once=text.body.lstrip().startswith("/"))


def _is_ordinary(text: IncomingText) -> bool:
    """Whether it is one of the texts that only wait for an answer, whoever sent it."""
    if text.media or text.sent_at or text.unheeded or text.forwarded or text.sender == text.recipient:
        return False
    return carrier_word(text.body, text.opt_out_type, opted_out=False) is None and wish_of(text.body) is None


def _keep_ordinary(services: Services, text: IncomingText, now: datetime) -> int | None:
    """Keep an ordinary text of somebody who may text, and return who it is; None when it is not so plain.

    Nearly every text is such a one, and this is the hottest path there is: one statement for all that come at once.
    """
    row = (text.sid, text.carrier, _storable(text.body), text.media_count, as_stored(now), text.sender)
    person_id: int | None = services.store.together(_KEEP_ORDINARY, row)
    return person_id


def _keep_other(db: Session, services: Services, text: IncomingText, now: datetime) -> int | None:
    """Keep any text, sorted by what is to become of it; the person's id when there is something to do for them."""
    if is_known(db, text.sid):
        return None  # Brought again, perhaps a month later: what it asked for then may have been taken back since.
    person = _sender(db, services, text, now)
    person.unreachable, person.undelivered = None, 0  # Whoever texts can be reached, whatever was thought of it.
    was_out = person.opted_out_at is not None
    sorted_ = _sort(db, person, text, now)
    says_nothing_new = was_out == (person.opted_out_at is not None)  # A first STOP is kept, as the law wants it.
    if person.access == "waiting" and says_nothing_new and strangers.has_texted_enough(db, person.id):
        strangers.leave_out(db, person.id, now)
        _keep_consent(db, person, text, sorted_, now)
        return person.id if sorted_.wake else None
    message_id = _keep(db, person, text, sorted_, now)
    if message_id is None:
        return None
    _keep_consent(db, person, text, sorted_, now, message_id)
    _note_unclear(person, text, sorted_, message_id)
    return person.id if sorted_.wake else None


def keep_for_terminal(db: Session, person: Person, body: str, now: datetime) -> Message:
    """A text from the operator's own terminal: nobody has to let it in, and no server answers it meanwhile.

    The carrier's words and an opt-out hold there as everywhere: then the text's state is `unanswered`.
    """
    text = IncomingText(f"TE{secrets.token_hex(16)}", person.address, "keepsake", body, "terminal")
    found = _opted_out(db, person, text, now) or _Sorted("waiting")
    message = Message(state=found.state, note=found.note, person_id=person.id, **_values(text, now))
    db.add(message)
    db.flush()
    _keep_consent(db, person, text, found, now, message.id)
    _note_unclear(person, text, found, message.id)
    return message


def _note_unclear(person: Person, text: IncomingText, sorted_: _Sorted, message_id: int) -> None:
    """From now on nothing comes unasked, though the question goes out a moment later."""
    if sorted_.state == "waiting" and wish_of(text.body) == "unclear":
        person.stop_text_id = message_id


def _sender(db: Session, services: Services, text: IncomingText, now: datetime) -> Person:
    known = people.by_address(db, text.sender)
    if known is not None:
        return known
    if not _OF_A_PERSON.fullmatch(text.sender):
        access = "blocked"  # A short code or a name: a machine, never answered (a loop of two machines has no end).
    elif text.carrier not in HERE and (services.settings.is_allowlist or strangers.are_too_many(db, now)):
        access = "waiting"
    else:
        access = "allowed"
    person = people.add(db, text.sender, access=access, now=now)
    if access != "allowed":
        strangers.make_room(db)
    return person


def _sort(db: Session, person: Person, text: IncomingText, now: datetime) -> _Sorted:
    unheeded = "It came from our own number." if text.sender == text.recipient else text.unheeded
    if unheeded is not None:
        return _Sorted("unanswered", unheeded)
    found = _opted_out(db, person, text, now)
    if found is not None:
        return found
    if person.access == "blocked":
        return _Sorted("unanswered", "This number is blocked, or is no phone's.")
    if late := _reason_to_keep_only(db, text.sent_at, now):
        return _Sorted("unanswered", late)
    if person.access == "waiting":
        return _Sorted("held", wake=_tell_to_wait(db, person, text, now))
    lateness.apologise_if_late(db, person.id, text.carrier, text.sent_at, now)
    return _Sorted("waiting", wake=True)


def _reason_to_keep_only(db: Session, sent_at: datetime | None, now: datetime) -> str | None:
    """Why a text that we had to fetch is answered by nobody now, if so."""
    if lateness.is_too_late(sent_at, now):
        return lateness.KEPT_ONLY
    return restored.KEPT_ONLY if restored.was_before(db, sent_at) else None


def _opted_out(db: Session, person: Person, text: IncomingText, now: datetime) -> _Sorted | None:
    barred = consents.is_barred_by_carrier(db, person)
    word = carrier_word(text.body, text.opt_out_type, opted_out=barred)
    if word is not None:
        return _heed(db, person, word, text, now)
    if person.opted_out_at is not None:
        return _Sorted("unanswered", "The person has opted out; only START opens the way back.")
    if asks_to_stop(text.body) or consents.is_meant_wholly(db, person, text.body):
        return _bid_farewell(db, person, text, now)
    return None


def _heed(db: Session, person: Person, word: CarrierWord, text: IncomingText, now: datetime) -> _Sorted:
    """The carrier's and the law's words: the carrier answers them itself; we say only what a STOP left behind."""
    note = f"A carrier's word, recorded and never answered: {word}."
    if word == "HELP":
        return _Sorted("unanswered", note)
    if word == "STOP":
        consents.withdraw(db, person, text.sent_at or now, now)
        note += " With it the carrier has opted the person out of everything."
        return _Sorted("unanswered", note, consent=(False, "carrier_word"))
    has_news = _welcome_back(db, person, text, now)
    consents.give_back(person)
    return _Sorted("unanswered", note, wake=has_news, consent=(True, "carrier_word"))


def _welcome_back(db: Session, person: Person, text: IncomingText, now: datetime) -> bool:
    """Whoever comes back reads what passed meanwhile and what waits for their yes; whether there is any of it."""
    is_read = person.access == "allowed" and text.carrier != "terminal" and not lateness.is_too_late(text.sent_at, now)
    if person.opted_out_at is None or not is_read:
        return False
    passed = [Missed(one.words, at, 0) for one, at in rows.end_passed(db, person.id, person.opted_out_at, now)]
    waiting = [(one.number, one.words) for one in rows.proposed(db, person.id) if one.source != "inferred"]
    if passed or waiting:
        said = told_late.welcome(passed, waiting, person.timezone, now)
        outbox.queue(db, person.id, None, text.carrier, [said], now)
    return bool(passed or waiting)


def _bid_farewell(db: Session, person: Person, text: IncomingText, now: datetime) -> _Sorted:
    """The person's own words, which no carrier answers: one text says that they were heeded, and how to come back."""
    consents.withdraw(db, person, text.sent_at or now, now)
    note = "The person asked in their own words for no more texts: recorded, and only START opens the way back."
    # The terminal reads the note; a machine is never texted; after long a farewell is only one unwanted text more.
    silent = text.carrier == "terminal" or person.access == "blocked" or lateness.is_too_late(text.sent_at, now)
    if not silent:
        outbox.queue(db, person.id, None, text.carrier, [kind_words.FAREWELL], now, purpose="farewell")
    return _Sorted("unanswered", note, wake=not silent, consent=(False, "own_words"))


def _tell_to_wait(db: Session, person: Person, text: IncomingText, now: datetime) -> bool:
    """The one reply that an unknown number gets in a day, however often it texts; whether it was queued now."""
    if not strangers.is_to_be_told(db, person.id, now):
        return False
    outbox.queue(db, person.id, None, text.carrier, [kind_words.PLEASE_WAIT], now, purpose="notice")
    return True


def _keep(db: Session, person: Person, text: IncomingText, sorted_: _Sorted, now: datetime) -> int | None:
    statement = insert_or_ignore(db, Message, "sid")
    values = {"person_id": person.id, "state": sorted_.state, "note": sorted_.note, **_values(text, now)}
    message_id = db.execute(statement.values(**values).returning(Message.id)).scalar()
    if message_id is not None:
        _keep_media(db, message_id, text.media)
    return message_id


def _keep_consent(
    db: Session, person: Person, text: IncomingText, sorted_: _Sorted, now: datetime, message_id: int | None = None
) -> None:
    """What the text says on being texted; whoever texts first agrees to be answered, whatever it says."""
    consent = sorted_.consent
    if consent is None and person.access != "blocked" and _is_first(db, person.id, text, message_id):
        consent = (True, "texted_first")
    if consent is not None:
        consents.record(db, person.id, *consent, text.sent_at or now, _storable(text.body), message_id)


def _is_first(db: Session, person_id: int, text: IncomingText, message_id: int | None) -> bool:
    theirs = select(Message.id).where(Message.person_id == person_id, Message.direction == "in")
    # The terminal's texts are the operator's own.
    return text.carrier != "terminal" and db.scalar(theirs.order_by(Message.id).limit(1)) == message_id


def _keep_media(db: Session, message_id: int, media: Sequence[IncomingMedia]) -> None:
    named = [one for one in media[:MAX_MEDIA] if len(one.url) <= MAX_URL_CHARS]
    for place, one in enumerate(named):
        kind = _storable(one.content_type[:MAX_TYPE_CHARS])
        db.add(Media(message_id=message_id, place=place, url=_storable(one.url), content_type=kind))


def _values(text: IncomingText, now: datetime) -> dict[str, object]:
    return {
        "direction": "in",
        "carrier": text.carrier,
        "sid": text.sid,
        "body": _storable(text.body),
        "media_count": text.media_count,
        "forwarded": text.forwarded,
        "created_at": text.sent_at or now,
    }


def _storable(body: str) -> str:
    # NUL cannot be kept by PostgreSQL, nor a lone surrogate by any database: both become the mark for "unreadable".
    return body.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_known(db: Session, sid: str) -> bool:
    return db.scalar(select(Message.id).where(Message.sid == sid)) is not None
