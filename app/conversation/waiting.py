"""Everything that keeps a person's texts waiting, and the queries for people to wake once their wait is over.

| reason | kept as | ends |
|---|---|---|
| under way | the open turn, `leased_until` | when its process is done, or gone |
| put off | the open turn, `retry_at` | by itself, a minute later at most |
| money, too fast, a loop | `people.rests_until`, `rests_for` | by itself, at the latest as `RESTS` says |
| the model is down | two marks | with the first answer; one person at a time tries; after a long wait people are told |
| a sender's pace, a closed window | `messages.send_at`, `delivery` | when the text may go out |
| a routine that waits for a text | `occurrences.reason` | with the person's next turn |

An instant further ahead than its reason allows was stored by a clock that ran fast, and counts as past.
SQLite uses a partial index only if the query repeats the index's condition; otherwise it reads every row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Select, and_, bindparam, exists, func, or_, select, update
from sqlalchemy.engine import CursorResult
from sqlalchemy.orm import Session

from app.clock import has_come, have_come, was_long_ago
from app.delivery import outbox, windows
from app.errors import ModelDown
from app.models import Mark, Message, Notice, Occurrence, Person, Turn, marks
from app.operations.alerts import clear, raise_alert
from app.people import claim_notice, notice_at
from app.routines.quiet_hours import QuietHours
from app.services import Services
from app.text import kind_words

PUT_OFF_LONGEST = timedelta(minutes=1)  # Turns are put off by seconds; a wait of hours is a rest.
LEASE_LONGEST = timedelta(minutes=6)  # The longest turn that settings allow, 300 s, plus the lease margin of a minute.
TERMINAL_GRACE = timedelta(seconds=120)  # A terminal answers its own text; after this it has died and a server does.
HOUR = timedelta(hours=1)

LOOP_REPLIES = 10  # A third of what Twilio allows before its error 14107, and more than a person reads in two minutes.
LOOP_WINDOW = timedelta(minutes=2)
LOOP_REST = timedelta(minutes=10)  # Most machines give up long before; a person is told how long it takes.
LOOP_ALERT = (
    f"A number got {LOOP_REPLIES} replies within two minutes and gets none for ten: a machine may be answering there. "
    "Look at the conversation on the operator's pages, and block the number if so."
)
BUDGET, RATE, LOOP = "budget", "rate", "loop"
RESTS = {
    BUDGET: timedelta(days=2),  # It ends with the day of the budget, and the night after it.
    RATE: HOUR,
    LOOP: LOOP_REST,
}
"""The longest rest for each reason."""

DOWN, TRY = "model_down", "model_try"
"""Marks: the start of the outage, and the time of the next try with the person who may make it."""
ALERT = "model_down"
PAUSE_SECONDS = 5.0  # Before the first try; it doubles before each further one.
PAUSE_MAX_SECONDS = 60.0  # Nobody waits more than a minute longer than the outage.
LASTING_PAUSE_SECONDS = 300.0  # A key or a limit needs the operator, who is not quicker.
LASTING_PAUSE_MAX_SECONDS = 900.0
ASKED_WAIT_MAX_SECONDS = 900.0  # A server may ask for a day, and be well again in an hour.
TRY_LEASE_MARGIN = timedelta(seconds=60)  # Added to a turn's limit; after that the trying process has died.
NEXT_TRY_LONGEST = timedelta(seconds=LASTING_PAUSE_MAX_SECONDS)  # The next try is never further ahead.
FAILURES_TO_ALERT = 3  # A failure of a few seconds is not worth waking the operator.
NOTICE = "model_down"  # The kind text that people get during an outage, at an hour when it is no nuisance.
NOTICE_AFTER = timedelta(seconds=60)  # Before that the answer may well arrive by itself.
NOTICE_APART = timedelta(hours=1)  # Between two such texts, however often the model comes and goes.
NOTICE_APART_LASTING = timedelta(days=1)
AWAKE = timedelta(minutes=10)  # A person who texted this recently is awake.

WHAT_TO_STOP = "They were asked what is to stop, and have not said."
_UNTIL_THEY_TEXT = (  # Occurrences that wait until the person texts.
    Occurrence.OPEN,
    Occurrence.person_id == bindparam("person"),
    Occurrence.reason.in_((WHAT_TO_STOP, windows.CLOSED)),
)
_ONE_UNTIL_THEY_TEXT = select(Occurrence.id).where(*_UNTIL_THEY_TEXT).limit(1)


def rest(person: Person, until: datetime, why: str) -> None:
    """Keep the person's texts waiting until then, for a reason in `RESTS`; afterwards they are answered together."""
    person.rests_until, person.rests_for = until, why


