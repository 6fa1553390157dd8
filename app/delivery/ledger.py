"""Uses of the carrier's ledger: to settle texts in doubt, texts without a final report, and missed incoming texts.

A text whose sending ended in doubt is never blindly sent again. It is adopted as soon as anything shows that the
carrier has it: a status callback with its key (`reports.py`), or a ledger entry with the same words to the same
address. If two looks find nothing, it is sent again once if it still matters; else it is given up, and the operator is
told. A text that the carrier accepted and never reported on again is looked up once, and then left.

Twilio drops an incoming text if our webhook does not answer, and does not call the webhook for texts that it takes for
a machine's (30039). So the ledger is read from a mark on, with some overlap since it may show a text late; each text is
taken in once, by its id, like any other.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, TextClause, and_, func, or_, select
from sqlalchemy.orm import Session

from app import people
from app.clock import was_long_ago
from app.delivery import inbox
from app.delivery.reports import ON_THE_WAY, UNCONFIRMED, record_accepted, record_entry, wake_if_more
from app.errors import CarrierBusy, CarrierError
from app.models import Consent, Message, Occurrence, Person, marks, move
from app.operations.alerts import clear, raise_alert
from app.people import consents, strangers
from app.services import Ledger, LedgerEntry, Services
from app.store.faultpoints import reach
from app.text.opt_out import asks_to_stop, carrier_word
from app.text.sms_text import with_gsm_equivalents

SKEW = timedelta(minutes=2)  # The carrier's clock and ours may differ by this much.
LOOK_AGAIN = timedelta(minutes=2)  # A text whose request was cut off is listed within seconds; this is many times that.
MATTERS = timedelta(hours=1)  # A later answer would puzzle more than none: by then the person has asked again.
MAX_RESENDS = 1
MAX_PEOPLE = 20  # In one run: the next is seconds away, and each person may take as long as the carrier's timeout.
SILENCE = timedelta(hours=6)  # Receipts come within minutes, or from some carriers never.
MAX_ASKED = 20  # In one run, so that the backlog of a long callback outage is worked off gently.
KNOWN = "deliveries_known"
"""The mark's number is the id up to which no text will be reported on any more; those rows are not read again."""

BEGUN = "received_from"  # The mark's instant is this installation's first look; earlier texts do not concern it.
MARK = "received_until"  # The mark's instant is the end of the time already looked at.
OVERLAP = timedelta(minutes=10)  # The ledger may show a text some minutes after it came.
WEBHOOK_TIME = timedelta(minutes=1)  # Webhook and fallback get 15 s each, and bring more than the ledger holds.
MACHINE_MADE = 30039  # Source: https://www.twilio.com/docs/api/errors/30039

TRIAL = "Sent from your Twilio trial account - "  # Twilio's prefix of each text from a trial account.

GIVEN_UP = (
    "A text could neither be found at the carrier nor safely sent again, and was given up. Look at the refused texts "
    "on the operator's pages: the note of each says why."
)
LEDGER_CLOSED = (
    "The carrier refuses to show its list of texts, so texts whose sending ended in doubt stay so, and texts that its "
    "webhook did not bring stay away. Check TWILIO_AUTH_TOKEN, or the rights of TWILIO_API_KEY."
)

logger = logging.getLogger(__name__)


# Our texts in doubt.


def settle_doubts(services: Services) -> None:
    """Look for each text in doubt in the ledger of the carrier that it went to."""
    if services.ledger is None:
        return
    doubts = select(Message.person_id).where(*_in_doubt(services.ledger.carrier, services.clock.now()))
    # In random order, so that people whose list can never be read do not block the others.
    some = doubts.group_by(Message.person_id).order_by(func.random()).limit(MAX_PEOPLE)
    with services.reading() as db:
        in_doubt = db.scalars(some).all()
    for person_id in in_doubt:
        try:
            _look_for(services, services.ledger, person_id)
        except CarrierError as error:  # Perhaps only this person's list fails, so the others are still read.
            logger.warning("%s", error)


def _in_doubt(carrier: str, now: datetime) -> tuple[ColumnElement[bool] | TextClause, ...]:
    unseen = or_(Message.checked_at.is_(None), was_long_ago(Message.checked_at, now, LOOK_AGAIN))
    return Message.TROUBLED, Message.state == "unknown", Message.carrier == carrier, unseen


def _look_for(services: Services, ledger: Ledger, person_id: int) -> None:
    now = services.clock.now()
    texts = select(Message).where(*_in_doubt(ledger.carrier, now), Message.person_id == person_id).order_by(Message.id)
    with services.reading() as db:
        address = db.get_one(Person, person_id).address
        since = min((row.created_at for row in db.scalars(texts)), default=now) - SKEW
    entries = ledger.sent_to(address, since)
    reach("reconcile.looked")
    with services.transaction() as db:
        for row in _adopt_found(db, db.scalars(texts).all(), entries, now):
            before, row.checked_at = row.checked_at, now
            if before is not None and before <= now:  # If the clock was set back, the time since then is unknown.
                _send_or_give_up(db, row, entries, now)
    reach("reconcile.settled")
    wake_if_more(services, person_id)  # The text itself, to be sent again, or the part after it.


