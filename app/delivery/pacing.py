"""The instant from which a text may go out, by its channel's window, the state of our sender, and the sender's pace.

A reply that may not go yet waits in the outbox; a routine is asked anew whether it may come (`due_routines.py`).
"""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, false, func, not_, or_, select
from sqlalchemy.orm import Session

from app.clock import has_come
from app.models import Message, Occurrence, Person
from app.operations import marks
from app.operations.alerts import clear, raise_alert, raise_or_clear, sentence_of
from app.services import Services
from app.settings import Settings

WINDOWED = ("whatsapp:", "messenger:")
"""Channels on which somebody may be texted freely only for 24 hours from their last text. Later nothing but a template
that was approved before gets through, and there are none here. When Twilio says that the window is closed although it
seems open, Twilio is right. Source: https://www.twilio.com/docs/api/errors/63016"""
WINDOW = timedelta(hours=24)
WINDOW_MARGIN = timedelta(minutes=2)  # Twilio's clock and ours may differ by as much, and a text takes a moment to go.
WINDOW_CLOSED = "Their last text is more than 24 hours old, so their channel takes nothing before they text again."
WINDOW_ALERT = "window"
WAIT = (
    "{texts} for {people} until they text again: WhatsApp and Messenger take a text only within 24 hours of the "
    "person's last one (Twilio's error 63016). Nothing is lost, and nothing has to be done. Whoever is to have it "
    "sooner has to text first, so ask them to, or reach them by SMS; approved templates are not supported."
)

STOPPED = "sender_stopped"
"""The mark of a sender that the carrier stopped, or that could not reach it for long: all texts stay queued, and one at
a time tries whether it works again. It holds when the next may try, the code, and the id of the text that tries."""
SENDER_ALERT = "sender"
TRY_EVERY = timedelta(minutes=5)  # Wrong credentials are mended within minutes, or not before somebody is awake.
LONGEST_PAUSE = timedelta(hours=1)  # For what takes the operator days, or Twilio until the next day, to mend.
LOST = frozenset({"undelivered", "failed", "canceled"})
"""The carrier's words for a text that has not reached its phone and never will."""
OUT_OF_REACH = (
    "Twilio cannot be reached, or takes nothing, since about {since:%H:%M} UTC: {why} All texts are kept. One tries "
    "again every five minutes, and the others follow by themselves once it has gone out. Look at this machine's "
    "network and at https://status.twilio.com."
)

SLOT_GRACE = timedelta(seconds=10)  # What missed its slot by more gets another, else a restart would send all at once.
CLOCK_STEP = timedelta(minutes=1)  # A clock that was set back by less is caught up with; the line stays as it is.


def may_go_at(db: Session, settings: Settings, message: Message, person: Person, now: datetime) -> datetime | None:
    """The instant from which the text may go; None while nobody knows: a closed window, or a stopped sender."""
    if message.carrier in Message.HERE:
        return message.send_at or now
    if not is_window_open_for(db, person, message.carrier, now) or _is_sender_stopped(db, now):
        return None
    # Only numbers send segments: WhatsApp and its kin take 80 messages a second.
    per_second = settings.twilio_segments_per_second if person.address.startswith("+") else 0.0
    return _slot(db, message, settings.twilio_from or "", per_second, now)


# The window of a channel.


def is_window_open(now: datetime) -> ColumnElement[bool]:
    """Which people Twilio may bring a text now; for a query that has `people` in it."""
    theirs = (Message.person_id == Person.id, Message.direction == "in", Message.carrier.not_in(Message.HERE))
    last = select(Message.created_at).where(*theirs).order_by(Message.id.desc()).limit(1)
    last_at, shut_at = last.correlate(Person).scalar_subquery(), Person.window_shut_at
    lasts = and_(last_at > now - WINDOW + WINDOW_MARGIN, or_(shut_at.is_(None), shut_at < last_at))
    return or_(not_(or_(*map(Person.address.startswith, WINDOWED))), func.coalesce(lasts, false()))


def is_window_open_for(db: Session, person: Person, carrier: str, now: datetime) -> bool:
    """Whether a text may go to the person now by that carrier."""
    if carrier in Message.HERE or not person.address.startswith(WINDOWED):
        return True
    return bool(db.scalar(select(is_window_open(now)).where(Person.id == person.id)))


def tell_of_windows(services: Services) -> None:
    """Have the operator see how much waits for closed windows, for as long as anything does."""
    now = services.clock.now()
    with services.reading() as db:
        sentence, told = _what_waits(db, now), sentence_of(db, WINDOW_ALERT)
    if sentence == told:
        return
    with services.transaction() as db:
        raise_or_clear(db, WINDOW_ALERT, sentence, now)


