"""Texts of ours of which we do not know what became, looked up in the carrier's own books.

A text whose sending ended in doubt is never blindly sent again. It is adopted as soon as anything shows that the
carrier has it: a status callback with its key (`reports.py`), or an entry of the books with the same words to the same
address. When two looks find nothing, it is sent again once if it still matters; else it is given up, and the operator
is told.

A text that the carrier took and then said no more of is asked about once, and then left.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, TextClause, and_, or_, select
from sqlalchemy.orm import Session

from app.clock import was_long_ago
from app.delivery.reports import ON_THE_WAY, UNCONFIRMED, adopt, record_entry, wake_if_more
from app.errors import CarrierBusy, CarrierError
from app.models import Message, Person, move
from app.operations import marks
from app.operations.alerts import clear, raise_alert
from app.services import Ledger, LedgerEntry, Services
from app.store.faultpoints import reach
from app.text.plain_text import with_stand_ins

SKEW = timedelta(minutes=2)  # The carrier's clock and ours may differ by as much.
LOOK_AGAIN = timedelta(minutes=2)  # A create that was cut is in the list within seconds; this is many times that.
MATTERS = timedelta(hours=1)  # A later answer would puzzle more than none: by then the person has asked again.
MAX_RESENDS = 1
MAX_PEOPLE = 20  # For one run: the next is seconds away, and each may take as long as the carrier's time-out.
LOOKED_AT = "doubts_looked_at"
"""The number is the id of the person who was looked at last: the next run begins behind them, so that those whose list
can never be read do not keep the others from being looked at."""

SILENCE = timedelta(hours=6)  # Receipts come within minutes, or from some carriers never.
MAX_ASKED = 20  # For one run, so that a long outage of the callbacks is caught up with gently.
KNOWN = "deliveries_known"
"""The number is the id up to which nothing more will be heard of any text: rows that need no second look."""

TRIAL = "Sent from your Twilio trial account - "  # What Twilio puts before each text of an account that is on trial.

GIVEN_UP = (
    "A text could neither be found at the carrier nor safely sent again, and was given up. Look at the refused texts "
    "on the operator's pages: the note of each says why."
)
BOOKS_CLOSED = (
    "The carrier refuses to show its list of texts, so texts whose sending ended in doubt stay so, and texts that its "
    "webhook did not bring stay away. Check TWILIO_AUTH_TOKEN, or the rights of TWILIO_API_KEY."
)

logger = logging.getLogger(__name__)


def settle_doubts(services: Services) -> None:
    """Look for each text in doubt in the books of the carrier that it went to."""
    if services.ledger is None:
        return
    with services.reading() as db:
        in_doubt = _people_in_doubt(db, services.ledger.carrier, services.clock.now())
    if not in_doubt:
        return
    failed = False
    for person_id in in_doubt:
        try:
            _look_for(services, services.ledger, person_id)
        except CarrierError as error:  # It may be this person's list alone: the others' are looked at all the same.
            books_failed(services, error)
            failed = True
    with services.transaction() as db:
        marks.put(db, LOOKED_AT, services.clock.now(), number=in_doubt[-1])
        if not failed and len(in_doubt) < MAX_PEOPLE:  # Else somebody whose list cannot be read may be yet to come.
            clear(db, "carrier_books", services.clock.now())


def books_failed(services: Services, error: CarrierError) -> None:
    """Say why the books could not be read: the operator hears of what will not pass by itself."""
    logger.warning("%s", error)
    if not isinstance(error, CarrierBusy):
        with services.transaction() as db:
            raise_alert(db, "carrier_books", BOOKS_CLOSED, services.clock.now())


def books_opened(services: Services) -> None:
    """The list of what came can be read, and so can all others, unless somebody in doubt has one that cannot."""
    with services.transaction() as db:
        if db.scalar(select(Message.id).where(Message.TROUBLED, Message.state == "unknown").limit(1)) is None:
            clear(db, "carrier_books", services.clock.now())


def _people_in_doubt(db: Session, carrier: str, now: datetime) -> Sequence[int]:
    """Those who have waited longest for a look, whether it was of any use or not: everybody in turn."""
    mark = marks.read(db, LOOKED_AT)
    last = mark.number if mark else 0
    doubts = select(Message.person_id).where(*_due(carrier, now)).group_by(Message.person_id)
    return db.scalars(doubts.order_by(Message.person_id <= last, Message.person_id).limit(MAX_PEOPLE)).all()


def _due(carrier: str, now: datetime) -> tuple[ColumnElement[bool] | TextClause, ...]:
    unseen = or_(Message.checked_at.is_(None), was_long_ago(Message.checked_at, now, LOOK_AGAIN))
    return Message.TROUBLED, Message.state == "unknown", Message.carrier == carrier, unseen


def _look_for(services: Services, ledger: Ledger, person_id: int) -> None:
    now = services.clock.now()
    texts = select(Message).where(*_due(ledger.carrier, now), Message.person_id == person_id).order_by(Message.id)
    with services.reading() as db:
        address = db.get_one(Person, person_id).address
        since = min((row.created_at for row in db.scalars(texts)), default=now) - SKEW
    entries = ledger.sent_to(address, since)
    reach("reconcile.looked")
    with services.transaction() as db:
        for row in _adopt_found(db, db.scalars(texts).all(), entries, now):
            before, row.checked_at = row.checked_at, now
            if before is not None and before <= now:  # After a step of the clock nobody knows how long ago that was.
                _send_or_give_up(db, row, entries, now)
    reach("reconcile.settled")
    wake_if_more(services, person_id)  # Itself once more, or the part behind it.


def _adopt_found(db: Session, rows: Sequence[Message], entries: Sequence[LedgerEntry], now: datetime) -> list[Message]:
    """Give each row, the oldest first, the oldest entry that is its; the rows without one."""
    missing = []
    for row in rows:
        # One with the same words may be at the carrier this moment, its id not saved yet: the entry may be that one's.
        if any(_says(row.body, other.body) for other in _being_sent(db, row.person_id)):
            continue
        ours = (entry for entry in _without_a_row(db, row, entries) if _says(row.body, entry.body))
        entry = next(ours, None)
        if entry is None:
            missing.append(row)
            continue
        adopt(db, row, entry.sid, now)
        row.checked_at = now
        record_entry(db, row, entry, now)
        db.flush()
        logger.info("Message %d was in doubt; the carrier has it.", row.id)
    return missing


def _send_or_give_up(db: Session, row: Message, entries: Sequence[LedgerEntry], now: datetime) -> None:
    """Have a text that the carrier does not have sent once more, or give it up."""
    why_not = _reason_against(db, row, entries, now)
    here = (Message.id == row.id, Message.state == "unknown")
    if why_not is None:
        values = {"resends": row.resends + 1, "checked_at": None, "send_at": None}
        move(db, Message, "queued", *here, note="The carrier did not have it; it is sent again.", **values)
    else:
        move(db, Message, "refused", *here, note=why_not)
        raise_alert(db, "unknown_sends", GIVEN_UP, now)


def _reason_against(db: Session, row: Message, entries: Sequence[LedgerEntry], now: datetime) -> str | None:
    if db.get_one(Person, row.person_id).opted_out_at is not None:
        return "It was not found at the carrier, and the person has opted out since."
    if row.resends >= MAX_RESENDS:
        return "It had been sent once more already, and was not found at the carrier this time either."
    being_sent = _being_sent(db, row.person_id)
    others = _without_a_row(db, row, entries)
    if any(all(not _says(other.body, entry.body) for other in being_sent) for entry in others):
        return "The carrier has a text to this number that is none of ours as it stands; this may be it, so it stays."
    if now - row.created_at > MATTERS:
        return "It was not found at the carrier, and is too old to be sent again."
    return None


def _without_a_row(db: Session, row: Message, entries: Sequence[LedgerEntry]) -> list[LedgerEntry]:
    """Entries that may be this row's: not older than it, and no other row's."""
    young = [entry for entry in entries if entry.created_at >= row.created_at - SKEW]
    known = set(db.scalars(select(Message.sid).where(Message.sid.in_([entry.sid for entry in young]))))
    return [entry for entry in young if entry.sid not in known]


def _being_sent(db: Session, person_id: int) -> Sequence[Message]:
    theirs = select(Message).where(Message.UNDER_WAY, Message.person_id == person_id, Message.state == "sending")
    return db.scalars(theirs).all()


def _says(ours: str, theirs: str) -> bool:
    """Whether the two are one text: the carrier may have put plain letters for others, and its own words before."""
    return _folded(ours) == _folded(theirs.removeprefix(TRIAL))


def _folded(body: str) -> str:
    return " ".join(with_stand_ins(body).split())


def ask_about_silent(services: Services) -> None:
    """Ask the carrier once about each text it has said nothing final of for `SILENCE`."""
    if services.ledger is None:
        return
    with services.transaction() as db:
        silent = _silent(db, services.ledger.carrier, services.clock.now())
    for message_id, sid in silent:
        try:
            _ask(services, services.ledger, message_id, sid)
        except CarrierError as error:
            books_failed(services, error)


def _silent(db: Session, carrier: str, now: datetime) -> list[tuple[int, str]]:
    """Ids of the texts to be asked about, the oldest first; rows whose end is known are never read again."""
    mark = marks.read(db, KNOWN)
    known = mark.number if mark else 0
    ours = (Message.id > known, Message.direction == "out", Message.carrier == carrier)
    on_the_way = or_(Message.delivery.is_(None), Message.delivery.in_(ON_THE_WAY))
    sent = and_(Message.state == "sent", on_the_way)
    unended = or_(Message.state.in_(("queued", "sending", "unknown")), sent)
    oldest = db.scalar(select(Message.id).where(*ours, unended).order_by(Message.id).limit(1))
    # A transaction under way may still bring a text whose id is lower than others': none takes as long as `SILENCE`.
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
        if row.delivery is None or row.delivery in ON_THE_WAY:  # A callback may have ended it meanwhile.
            row.delivery = UNCONFIRMED
