"""The outbox: texts are queued with the reply in one transaction, each is sent in its slot, and never blindly twice.

A worker first claims a text's row, for a limited time (the lease) and under a number (`attempts`, the fence). After the
lease it sends nothing, and once another worker has claimed the row it settles nothing.
"""

import logging
import random
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, bindparam, func, or_, select
from sqlalchemy.orm import Session

from app.clock import has_come, have_come
from app.delivery import reports, windows
from app.errors import CarrierBusy, CarrierError, CarrierUnknown
from app.models import Message, Person, marks, move
from app.routines.quiet_hours import QuietHours
from app.services import OutgoingText, Services
from app.settings import Settings
from app.store.faultpoints import reach
from app.text import sms_text

logger = logging.getLogger(__name__)

FIRST_WAIT_SECONDS = 0.1  # It doubles each time, up to half a minute. Source: Twilio's advice on error 20429.
LONGEST_WAIT_SECONDS = 30.0
ATTEMPTS_IN_A_ROW = 70  # The first nine waits take a minute, each further one half a minute: `TRIED_FOR` in all.
TRIED_FOR = timedelta(minutes=30)  # Longer is no hiccup, and every attempt meanwhile costs a connection.
LEASE_LONGEST = timedelta(seconds=600)  # Upper limit of SEND_LEASE_SECONDS, here and in other processes.
PART_WAIT = timedelta(minutes=10)  # Time for two looks at the carrier's ledger; after that half a reply beats none.
ROUTINE_VALID = timedelta(hours=1)  # A later reminder would puzzle.
NIGHT_GRACE = timedelta(minutes=10)  # A reminder for ten o'clock may come a moment later.
ALWAYS_VALID = timedelta(hours=4)  # The person may have been on a flight; after that they have asked again.

SLOT_GRACE = timedelta(seconds=10)  # A text later than this gets a new slot, else a restart would send all at once.
CLOCK_STEP = timedelta(minutes=1)  # If the clock was set back by less, the slots stay as they are.

# Built once: every reply runs these queries, and building one takes longer than running it.
_QUEUED = (Message.UNDER_WAY, Message.person_id == bindparam("person"), Message.state == "queued")
_CARRIERS = (
    select(Message.carrier).where(*_QUEUED, Message.carrier.in_(bindparam("carriers", expanding=True))).distinct()
)
_NEXT = (
    select(Message)
    .where(*_QUEUED, Message.carrier == bindparam("carrier"))
    # A text that is to be resent much later does not block the others.
    .where(or_(Message.resends == 0, Message.send_at.is_(None), Message.send_at <= bindparam("now")))
    .order_by(Message.purpose == "routine", func.coalesce(Message.again_of, Message.id))
)
_MORE = select(Message.id).where(*_QUEUED, Message.carrier == bindparam("carrier")).limit(1)


@dataclass(frozen=True)
class _Claim:
    """One text claimed by this worker."""

    id: int
    attempt: int
    deadline: float
    """The instant of `Clock.monotonic`, in seconds, from which the text may no longer go to the carrier."""
    person_id: int
    carrier: str
    text: OutgoingText

    @property
    def ownership_conditions(self) -> tuple[ColumnElement[bool], ...]:
        """The fence: a condition that no other worker has claimed the text since."""
        return Message.id == self.id, Message.attempts == self.attempt


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
    """Rows of one reply's parts, queued to be sent in order."""
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
    """Send the texts that may go now, in order, by the named carriers or by all; later ones wake the person's lane."""
    with services.reading() as db:  # Most calls find nothing, and reading does not block writers.
        which = {"person": person_id, "carriers": list(carriers or services.carriers)}
        waiting = db.scalars(_CARRIERS, which).all()
    for carrier in waiting:
        while (claim := _claim_next(services, person_id, carrier)) is not None:
            if not _send(services, claim):
                break


def settle_interrupted(services: Services) -> None:
    """Settle texts whose worker did not come back within its lease: it was paused, killed, or lost the database.

    Twilio may have accepted them, so they are not sent again; its callbacks and its ledger will tell. The phone page
    and the terminal show the row itself, so sending it again is harmless.
    """
    over = have_come(Message.leased_until, services.clock.now(), LEASE_LONGEST)
    left = (Message.UNDER_WAY, Message.state == "sending", or_(Message.leased_until.is_(None), over))
    if not services.finds(select(Message.id).where(*left)):
        return
    with services.transaction() as db:
        move(db, Message, "queued", *left, Message.carrier.in_(Message.HERE), leased_until=None)
        why = "Its sending was interrupted; it may or may not have gone out."
        move(db, Message, "unknown", *left, Message.carrier.not_in(Message.HERE), note=why)