def _what_waits(db: Session, now: datetime) -> str | None:
    texts = select(Message.person_id).join(Person, Person.id == Message.person_id)
    texts = texts.where(
        Message.UNDER_WAY, Message.state == "queued", Message.carrier.not_in(Message.HERE), not_(is_window_open(now))
    )
    routines = select(Occurrence.person_id).where(Occurrence.OPEN, Occurrence.reason == WINDOW_CLOSED)
    waiting = [*db.scalars(texts), *db.scalars(routines)]
    if not waiting:
        return None
    people = len(set(waiting))
    return WAIT.format(
        texts="One text waits" if len(waiting) == 1 else f"{len(waiting)} texts wait",
        people="one person" if people == 1 else f"{people} people",
    )


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
    mark = marks.read(db, STOPPED)
    if mark is not None:
        mark.at = min(mark.at, now)


def begin_try(db: Session, message_id: int, now: datetime) -> None:
    """Let the text go out: while the sender is stopped, it alone does."""
    mark = marks.read(db, STOPPED)
    if mark is not None:
        mark.at, mark.note = now + TRY_EVERY, str(message_id)


def end_try(db: Session, message_id: int, now: datetime, *, arrived: bool) -> bool:
    """Whether the sender works again, now that the carrier has accepted this text, or that it has arrived."""
    mark = marks.read(db, STOPPED)
    # 30xxx are errors of delivery: such texts are accepted first and fail later, so being accepted proves nothing.
    # Source: https://www.twilio.com/docs/api/errors
    if mark is None or mark.note != str(message_id) or (mark.number // 1000 == 30 and not arrived):  # noqa: PLR2004
        return False
    _sender_works(db, now)
    return True


def _is_sender_stopped(db: Session, now: datetime) -> bool:
    """Whether no text may go out now, not even one that tries."""
    mark = marks.read(db, STOPPED)
    if mark is None:
        return False
    if not has_come(mark.at, now, LONGEST_PAUSE):
        return True
    tried = db.get(Message, int(mark.note)) if mark.note else None  # None when its person was forgotten meanwhile.
    if tried is not None and tried.state == "sent" and tried.delivery not in LOST:
        _sender_works(db, now)  # It went out and nothing bad was heard of it since: some carriers never confirm.
    return False


def _sender_works(db: Session, now: datetime) -> None:
    marks.remove(db, STOPPED)
    clear(db, SENDER_ALERT, now)


# The pace of a sender that takes only so many segments a second. The first text of an idle sender goes at once. While
# it is busy each text is given the next free slot, and a reply the slot of the next routine: somebody waits for it. A
# routine whose slot a reply has taken finds that out when it would go, and is given one at the end of the line. A clock
# that is set back leaves slots, and the end of the line, far ahead: they are given up when they were given to a text
# that seems to have been made in the future.


def has_its_turn(now: datetime) -> ColumnElement[bool]:
    """Which queued texts wait for no slot that is to come. One that is sent anew waits for its time in any case."""
    given_up = and_(Message.created_at > now + CLOCK_STEP, Message.send_at >= Message.created_at, Message.resends == 0)
    return or_(Message.send_at.is_(None), Message.send_at <= now, given_up)


def _slot(db: Session, message: Message, sender: str, per_second: float, now: datetime) -> datetime:
    """Not after `now`, or an instant that is kept for the text; 0 segments a second let everything go at once."""
    line, replies = f"sender:{sender}", f"replies:{sender}"  # Marks: when the line ends, and when what replies took.
    given, is_routine = message.send_at, message.purpose == "routine"
    if (
        given is not None
        and given >= now - SLOT_GRACE
        and not _is_of_a_clock_ahead(given, message, now)
        and not (is_routine and per_second and given < _end(db, replies, now))
    ):
        return given
    if not per_second:
        return now
    line_end, length = _end(db, line, now), timedelta(seconds=(message.segments or 1) / per_second)
    first = max(line_end, now)
    taken = None if is_routine or first == now else _next_of_routines(db, message, now)
    if taken is not None:
        first = max(taken, _end(db, replies, now))
        marks.put(db, replies, first + length, number=message.id)
    message.send_at = first
    marks.put(db, line, max(line_end, first + length), number=message.id)
    return first


def _end(db: Session, name: str, now: datetime) -> datetime:
    """The instant of the mark, before all slots that are still kept where there is none."""
    mark = marks.read(db, name)
    last = db.get(Message, mark.number) if mark is not None else None  # None when its person was forgotten meanwhile.
    if mark is None or (last is not None and _is_of_a_clock_ahead(mark.at, last, now)):
        return now - SLOT_GRACE
    return mark.at


def _is_of_a_clock_ahead(instant: datetime, message: Message, now: datetime) -> bool:
    return instant >= message.created_at > now + CLOCK_STEP


def _next_of_routines(db: Session, message: Message, now: datetime) -> datetime | None:
    """The first slot to come that a routine has."""
    routines = (Message.UNDER_WAY, Message.state == "queued", Message.purpose == "routine")
    slots = select(Message.send_at).where(*routines, Message.carrier == message.carrier, ~has_its_turn(now))
    return db.scalar(slots.order_by(Message.send_at).limit(1))
