"""The inbox: an incoming text is stored durably and sorted, and the person's lane is woken."""

import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from app import people
from app.delivery import outbox, restored
from app.errors import Refused
from app.models import Consent, Media, Message, Person, move
from app.operations.alerts import clear
from app.people import consents, strangers
from app.routines import rows
from app.routines.described import Missed, welcome
from app.services import Services
from app.store.db import as_stored
from app.store.dialect import DialectSql, insert_or_ignore
from app.store.faultpoints import reach
from app.text import kind_words
from app.text.opt_out import CarrierWord, asks_to_stop, carrier_word, opt_out_wish
from app.text.wording import mended

# A person's address: a phone number on any channel, or the number by which Messenger identifies a person to our page.
# An RCS address without a number is an agent's.
PERSON_ADDRESS = re.compile(r"((whatsapp|rcs):)?\+[1-9]\d{6,14}|messenger:\d{5,50}", re.ASCII)
MAX_MEDIA = 10  # Twilio's limit for one text.
MAX_URL_CHARS = 2000  # More than Twilio's URLs have; a file with a longer one is counted but not stored.
MAX_TYPE_CHARS = 100
PLACE = "application/geo"  # Content type under which a shared place is stored, with a `geo:` URL.

# For texts that come long after they were sent, because the carrier could not bring them.
LATE = timedelta(minutes=30)  # A shorter delay surprises nobody; after a longer one an apology precedes the answer.
TOO_LATE = timedelta(hours=12)  # A later answer would surprise, since the matter is settled or was asked again.
LATELY = timedelta(hours=1)  # One apology covers all texts that an outage delayed.
MAX_FAREWELLS = 3  # Within an hour, to somebody who opts in again each time.
BLOCKED_NOTE = "This number is blocked, or is no phone's."
TOO_LATE_NOTE = "It reached us more than 12 hours after it was sent, too late for an answer."

# Keeps texts of allowed people in order of arrival: hence the CROSS JOIN, which SQLite does not reorder.
_KEEP = (
    "WITH given (sid, carrier, body, media_count, created_at, address) AS (VALUES {{rows}})"
    " INSERT INTO messages (person_id, direction, carrier, sid, state, body, media_count, created_at)"
    " SELECT people.id, 'in', carrier, sid, 'waiting', body, {media_count}, {created_at}"
    " FROM given {join} people ON people.address = given.address"
    " WHERE access = 'allowed' AND opted_out_at IS NULL AND unreachable IS NULL AND undelivered = 0"
    " AND stop_text_id IS NULL ON CONFLICT (sid) DO NOTHING RETURNING sid, person_id"
)
_KEEP_ORDINARY = DialectSql(
    _KEEP.format(media_count="media_count", created_at="given.created_at", join="CROSS JOIN"),
    _KEEP.format(media_count="CAST(media_count AS int)", created_at="CAST(given.created_at AS timestamp)", join="JOIN"),
)


@dataclass(frozen=True)
class IncomingMedia:
    """One file that came with a text, as the carrier describes it."""

    url: str
    content_type: str


@dataclass(frozen=True)
class IncomingText:
    """One text as a carrier brought it."""

    sid: str
    sender: str
    """Address in the carrier's form, channel included. Somebody who texts by SMS and by WhatsApp is two people here:
    one number behind both addresses does not prove that it is one human, and replies go back on the same channel.
    """
    recipient: str
    body: str
    carrier: str
    media_count: int = 0
    opt_out_type: str | None = None  # `STOP`, `START` or `HELP` if the carrier has matched one of its words.
    media: tuple[IncomingMedia, ...] = ()
    sent_at: datetime | None = None  # The carrier's time of a text fetched from its ledger; None for one just received.
    unheeded: str | None = None
    """A sentence for the operator that says why the text is only stored, and must have no effect; None if it may."""
    forwarded: bool = False  # True if the carrier says that the sender only forwarded it.


@dataclass(frozen=True)
class _Sorted:
    """The state in which a text is stored, and the actions that follow."""

    state: str
    note: str | None = None
    wake: bool = False
    consent: tuple[bool, str] | None = None
    """True if the sender agrees to be texted, with the way they said so; None if the text does not say."""
    says: tuple[str, str] | None = None  # A text of ours to queue behind it, and its purpose.


def take_in(services: Services, text: IncomingText) -> None:
    """Store the text; it is on the disk when this returns. A text with a known sid changes nothing."""
    now = services.clock.now()
    person_id: int | None = None
    if _is_ordinary(text):  # One statement stores all that come at one moment, and none that have to go the long way.
        row = (text.sid, text.carrier, _storable(text.body), text.media_count, as_stored(now), text.sender)
        person_id = services.store.write_in_group(_KEEP_ORDINARY, row)
    if person_id is None:
        with services.transaction() as db:
            person_id = _keep_other(db, services, text, now)
    reach("text.kept")
    if person_id is not None:
        services.background.wake(person_id, at_once=text.body.lstrip().startswith("/"))