def wake_at_their_slots(services: Services) -> None:
    """Wake each person's lane when the slot of a queued text comes; called after a start."""
    now = services.clock.now()
    slots = select(Message.person_id, Message.send_at).where(Message.UNDER_WAY, Message.state == "queued")
    with services.reading() as db:
        to_come = db.execute(slots.where(Message.send_at > now).order_by(Message.send_at)).all()
    for person_id, send_at in to_come:
        if send_at is not None:
            _wake_at(services, person_id, send_at, now)


def _wake_at(services: Services, person_id: int, at: datetime, now: datetime) -> None:
    services.background.wake_within(person_id, (at - now).total_seconds())


def _claim_next(services: Services, person_id: int, carrier: str) -> _Claim | None:
    """A claim on the person's next text; None if there is none, or if it may not go yet."""
    now, lease = services.clock.now(), services.settings.send_lease_seconds
    deadline = services.clock.monotonic() + lease
    with services.transaction(person_id, None if carrier in Message.HERE else "sender") as db:
        person = db.get_one(Person, person_id)
        message = _next_worth_sending(db, person, carrier, now)
        if message is None or _waits_for_something(db, message, person, now):
            return None
        send_at = _may_go_at(db, services.settings, message, person, now)
        if send_at is None or send_at > now:
            if send_at is not None:
                _wake_at(services, person_id, send_at, now)
            return None
        attempt, leased_until = message.attempts + 1, now + timedelta(seconds=lease)
        move(db, Message, "sending", Message.id == message.id, attempts=attempt, leased_until=leased_until)
        if carrier not in Message.HERE:
            # A text that never reaches the carrier costs nothing, so the cost is estimated only now.
            message.cost_cents = (message.segments or 1) * services.settings.sms_segment_cents
            if (stopped := marks.read(db, reports.STOPPED)) is not None:  # This text is the trial; no other goes.
                stopped.at, stopped.note = now + reports.TRY_EVERY, str(message.id)
    valid_seconds = int((_useful_until(message, now) - now).total_seconds())
    outgoing = OutgoingText(person.address, message.body, str(message.key), valid_seconds)
    return _Claim(message.id, attempt, deadline, person_id, carrier, outgoing)


def _next_worth_sending(db: Session, person: Person, carrier: str, now: datetime) -> Message | None:
    """The next text, replies before routines and oldest first; pointless or forbidden texts are dropped on the way."""
    for message in db.scalars(_NEXT, {"person": person.id, "carrier": carrier, "now": now}).all():
        why_not = _reason_to_drop(db, message, person, now)
        if why_not is None:
            return message
        move(db, Message, "refused", Message.id == message.id, note=why_not)
    return None


def _reason_to_drop(db: Session, message: Message, person: Person, now: datetime) -> str | None:
    if person.access == "blocked":
        return "The number is blocked."
    if person.opted_out_at is not None and message.purpose != "farewell":
        return "The person opted out."
    if person.unreachable is not None and message.carrier not in Message.HERE:
        return person.unreachable
    if (before := _part_before(db, message)) is not None and before.state == "refused":
        return "An earlier part of this reply was refused."
    if _useful_until(message, now) <= now:
        minutes = ROUTINE_VALID / timedelta(minutes=1)
        return f"It could not go out within {minutes:.0f} minutes, and was of no use any more."
    has_become_night = message.purpose == "routine" and _has_become_night(message, person, now)
    return "Quiet hours had begun before it could go out." if has_become_night else None


def _has_become_night(message: Message, person: Person, now: datetime) -> bool:
    """True if quiet hours began while it waited; a text made within them was asked for at that hour."""
    quiet, zone = QuietHours.parse(person.quiet_hours), person.timezone
    waited = now - message.created_at > NIGHT_GRACE
    return waited and quiet.covers(now, zone) and not quiet.covers(message.created_at, zone)


def _useful_until(message: Message, now: datetime) -> datetime:
    """End of the text's use: a routine's counts from its creation; others are waited for, so theirs counts from now."""
    return message.created_at + ROUTINE_VALID if message.purpose == "routine" else now + ALWAYS_VALID


