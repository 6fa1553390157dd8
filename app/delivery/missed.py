"""Texts that the webhook never brought: found in the carrier's own books, and taken in like any other.

Twilio gives a text up when our address does not answer, and calls nobody for one that it takes for a machine's (30039).
The books are read from a mark on, a little overlapping since they may show a text late; each text is kept once, by its
id.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app import people
from app.delivery import inbox
from app.delivery.doubts import books_failed, books_opened
from app.errors import CarrierError
from app.models import Consent, Message, Person
from app.operations import marks
from app.people import strangers
from app.services import LedgerEntry, Services
from app.store.faultpoints import reach
from app.text.opt_out import asks_to_stop, carrier_word

BEGUN = "received_from"  # When this installation first looked: what came before is none of its business.
MARK = "received_until"  # Up to when all that came has been looked at.

OVERLAP = timedelta(minutes=10)  # The books may show a text some minutes after it came.
WEBHOOK_TIME = timedelta(minutes=1)  # Webhook and fallback are tried for 15 s each, and bring more than the books hold.

SIDS_AT_ONCE = 500

MACHINE_MADE = 30039  # Source: https://www.twilio.com/docs/api/errors/30039

logger = logging.getLogger(__name__)


def take_in_missed(services: Services) -> None:
    """Take in each text of the books that is not here yet, the oldest first."""
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
        books_failed(services, error)
        return
    books_opened(services)
    reach("missed.listed")
    known = _known(services, [entry.sid for entry in entries])
    for entry in entries:
        if entry.sid not in known and entry.status != "receiving" and since <= entry.created_at <= now - WEBHOOK_TIME:
            _take_in(services, ledger.carrier, entry)
    with services.transaction() as db:
        marks.put(db, MARK, now)
    reach("missed.marked")


def _since(services: Services, now: datetime) -> datetime | None:
    """From when on to look; None at the first look, which only begins."""
    with services.transaction() as db:
        begun, mark = marks.read(db, BEGUN), marks.read(db, MARK)
        if begun is None or mark is None:
            marks.put(db, BEGUN, now)
            marks.put(db, MARK, now)
            return None
        return max(begun.at, mark.at - OVERLAP)


def _known(services: Services, sids: Sequence[str]) -> set[str | None]:
    """Ids that are here already: in the overlap of two looks, nearly all."""
    some = [sids[start : start + SIDS_AT_ONCE] for start in range(0, len(sids), SIDS_AT_ONCE)]
    with services.reading() as db:
        return {sid for these in some for sid in db.scalars(select(Message.sid).where(Message.sid.in_(these)))}


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
    logger.info("A text that the webhook had not brought was taken in from the carrier's books.")


def _was_left_out(db: Session, sender: str) -> bool:
    """Whether it may be missing on purpose: of a stranger a few texts are kept, and in a flood none for long."""
    person = people.by_address(db, sender)
    if person is not None:
        return person.access == "waiting" and strangers.has_texted_enough(db, person.id)
    not_let_in = db.scalar(select(func.count()).where(Person.access != "allowed")) or 0
    return not_let_in >= strangers.MAX_STRANGERS - strangers.ROOM


def _reason_not_to_heed(db: Session, entry: LedgerEntry) -> str | None:
    """Why nothing in the text may have an effect any more, if so."""
    if entry.error_code == MACHINE_MADE:
        return "The carrier took it for a machine's (30039), and a machine gets no answer."
    if entry.status != "received":
        return f"The carrier did not take it in whole ({entry.status}, error {entry.error_code or 'unknown'})."
    if _is_overtaken(db, entry):
        return "The person has said since whether they want to be texted; this older word changes nothing."
    return None


def _is_overtaken(db: Session, entry: LedgerEntry) -> bool:
    """Whether it is a STOP or START of before the person's last one: words count in the order they were said."""
    person = people.by_address(db, entry.sender)
    if person is None or not (carrier_word(entry.body, None, opted_out=True) or asks_to_stop(entry.body)):
        return False
    later = (Consent.person_id == person.id, Consent.how != "texted_first", Consent.at > entry.created_at)
    return db.scalar(select(Consent.id).where(*later).limit(1)) is not None