def end_rests(db: Session, why: str) -> None:
    """End all rests for that reason, so that these people are checked anew."""
    db.execute(update(Person).where(Person.rests_for == why).values(rests_until=None, rests_for=None))


def admitted(
    db: Session, services: Services, person_id: int, waiting: Sequence[Message], now: datetime
) -> Sequence[Message]:
    """The person's waiting texts that may be answered now; a rest begins if they came too fast.

    A number gets at most `PERSON_REPLIES_PER_HOUR` replies of the model an hour. Ten replies of any kind within two
    minutes look like two machines answering each other, so the number then gets none for ten minutes. Both limits
    apply only to real numbers, since the phone page and the terminal are used by the operator.
    """
    if not waiting:
        return waiting
    person = db.get_one(Person, person_id)
    until, why, carrier = person.rests_until, person.rests_for, waiting[0].carrier
    lasting = why if until is not None and why is not None and now < until <= now + RESTS[why] else None
    if why == LOOP and lasting is None:
        clear(db, "loop", now)
    rests_for = lasting
    if carrier not in Message.HERE and lasting != LOOP:
        rests_for = _begin_rest(db, services, person, now, lasting)
        if rests_for is not None and lasting is None:
            _tell_too_fast(db, person, carrier, now)
    if rests_for is None:
        person.rests_until = person.rests_for = None
        return waiting
    # Commands cost no model, but two machines may have learned to text them.
    return [] if rests_for == LOOP else [text for text in waiting if text.is_command]


def _begin_rest(db: Session, services: Services, person: Person, now: datetime, lasting: str | None) -> str | None:
    """The reason of a rest that begins now, as the person got too many replies lately; else of the `lasting` one.

    After a clock is set back the last replies lie in the future. They do not count, so that nobody waits for hours;
    at worst ten more replies go out.
    """
    of_theirs = (Turn.person_id == person.id, Turn.carrier.not_in(Message.HERE))
    if _nth_last(db, LOOP_REPLIES, now, LOOP_WINDOW, *of_theirs, Turn.kind != "routine") is not None:
        raise_alert(db, "loop", LOOP_ALERT, now)
        rest(person, now + LOOP_REST, LOOP)
        return LOOP
    if lasting is not None:
        return lasting
    first = _nth_last(db, services.settings.person_replies_per_hour, now, HOUR, *of_theirs, Turn.kind == "reply")
    if first is None:
        return None
    rest(person, first + HOUR, RATE)
    return RATE


def _nth_last(db: Session, nth: int, now: datetime, within: timedelta, *which: ColumnElement[bool]) -> datetime | None:
    """Start of the nth last of these turns; None unless it lies within the given span before now."""
    began = db.scalar(select(Turn.started_at).where(*which).order_by(Turn.id.desc()).offset(nth - 1).limit(1))
    return began if began is not None and now - within < began <= now else None