def _waits_for_something(db: Session, message: Message, person: Person, now: datetime) -> bool:
    """True if the person must first say what is to stop, or the previous part must go out: carriers reorder texts."""
    if message.purpose == "routine" and person.stop_text_id is not None:
        return True
    before = _part_before(db, message)
    if before is None or before.state == "sent":
        return False
    begun = before.leased_until or before.send_at or before.created_at
    return not has_come(begun + PART_WAIT, now, LEASE_LONGEST + PART_WAIT)


def _part_before(db: Session, message: Message) -> Message | None:
    if message.part == 1:
        return None
    theirs = (Message.person_id == message.person_id, Message.direction == "out", Message.id < message.id)
    of_reply = (Message.turn_id.is_not_distinct_from(message.turn_id), Message.part == message.part - 1)
    return db.scalars(select(Message).where(*theirs, *of_reply).order_by(Message.id.desc()).limit(1)).one_or_none()


def _send(services: Services, claim: _Claim) -> bool:
    """True if the person's next text may follow."""
    reach("send.claimed")
    if services.clock.monotonic() >= claim.deadline:
        logger.warning("Message %d was held too long to be sent now; it is claimed anew.", claim.id)
        held_up = "Its worker was held up before it was sent."
        return _settle(services, claim, "queued", note=held_up, leased_until=None)
    try:
        with services.background.leave_desk(), services.span("send", message=claim.id, carrier=claim.carrier):
            sid = services.carriers[claim.carrier].send(claim.text)
    except CarrierUnknown as error:
        _settle(services, claim, "unknown", note=str(error))
    except CarrierError as error:
        if reports.is_kept(error.carrier_code) or isinstance(error, CarrierBusy):
            _put_back(services, claim, error)
            return False
        _refuse(services, claim, error)
    else:
        reach("send.returned")
        more = _settle_sent(services, claim, sid)
        reach("send.saved")
        return more
    return True


def _settle(services: Services, claim: _Claim, state: str, *, note: str, **values: object) -> bool:
    """True if the text went to `state`; a callback or a later claim may have settled it otherwise."""
    logger.warning("Message %d is %s: %s", claim.id, state, note)
    with services.transaction(claim.person_id) as db:
        return move(db, Message, state, *claim.ownership_conditions, note=note, **values) == 1


def _settle_sent(services: Services, claim: _Claim, sid: str) -> bool:
    """True if another text waits; the carrier's id is stored first, even on a row that counts as lost or unknown."""
    now = services.clock.now()
    waiting: Sequence[int] = ()
    with services.transaction(claim.person_id, "sender") as db:
        here = (Message.id == claim.id, Message.sid.is_(None))
        is_new = move(db, Message, "sent", *here, sid=sid, sent_at=now, note=None, carrier_code=None)
        if not is_new and db.get_one(Message, claim.id).sid != sid:
            logger.error("Message %d was sent twice: the carrier knows it under two ids.", claim.id)
        stopped = marks.read(db, reports.STOPPED)
        if stopped is not None and reports.end_try(db, stopped, claim.id, now, arrived=False):
            queued = select(Message.person_id).where(Message.UNDER_WAY, Message.state == "queued")
            waiting = db.scalars(queued.group_by(Message.person_id).order_by(func.min(Message.id))).all()
        more = db.scalar(_MORE, {"person": claim.person_id, "carrier": claim.carrier})
    for person_id in waiting:
        services.background.wake_within(person_id, 0.0)
    return more is not None


def _put_back(services: Services, claim: _Claim, error: CarrierError) -> None:
    """Put back a text that was surely not sent: for a moment, until the sender works again, or until they text."""
    now = services.clock.now()
    is_kept = reports.is_kept(error.carrier_code)
    # Every `ATTEMPTS_IN_A_ROW` attempts, so that a single failure long after an outage does not count as one.
    lasts = not is_kept and claim.attempt % ATTEMPTS_IN_A_ROW == 0
    send_at = None if is_kept or lasts else now + timedelta(seconds=_wait_seconds(claim.attempt))
    logger.warning("Message %d has to wait: %s", claim.id, error)
    with services.transaction() as db:
        unsent = {"note": str(error), "send_at": send_at, "leased_until": None, "cost_cents": None}
        move(db, Message, "queued", *claim.ownership_conditions, **unsent)
        if is_kept:
            reports.act_on(db, db.get_one(Message, claim.id), error.carrier_code, now)
        elif lasts and marks.read(db, reports.STOPPED) is None:
            reports.stop_sender(db, 0, reports.OUT_OF_REACH.format(since=now - TRIED_FOR, why=error), now)
    if send_at is not None:
        _wake_at(services, claim.person_id, send_at, now)