def _is_ordinary(text: IncomingText) -> bool:
    """True if the text needs only an answer and no special handling, judged without its sender."""
    if text.media or text.sent_at or text.unheeded or text.forwarded or text.sender == text.recipient:
        return False
    return carrier_word(text.body, text.opt_out_type, opted_out=False) is None and opt_out_wish(text.body) is None


def _keep_other(db: Session, services: Services, text: IncomingText, now: datetime) -> int | None:
    """Sort and store any text; return the person's id if there is something to do for them, else None."""
    if is_known(db, text.sid):
        return None  # Delivered again, perhaps a month later, when its wish may have been withdrawn.
    person = people.by_address(db, text.sender) or _newcomer(db, services, text, now)
    person.unreachable, person.undelivered = None, 0  # A person who texts can be reached.
    was_out = person.opted_out_at is not None
    sorted_ = _sort(db, person, text, now)
    says_nothing_new = was_out == (person.opted_out_at is not None)  # The law requires a first STOP to be kept.
    message_id = None
    if person.access == "waiting" and says_nothing_new and strangers.has_reached_text_limit(db, person.id):
        strangers.note_left_out(db, person.id)
    else:
        values = {"person_id": person.id, "state": sorted_.state, "note": sorted_.note, **_values(text, now)}
        kept = insert_or_ignore(db, Message, "sid").values(**values).returning(Message.id)
        message_id = db.execute(kept).scalar()
        if message_id is None:
            return None
        _keep_media(db, message_id, text)
    _note_wishes(db, person, text, sorted_, now, message_id)
    if sorted_.says is not None:
        said, purpose = sorted_.says
        outbox.queue(db, person.id, None, text.carrier, [said], now, purpose=purpose)
    return person.id if sorted_.wake else None


def keep_for_terminal(db: Session, person: Person, body: str, now: datetime) -> Message:
    """A text from the operator's terminal, `unanswered` if it is a carrier's word or the person has opted out."""
    text = IncomingText(f"TE{secrets.token_hex(16)}", person.address, "keepsake", body, "terminal")
    may = _Sorted("unanswered", BLOCKED_NOTE) if person.access == "blocked" else _Sorted("waiting")
    found = _opted_out(db, person, text, now) or may
    message = Message(state=found.state, note=found.note, person_id=person.id, **_values(text, now))
    db.add(message)
    db.flush()
    _note_wishes(db, person, text, found, now, message.id)
    return message


def retry_dead_texts(services: Services, person_id: int) -> int:
    """Number of the person's dead texts that wait again, each to be answered as if it had just come.

    Raises:
        NotFound: there is no such person.
        Refused: the person must not be texted.
    """
    with services.transaction() as db:
        person = people.by_id(db, person_id)
        if person.access != "allowed" or person.opted_out_at is not None:
            raise Refused(f"{person.address} is blocked, waits to be let in, or has opted out: nothing would be sent.")
        dead = (Message.person_id == person_id, Message.state == "dead")
        count = move(db, Message, "waiting", *dead, turn_id=None, note=None)
        if db.scalar(select(Message.id).where(Message.TROUBLED, Message.state == "dead").limit(1)) is None:
            clear(db, "dead_letters", services.clock.now())
    services.background.wake(person_id)
    return count


def is_known(db: Session, sid: str) -> bool:
    return db.scalar(select(Message.id).where(Message.sid == sid)) is not None


def _newcomer(db: Session, services: Services, text: IncomingText, now: datetime) -> Person:
    if not PERSON_ADDRESS.fullmatch(text.sender):
        access = "blocked"  # A short code or a name is a machine, never answered: two machines would loop for ever.
    elif text.carrier not in Message.HERE and (services.settings.is_allowlist or strangers.is_limit_reached(db, now)):
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
    kept_only = None
    if person.access == "blocked":
        kept_only = BLOCKED_NOTE
    elif _is_too_late(text, now):
        kept_only = TOO_LATE_NOTE
    elif restored.was_sent_before_backup(db, text.sent_at):
        kept_only = restored.KEPT_ONLY
    if kept_only is not None:
        return _Sorted("unanswered", kept_only)
    if person.access == "waiting":
        is_told = strangers.claim_request_to_wait(db, person.id, now)  # True once a day, however often they text.
        return _Sorted("held", wake=is_told, says=(kind_words.PLEASE_WAIT, "notice") if is_told else None)
    is_late = text.sent_at is not None and now - text.sent_at > LATE
    is_late = is_late and not _was_told(db, person.id, kind_words.CAME_LATE, now)
    return _Sorted("waiting", wake=True, says=(kind_words.CAME_LATE, "notice") if is_late else None)


def _is_too_late(text: IncomingText, now: datetime) -> bool:
    return text.sent_at is not None and now - text.sent_at > TOO_LATE