def _adopt_found(db: Session, rows: Sequence[Message], entries: Sequence[LedgerEntry], now: datetime) -> list[Message]:
    """Match each row, oldest first, with its oldest entry; return the rows without one."""
    missing = []
    for row in rows:
        # The entry may belong to another text with the same words that is being sent now and whose id is not saved yet.
        if any(_is_same_text(row.body, other.body) for other in _being_sent(db, row.person_id)):
            continue
        ours = (entry for entry in _unclaimed_entries(db, row, entries) if _is_same_text(row.body, entry.body))
        entry = next(ours, None)
        if entry is None:
            missing.append(row)
            continue
        record_accepted(db, row, entry.sid, now)
        row.checked_at = now
        record_entry(db, row, entry, now)
        db.flush()
        logger.info("Message %d was in doubt; the carrier has it.", row.id)
    return missing


def _send_or_give_up(db: Session, row: Message, entries: Sequence[LedgerEntry], now: datetime) -> None:
    """Queue a text that the carrier does not have once more, or give it up."""
    why_not = _reason_not_to_resend(db, row, entries, now)
    here = (Message.id == row.id, Message.state == "unknown")
    if why_not is None:
        values = {"resends": row.resends + 1, "checked_at": None, "send_at": None}
        move(db, Message, "queued", *here, note="The carrier did not have it; it is sent again.", **values)
    else:
        move(db, Message, "refused", *here, note=why_not)
        raise_alert(db, "unknown_sends", GIVEN_UP, now)


def _reason_not_to_resend(db: Session, row: Message, entries: Sequence[LedgerEntry], now: datetime) -> str | None:
    person = db.get_one(Person, row.person_id)
    if person.opted_out_at is not None or consents.has_opted_out_since(db, person, row.created_at):
        return "It was not found at the carrier, and the person has opted out since."
    called_off = (Occurrence.turn_id == row.turn_id, Occurrence.state.in_(("cancelled", "skipped")))
    if row.turn_id is not None and db.scalar(select(Occurrence.id).where(*called_off).limit(1)) is not None:
        return "It was not found at the carrier, and its routine was called off since."
    if row.resends >= MAX_RESENDS:
        return "It had been sent once more already, and was not found at the carrier this time either."
    being_sent = _being_sent(db, row.person_id)
    others = _unclaimed_entries(db, row, entries)
    if any(all(not _is_same_text(other.body, entry.body) for other in being_sent) for entry in others):
        return "The carrier has a text to this number that is none of ours as it stands; this may be it, so it stays."
    if now - row.created_at > MATTERS:
        return "It was not found at the carrier, and is too old to be sent again."
    return None


def _unclaimed_entries(db: Session, row: Message, entries: Sequence[LedgerEntry]) -> list[LedgerEntry]:
    """Entries that may be this row's: not older than it, and not any other row's."""
    young = [entry for entry in entries if entry.created_at >= row.created_at - SKEW]
    known = set(db.scalars(select(Message.sid).where(Message.sid.in_([entry.sid for entry in young]))))
    return [entry for entry in young if entry.sid not in known]


def _being_sent(db: Session, person_id: int) -> Sequence[Message]:
    theirs = select(Message).where(Message.UNDER_WAY, Message.person_id == person_id, Message.state == "sending")
    return db.scalars(theirs).all()


def _is_same_text(ours: str, theirs: str) -> bool:
    """True if the two are one text; the carrier may have replaced special letters, and put its trial prefix first."""
    return _folded(ours) == _folded(theirs.removeprefix(TRIAL))


def _folded(body: str) -> str:
    return " ".join(with_gsm_equivalents(body).split())


# Texts that the carrier accepted and never reported on again.


def ask_about_silent(services: Services) -> None:
    """Ask the carrier once about each text without a final report after `SILENCE`."""
    if services.ledger is None:
        return
    with services.transaction() as db:
        silent = _without_final_report(db, services.ledger.carrier, services.clock.now())
    for message_id, sid in silent:
        try:
            _ask(services, services.ledger, message_id, sid)
        except CarrierError as error:
            logger.warning("%s", error)