def _wait_seconds(attempt: int) -> float:
    """Seconds to wait: longer each time, with jitter, since texts that retry together would be too many again."""
    wait = min(FIRST_WAIT_SECONDS * 2.0 ** min(attempt, 10), LONGEST_WAIT_SECONDS)
    return wait * random.uniform(0.9, 1.1)  # noqa: S311  (guessing it gains nothing)


def _refuse(services: Services, claim: _Claim, error: CarrierError) -> None:
    """Give up the text, and act on the carrier's reason."""
    logger.warning("Message %d is refused: %s", claim.id, error)
    with services.transaction() as db:
        if move(db, Message, "refused", *claim.ownership_conditions, note=str(error), cost_cents=None):
            reports.act_on(db, db.get_one(Message, claim.id), error.carrier_code, services.clock.now())


def _may_go_at(db: Session, settings: Settings, message: Message, person: Person, now: datetime) -> datetime | None:
    """The instant from which the text may go; None while it is unknown, with a closed window or a stopped sender."""
    if message.carrier in Message.HERE:
        return message.send_at or now
    is_number = person.address.startswith("+")
    if not is_number and not windows.is_open_for(db, person, message.carrier, now):
        return None
    if (stopped := marks.read(db, reports.STOPPED)) is not None and not reports.may_try(db, stopped, now):
        return None
    # Only phone numbers have a limit on segments: WhatsApp and similar channels take 80 messages a second.
    per_second = settings.twilio_segments_per_second if is_number else 0.0
    return _slot(db, message, settings.twilio_from or "", per_second, now)


# The pace of a sender that is limited to some segments a second. The first text of an idle sender goes at once. While
# the sender is busy, each text gets the next free slot; a reply, for which somebody waits, gets the next routine's slot
# instead. That routine notices when it is about to go, and gets a slot at the end of the queue. If the clock is set
# back, slots and the end of the queue lie far ahead: they are dropped if their text seems to have been created in the
# future.


def slot_has_come(now: datetime) -> ColumnElement[bool]:
    """Condition for queued texts that wait for no future slot; a text that is resent always waits for its time."""
    given_up = and_(Message.created_at > now + CLOCK_STEP, Message.send_at >= Message.created_at, Message.resends == 0)
    return or_(Message.send_at.is_(None), Message.send_at <= now, given_up)


def _slot(db: Session, message: Message, sender: str, per_second: float, now: datetime) -> datetime:
    """The text's slot: `now` or earlier, or a reserved instant; with 0 segments a second everything goes at once."""
    line, replies = f"sender:{sender}", f"replies:{sender}"  # Marks: ends of the queue, and of slots taken by replies.
    given, is_routine = message.send_at, message.purpose == "routine"
    if (
        given is not None
        and given >= now - SLOT_GRACE
        and not _is_from_clock_ahead(given, message, now)
        and not (is_routine and per_second and given < _marked_end(db, replies, now))
    ):
        return given
    if not per_second:
        return now
    line_end, length = _marked_end(db, line, now), timedelta(seconds=(message.segments or 1) / per_second)
    first = max(line_end, now)
    taken = None if is_routine or first == now else _next_routine_slot(db, message, now)
    if taken is not None and taken < first:  # A routine that is retried later has a slot after the queue's end.
        first = max(taken, _marked_end(db, replies, now))
        marks.put(db, replies, first + length, number=message.id)
    message.send_at = first
    marks.put(db, line, max(line_end, first + length), number=message.id)
    return first


def _marked_end(db: Session, name: str, now: datetime) -> datetime:
    """The mark's instant; without a mark, an instant before every slot that is still valid."""
    mark = marks.read(db, name)
    last = db.get(Message, mark.number) if mark is not None else None  # None if its person was forgotten meanwhile.
    if mark is None or (last is not None and _is_from_clock_ahead(mark.at, last, now)):
        return now - SLOT_GRACE
    return mark.at


def _is_from_clock_ahead(instant: datetime, message: Message, now: datetime) -> bool:
    return instant >= message.created_at > now + CLOCK_STEP


def _next_routine_slot(db: Session, message: Message, now: datetime) -> datetime | None:
    """The earliest future slot that a routine holds."""
    routines = (Message.UNDER_WAY, Message.state == "queued", Message.purpose == "routine")
    slots = select(Message.send_at).where(*routines, Message.carrier == message.carrier, ~slot_has_come(now))
    return db.scalar(slots.order_by(Message.send_at).limit(1))