def _was_told(
    db: Session, person_id: int, words: str, now: datetime, *which: ColumnElement[bool], times: int = 1
) -> bool:
    """True if the person was texted these words lately, so often: once is enough for texts that come together."""
    told = select(Message.id).where(Message.person_id == person_id, Message.direction == "out", Message.body == words)
    told = told.where(Message.created_at > now - LATELY, *which)
    return db.scalar(told.limit(1).offset(times - 1)) is not None


def _opted_out(db: Session, person: Person, text: IncomingText, now: datetime) -> _Sorted | None:
    barred = consents.is_barred_by_carrier(db, person)
    word = carrier_word(text.body, text.opt_out_type, opted_out=barred)
    if word is not None:
        return _obey(db, person, word, text, now)
    if person.opted_out_at is not None:
        return _Sorted("unanswered", "The person has opted out; only START opens the way back.")
    if asks_to_stop(text.body) or consents.is_full_opt_out(db, person, text.body):
        return _bid_farewell(db, person, text, now)
    return None


def _obey(db: Session, person: Person, word: CarrierWord, text: IncomingText, now: datetime) -> _Sorted:
    """Obey a word of the carrier and the law; the carrier answers it, and we only tell a returner what they missed."""
    note = f"A carrier's word, recorded and never answered: {word}."
    if word == "HELP":
        return _Sorted("unanswered", note)
    if word == "STOP":
        consents.withdraw(db, person, text.sent_at or now, now)
        note += " With it the carrier has opted the person out of everything."
        return _Sorted("unanswered", note, consent=(False, "carrier_word"))
    news = _news(db, person, text, now)
    consents.restore_consent(person)
    went = Message.state != "refused"  # One that another STOP held back was not told.
    says = (news, "reply") if news and not _was_told(db, person.id, news, now, went) else None
    return _Sorted("unanswered", note, wake=says is not None, consent=(True, "carrier_word"), says=says)


def _news(db: Session, person: Person, text: IncomingText, now: datetime) -> str:
    """A text on what passed while a returning person was away and what waits for their yes; empty if nothing."""
    is_read = person.access == "allowed" and text.carrier != "terminal" and not _is_too_late(text, now)
    if person.opted_out_at is None or not is_read:
        return ""
    passed = [Missed(one.words, at, 0) for one, at in rows.end_passed(db, person.id, person.opted_out_at, now)]
    waiting = [(one.number, one.words) for one in rows.proposed(db, person.id) if one.source != "inferred"]
    return welcome(passed, waiting, person.timezone, now) if passed or waiting else ""


def _bid_farewell(db: Session, person: Person, text: IncomingText, now: datetime) -> _Sorted:
    """Opt the person out by their own words, which no carrier answers: one text confirms it and tells the way back."""
    consents.withdraw(db, person, text.sent_at or now, now)
    note = "The person asked in their own words for no more texts: recorded, and only START opens the way back."
    # The terminal shows the note; machines are never texted; a very late farewell is just one more unwanted text.
    silent = text.carrier == "terminal" or person.access == "blocked" or _is_too_late(text, now)
    # A flood that alternates with START, or that comes from many unknown numbers, costs no text each.
    waits = person.access == "waiting"
    silent = silent or _was_told(db, person.id, kind_words.FAREWELL, now, times=1 if waits else MAX_FAREWELLS)
    silent = silent or (waits and not strangers.claim_text(db, now))
    says = None if silent else (kind_words.FAREWELL, "farewell")
    return _Sorted("unanswered", note, wake=not silent, consent=(False, "own_words"), says=says)


def _note_wishes(
    db: Session, person: Person, text: IncomingText, sorted_: _Sorted, now: datetime, message_id: int | None
) -> None:
    """Record the text's word on being texted; a first text, whatever it says, agrees to be answered."""
    consent = sorted_.consent
    # The terminal's texts are the operator's own.
    if consent is None and person.access != "blocked" and text.carrier != "terminal":
        theirs = select(Message.id).where(Message.person_id == person.id, Message.direction == "in")
        if db.scalar(theirs.order_by(Message.id).limit(1)) == message_id:
            consent = (True, "texted_first")
    if consent is not None:
        agrees, how = consent
        said = {"words": _storable(text.body), "message_id": message_id, "at": text.sent_at or now}
        db.add(Consent(person_id=person.id, agrees=agrees, how=how, **said))
    if message_id is not None and sorted_.state == "waiting" and opt_out_wish(text.body) == "unclear":
        person.stop_text_id = message_id  # From now on nothing is sent unasked, even before our question goes out.


def _keep_media(db: Session, message_id: int, text: IncomingText) -> None:
    named = [one for one in text.media[:MAX_MEDIA] if len(one.url) <= MAX_URL_CHARS]
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
    return mended(body.replace("\0", "\ufffd"))  # PostgreSQL cannot store NUL.