def _tell_too_fast(db: Session, person: Person, carrier: str, now: datetime) -> None:
    """Tell the person that they rest, at most once an hour: a machine gets one more text to answer, then silence."""
    if person.rests_until is not None and claim_notice(db, person.id, "rate", now, every=HOUR):
        minutes = max(-(-(person.rests_until - now) // timedelta(minutes=1)), 1)
        outbox.queue(db, person.id, None, carrier, [kind_words.too_fast(minutes)], now, purpose="notice")


@dataclass(frozen=True)
class Outage:
    """A time in which the model is down. Texts wait in the database, and no thread waits for them."""

    since: datetime
    is_lasting: bool  # True if it needs the operator.

    def notices_apart(self, now: datetime) -> timedelta:
        """Shortest time between two notices to one person."""
        return NOTICE_APART_LASTING if self.is_lasting else max(now - self.since, NOTICE_APART)


def outage(db: Session) -> Outage | None:
    """The current outage; None if the model is up."""
    if (down := marks.read(db, DOWN)) is None or (tried := marks.read(db, TRY)) is None:
        return None
    return Outage(down.at, is_lasting=tried.note is not None)


def note_model_down(db: Session, person_id: int, error: ModelDown, now: datetime) -> None:
    """Start or continue the outage after the model was asked in this person's turn and was down."""
    down, tried = marks.read(db, DOWN), marks.read(db, TRY)
    asked_wait = timedelta(seconds=min(error.retry_after_seconds or 0.0, ASKED_WAIT_MAX_SECONDS))
    if down is not None and tried is not None and tried.number != person_id:
        # This turn was running when the outage began. It adds nothing but the wait that the server asked for.
        if error.retry_after_seconds is not None:
            asked, held = now + asked_wait, tried.at
            tried.at = asked if has_come(held, now, NEXT_TRY_LONGEST) else max(held, asked)
        return
    failures = 1 if down is None else down.number + 1
    pauses = (PAUSE_SECONDS, PAUSE_MAX_SECONDS)
    first, longest = (LASTING_PAUSE_SECONDS, LASTING_PAUSE_MAX_SECONDS) if error.is_lasting else pauses
    pause = timedelta(seconds=min(first * 2.0 ** min(failures - 1, 10), longest))
    marks.put(db, DOWN, now if down is None else down.at, number=failures, note=str(error))
    marks.put(db, TRY, now + max(pause, asked_wait), note="lasting" if error.is_lasting else None)
    if error.is_lasting or failures >= FAILURES_TO_ALERT or asked_wait.total_seconds() > PAUSE_MAX_SECONDS:
        raise_alert(db, ALERT, f"The model is down; texts are kept and will be answered. {error}", now)


def end_outage(db: Session, now: datetime) -> bool:
    """End the outage, as the model has answered. True if there was one; the caller then wakes everybody who waits."""
    if outage(db) is None:  # This is nearly always so, and a read is cheaper than a write.
        return False
    marks.remove(db, DOWN)
    marks.remove(db, TRY)
    clear(db, ALERT, now)
    return True


def claim_try(db: Session, person_id: int, now: datetime, turn_max_seconds: float) -> bool:
    """True if this person's turn may try the model during an outage; one turn at a time may.

    The one that tries first moves the mark ahead with a conditional update. So any number of threads and processes
    make a single try, and nobody else may try for as long as a turn may take.
    """
    if _next_to_try(db, now) != person_id:
        return False
    lease = now + timedelta(seconds=turn_max_seconds) + TRY_LEASE_MARGIN
    won = update(Mark).where(Mark.name == TRY, have_come(Mark.at, now, NEXT_TRY_LONGEST))
    won = won.values(at=lease, number=person_id)
    result = db.execute(won.execution_options(synchronize_session="fetch"))
    assert isinstance(result, CursorResult)  # noqa: S101  (for the type checker: an UPDATE counts its rows)
    return result.rowcount == 1


def _next_to_try(db: Session, now: datetime) -> int | None:
    """The person whose turn may try the model next; None before it is time, or if nobody waits.

    Turns with fewer tries come first, then the longest wait: a single request that the model cannot handle must not
    decide for everybody.
    """
    tried = marks.read(db, TRY)
    if tried is None or not has_come(tried.at, now, NEXT_TRY_LONGEST):
        return None
    tries = func.coalesce(func.max(Turn.model_calls), 0)
    return db.scalars(_waiting_for_the_model(now).order_by(tries, func.min(Message.id)).limit(1)).one_or_none()


def wake_waiting(services: Services, *, quiet_seconds: float) -> None:
    """Wake everyone who has something waiting, according to the database.

    People who texted within the last `quiet_seconds` may still be typing, and are left to their lane.
    """
    outbox.settle_interrupted(services)
    now = services.clock.now()
    with services.reading() as db:
        waiting = people_to_answer(db, now, quiet=timedelta(seconds=quiet_seconds))
    for person_id in waiting:
        services.background.wake(person_id, at_once=True)


def wake_overdue(services: Services) -> None:
    """Wake everyone whose texts wait longer than a burst lasts, because another process received or released them.

    While the model is down, only people with a waiting command and the person who tries the model are woken.
    """
    quiet = timedelta(seconds=services.settings.burst_max_seconds)
    now = services.clock.now()
    with services.reading() as db:
        waiting = _people_waiting(db, now, quiet) if outage(db) is None else _people_during_outage(db, now)
    for person_id in waiting:
        services.background.wake(person_id, at_once=True)


def tell_of_outage(services: Services) -> None:
    """Tell everyone who has waited long in this outage, and was not told yet, that their text is kept."""
    now = services.clock.now()
    with services.reading() as db:  # Nearly always there is nobody to tell, and a read does not queue for the writer.
        if (down := outage(db)) is None:
            return
        is_over = was_long_ago(Notice.at, now, down.notices_apart(now))
        told = select(Notice.person_id).where(Notice.kind == NOTICE, ~is_over)
        long = _waiting_for_the_model(now).where(Message.person_id.not_in(told))
        long = long.having(was_long_ago(func.min(Message.created_at), now, NOTICE_AFTER))
        kept_long = db.scalars(long.order_by(func.min(Message.id))).all()
        to_tell = [person_id for person_id in kept_long if _carrier_of_notice(db, person_id, now)]
    for person_id in to_tell:
        with services.transaction() as db:  # Meanwhile the model may be back, or another process may have told them.
            carrier = _carrier_of_notice(db, person_id, now)
            if carrier is not None and claim_notice(db, person_id, NOTICE, now, every=timedelta(0)):
                outbox.queue(db, person_id, None, carrier, [kind_words.MODEL_DOWN], now, purpose="notice")
        services.background.wake(person_id, at_once=True)


def _carrier_of_notice(db: Session, person_id: int, now: datetime) -> str | None:
    """The carrier for the person's notice, which is that of their newest waiting text; None if none is due now."""
    theirs = (Message.UNDER_WAY, Message.state == "waiting", Message.person_id == person_id)
    texts = select(Message).where(*theirs, Message.carrier != "terminal").order_by(Message.id.desc())
    down, newest, person = outage(db), db.scalars(texts.limit(1)).first(), db.get_one(Person, person_id)
    is_reached = person.access == "allowed" and person.opted_out_at is None and person.stop_text_id is None
    if down is None or newest is None or not is_reached:
        return None
    told_at, apart = notice_at(db, person_id, NOTICE), down.notices_apart(now)
    if told_at is not None and told_at > now + apart:
        told_at = None  # It was noted by a clock that ran fast.
    if told_at is not None and (now - told_at < apart or down.since <= told_at >= newest.created_at):
        return None
    is_up = now - newest.created_at <= AWAKE or not QuietHours.parse(person.quiet_hours).covers(now, person.timezone)
    return newest.carrier if is_up else None


def recheck_routines(services: Services, person_id: int) -> None:
    """Make occurrences that waited for a text of the person's due now, because they have texted."""
    theirs = {"person": person_id}
    if not services.finds(_ONE_UNTIL_THEY_TEXT, theirs):
        return
    with services.transaction(person_id) as db:
        db.execute(update(Occurrence).where(*_UNTIL_THEY_TEXT).values(run_at=services.clock.now()), theirs)


def people_to_answer(db: Session, now: datetime, *, quiet: timedelta = timedelta(0)) -> list[int]:
    """People with a turn to resume, a text to send, or waiting texts that are older than `quiet`.

    While the model is down, only people for whom something can be done without it, and the person who tries it.
    """
    queued = select(Message.person_id).join(Person, Person.id == Message.person_id).order_by(Message.id)
    queued = queued.where(Message.UNDER_WAY, Message.state == "queued", outbox.slot_has_come(now))
    queued = queued.where(or_(Message.carrier.in_(Message.HERE), windows.is_open(now)))
    if outage(db) is not None:
        return list(dict.fromkeys([*_people_during_outage(db, now), *db.scalars(queued)]))
    begun = select(Turn.person_id).where(Turn.OPEN, or_(Turn.state == "running", _may_be_resumed(now)))
    begun = begun.order_by(Turn.id)
    return list(dict.fromkeys([*db.scalars(begun), *_people_waiting(db, now, quiet), *db.scalars(queued)]))


def _people_waiting(db: Session, now: datetime, quiet: timedelta) -> list[int]:
    """People whose newest waiting text is older than `quiet` and who have no open turn; longest wait first."""
    begun = exists().where(Turn.OPEN, Turn.person_id == Message.person_id)
    waiting = select(Message.person_id).join(Person, Person.id == Message.person_id)
    waiting = waiting.where(Message.UNDER_WAY, Message.state == "waiting", _is_for_servers(now), ~begun)
    waiting = waiting.where(or_(_is_not_resting(now), Message.is_command))
    waiting = waiting.group_by(Message.person_id).having(was_long_ago(func.max(Message.created_at), now, quiet))
    return list(db.scalars(waiting.order_by(func.min(Message.id))))


def _people_during_outage(db: Session, now: datetime) -> list[int]:
    """The person who tries the model, and people whose first waiting text needs no model."""
    begun = select(Turn.person_id).where(Turn.OPEN, Turn.state == "running", Turn.kind == "command")
    waits = (Message.UNDER_WAY, Message.state == "waiting")
    first = select(func.min(Message.id)).where(*waits).group_by(Message.person_id)
    commands = select(Message.person_id).where(*waits, Message.id.in_(first), Message.is_command)
    commands = commands.where(Message.turn_id.is_(None), _is_for_servers(now))
    trying = _next_to_try(db, now)
    return [*([] if trying is None else [trying]), *db.scalars(begun), *db.scalars(commands)]


def _waiting_for_the_model(now: datetime) -> Select[int]:
    """People whose texts wait for the model alone, and are not in a running turn."""
    is_left = and_(Turn.state == "running", have_come(Turn.leased_until, now, LEASE_LONGEST))
    return (
        select(Message.person_id)
        .join(Person, Person.id == Message.person_id)
        .outerjoin(Turn, and_(Turn.OPEN, Turn.person_id == Message.person_id))
        .where(Message.UNDER_WAY, Message.state == "waiting", Message.carrier != "terminal")
        .where(or_(Turn.id.is_(None), _may_be_resumed(now), is_left), _is_not_resting(now))
        .group_by(Message.person_id)
    )


def _is_for_servers(now: datetime) -> ColumnElement[bool]:
    """Texts that a server answers; a terminal's text is left to the terminal for `TERMINAL_GRACE`."""
    return or_(Message.carrier != "terminal", was_long_ago(Message.created_at, now, TERMINAL_GRACE))


def _may_be_resumed(now: datetime) -> ColumnElement[bool]:
    """Postponed turns that may be resumed."""
    may_be = or_(Turn.retry_at.is_(None), have_come(Turn.retry_at, now, PUT_OFF_LONGEST))
    return and_(Turn.state == "postponed", may_be)


def _is_not_resting(now: datetime) -> ColumnElement[bool]:
    """People who do not rest now, by the same test as `admitted`; for queries that include `people`."""
    lasting = (and_(Person.rests_for == why, Person.rests_until <= now + longest) for why, longest in RESTS.items())
    return or_(Person.rests_until.is_(None), Person.rests_until <= now, ~or_(*lasting))
