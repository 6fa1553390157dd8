"""Texts on their way out: queued with the reply in one transaction, sent one after the other, never blindly twice."""

import logging
import secrets
from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.assistant import sms_text
from app.errors import CarrierBusy, CarrierError, CarrierUnknown
from app.faultpoints import reach
from app.models import Message, Person
from app.services import OutgoingText, Services
from app.states import move

logger = logging.getLogger(__name__)

RETRY_SECONDS = (1.0, 3.0)  # Waits before a text that was surely not sent is tried again; then the next sweep takes it.
MAX_ATTEMPTS = 600  # Three for each sweep of ten seconds: about half an hour of a carrier out of reach.


def queue(
    db: Session,
    person_id: int,
    turn_id: int | None,
    carrier: str,
    parts: Sequence[str],
    now: datetime,
    *,
    purpose: str = "reply",
) -> list[Message]:
    """The parts of one reply as rows that will be sent in order."""
    rows = [
        Message(
            person_id=person_id,
            turn_id=turn_id,
            direction="out",
            carrier=carrier,
            key=secrets.token_hex(16),
            state="queued",
            purpose=purpose,
            segments=sms_text.segments(body),
            body=body,
            part=part,
            created_at=now,
        )
        for part, body in enumerate(parts, start=1)
    ]
    db.add_all(rows)
    db.flush()
    return rows


def send_queued(services: Services, person_id: int, carriers: Collection[str] | None = None) -> None:
    """Send what waits for the person, oldest first, by the named carriers or by all that are set up.

    Returns when nothing is left, or when a carrier stays out of reach: then the rest waits for the next sweep.
    """
    waits = iter(RETRY_SECONDS)
    while (claimed := _claim_next(services, person_id, carriers or services.carriers)) is not None:
        if _send(services, *claimed):
            continue
        wait = next(waits, None)
        if wait is None:
            return
        services.clock.wait(wait)


def drop_waiting(db: Session, person_id: int, reason: str) -> None:
    """Texts that were not sent yet never will be."""
    move(db, Message, "refused", Message.person_id == person_id, Message.state == "queued", note=reason)


def settle_interrupted(db: Session) -> None:
    """After a start: texts that were being sent when the process died.

    Whether Twilio took them is unknown, so they are not sent again; a status callback may still settle them. The phone
    page and the terminal show the row itself: sending it again is harmless.
    """
    sending = Message.state == "sending"
    move(db, Message, "queued", sending, Message.carrier != "twilio")
    why = "Keepsake stopped while this was being sent; it may or may not have gone out."
    move(db, Message, "unknown", sending, Message.carrier == "twilio", note=why)


def _claim_next(services: Services, person_id: int, carriers: Collection[str]) -> tuple[Message, str] | None:
    oldest = select(Message).where(
        Message.person_id == person_id,
        Message.state == "queued",
        Message.carrier.in_(carriers),  # What is for a carrier that is not set up now waits until it is.
    )
    oldest = oldest.order_by(Message.id).limit(1)
    with services.reading() as db:  # Most calls find nothing, and a look costs no writer's turn.
        if db.scalar(oldest) is None:
            return None
    with services.transaction() as db:
        message = db.scalars(oldest).one_or_none()
        if message is None:
            return None
        person = db.get_one(Person, person_id)
        if person.opted_out_at is not None:
            drop_waiting(db, person_id, "The person opted out.")
            return None
        move(db, Message, "sending", Message.id == message.id, attempts=message.attempts + 1)
        return message, person.address


def _send(services: Services, message: Message, address: str) -> bool:
    """Whether the carrier was in reach; a text that was surely not sent is queued again."""
    reach("send.claimed")
    text = OutgoingText(to=address, body=message.body, key=str(message.key))
    try:
        sid = services.carriers[message.carrier].send(text)
    except CarrierBusy as error:
        if message.attempts < MAX_ATTEMPTS:
            _note(services, message, "queued", error)
            return False
        _refuse(services, message, error)
    except CarrierUnknown as error:
        _note(services, message, "unknown", error)
    except CarrierError as error:
        _refuse(services, message, error)
    else:
        reach("send.returned")
        _sent(services, message, sid)
        reach("send.saved")
    return True


def _sent(services: Services, message: Message, sid: str) -> None:
    now = services.clock.now()
    with services.transaction() as db:
        move(db, Message, "sent", Message.id == message.id, sid=sid, sent_at=now, note=None)


def _note(services: Services, message: Message, state: str, error: CarrierError) -> None:
    logger.warning("Message %s is %s: %s", message.id, state, error)
    with services.transaction() as db:
        # A callback may have settled it meanwhile.
        move(db, Message, state, Message.id == message.id, Message.state == "sending", note=str(error))


def _refuse(services: Services, message: Message, error: CarrierError) -> None:
    """Give the text up, and the later parts of its reply, which would make no sense alone."""
    _note(services, message, "refused", error)
    if message.turn_id is None:
        return
    with services.transaction() as db:
        rest = (Message.turn_id == message.turn_id, Message.state == "queued")
        move(db, Message, "refused", *rest, note="An earlier part of this reply was refused.")