def _without_final_report(db: Session, carrier: str, now: datetime) -> list[tuple[int, str]]:
    """Row ids and carrier ids of texts to ask about, oldest first; rows with a known end are never read again."""
    mark = marks.read(db, KNOWN)
    known = mark.number if mark else 0
    ours = (Message.id > known, Message.direction == "out", Message.carrier == carrier)
    on_the_way = or_(Message.delivery.is_(None), Message.delivery.in_(ON_THE_WAY))
    sent = and_(Message.state == "sent", on_the_way)
    unended = or_(Message.state.in_(("queued", "sending", "unknown")), sent)
    oldest = db.scalar(select(Message.id).where(*ours, unended).order_by(Message.id).limit(1))
    # An open transaction may yet commit a text with a lower id than others, but no transaction lasts for `SILENCE`.
    ended = select(Message.id).where(
        Message.id > known, Message.direction == "out", Message.created_at <= now - SILENCE
    )
    if oldest is not None:
        ended = ended.where(Message.id < oldest)
    last = db.scalar(ended.order_by(Message.id.desc()).limit(1))
    if last is not None:
        marks.put(db, KNOWN, now, number=last)
    due = select(Message.id, Message.sid).where(*ours, sent, Message.sent_at <= now - SILENCE)
    return [(row.id, str(row.sid)) for row in db.execute(due.order_by(Message.id).limit(MAX_ASKED))]


def _ask(services: Services, ledger: Ledger, message_id: int, sid: str) -> None:
    entry = ledger.look_up(sid)
    reach("silent.asked")
    now = services.clock.now()
    with services.transaction() as db:
        row = db.get_one(Message, message_id)
        row.checked_at = now
        if entry is not None:
            record_entry(db, row, entry, now)
        if row.delivery is None or row.delivery in ON_THE_WAY:  # A callback may have reported it meanwhile.
            row.delivery = UNCONFIRMED


# Incoming texts that the webhook never brought.


def take_in_missed(services: Services) -> None:
    """Take in each text of the ledger that is missing here, oldest first."""
    ledger = services.ledger
    if ledger is None:
        return
    now = services.clock.now()
    since = _since(services, now)
    if since is None:
        return
    try:
        entries = ledger.received(since)
    except CarrierError as error:
        logger.warning("%s", error)
        if not isinstance(error, CarrierBusy):  # Anything else does not pass by itself.
            with services.transaction() as db:
                raise_alert(db, "carrier_books", LEDGER_CLOSED, now)
        return
    reach("missed.listed")
    for entry in entries:
        if entry.status != "receiving" and since <= entry.created_at <= now - WEBHOOK_TIME:
            _take_in(services, ledger.carrier, entry)
    with services.transaction() as db:
        marks.put(db, MARK, now)
        clear(db, "carrier_books", now)
    reach("missed.marked")


def _since(services: Services, now: datetime) -> datetime | None:
    """The instant to look from; None at the first look, which only sets the marks."""
    with services.transaction() as db:
        begun, mark = marks.read(db, BEGUN), marks.read(db, MARK)
        if begun is None or mark is None:
            marks.put(db, BEGUN, now.replace(microsecond=0))  # The carrier's list has whole seconds.
            marks.put(db, MARK, now)
            return None
        return max(begun.at, mark.at - OVERLAP)


def _take_in(services: Services, carrier: str, entry: LedgerEntry) -> None:
    with services.reading() as db:
        if inbox.is_known(db, entry.sid) or _was_left_out(db, entry.sender):
            return
        unheeded = _reason_not_to_heed(db, entry)
    text = inbox.IncomingText(
        sid=entry.sid,
        sender=entry.sender,
        recipient=entry.recipient,
        body=entry.body,
        carrier=carrier,
        media_count=entry.media_count,
        sent_at=entry.created_at,
        unheeded=unheeded,
    )
    inbox.take_in(services, text)
    logger.info("A text that the webhook had not brought was taken in from the carrier's ledger.")


def _was_left_out(db: Session, sender: str) -> bool:
    """True if the text may be missing on purpose: of a stranger few texts are kept, and in a flood not for long."""
    person = people.by_address(db, sender)
    if person is not None:
        return person.access == "waiting" and strangers.has_reached_text_limit(db, person.id)
    not_let_in = db.scalar(select(func.count()).where(Person.access != "allowed")) or 0
    return not_let_in >= strangers.MAX_STRANGERS - strangers.ROOM


def _reason_not_to_heed(db: Session, entry: LedgerEntry) -> str | None:
    """The reason why the text must have no effect, or None."""
    if entry.error_code == MACHINE_MADE:
        return "The carrier took it for a machine's (30039), and a machine gets no answer."
    if entry.status != "received":
        return f"The carrier did not take it in whole ({entry.status}, error {entry.error_code or 'unknown'})."
    if _is_overtaken(db, entry):
        return "The person has said since whether they want to be texted; this older word changes nothing."
    return None


def _is_overtaken(db: Session, entry: LedgerEntry) -> bool:
    """True if the text is a STOP or START older than the person's last one: words count in the order of sending."""
    person = people.by_address(db, entry.sender)
    if person is None or not (carrier_word(entry.body, None, opted_out=True) or asks_to_stop(entry.body)):
        return False
    later = (Consent.person_id == person.id, Consent.how != "texted_first", Consent.at > entry.created_at)
    return db.scalar(select(Consent.id).where(*later).limit(1)) is not None
