"""Everything that keeps a person's texts waiting, and who is to be woken because nothing does any more.

| reason | kept as | ends |
|---|---|---|
| under way | the open turn, `leased_until` | when its process is done, or gone |
| put off | the open turn, `retry_at` | by itself, a minute later at most |
| money, too fast, a loop | `people.rests_until`, `rests_for` | by itself, at the latest as `RESTS` says |
| the model is down | `outage.py` | with the first answer; one person at a time tries |
| a sender's pace, a closed window | `messages.send_at`, `delivery` | when the text may go out |

An instant further ahead than its reason ever puts it was noted by a clock that ran ahead, and has come.
SQLite takes a partial index only where the query itself says the index's condition; without it, it reads every row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select, update
from sqlalchemy.orm import Session

from app.clock import have_come, was_long_ago
from app.conversation import outage
from app.delivery import outbox, pacing
from app.models import Message, Person, Turn
from app.models.message import HERE, UNDER_WAY
from app.models.turn import OPEN
from app.operations.alerts import clear, raise_alert
from app.people import notices
from app.services import Services
from app.text import kind_words

PUT_OFF_LONGEST = timedelta(minutes=1)  # Turns are put off by seconds: what keeps people for hours is a rest.
LEASE_LONGEST = timedelta(minutes=6)  # The longest turn that may be set, 300 s, and the minute beyond it.
TERMINAL_GRACE = timedelta(seconds=120)  # The terminal answers its own text; after this it has died, and a server does.
APART_SECONDS = 0.2  # Between two people after an outage: five a second is a rate that a model just recovered stands.
HOUR = timedelta(hours=1)

LOOP_REPLIES = 10  # A third of what Twilio bears before its error 14107, and more than a person reads in two minutes.
LOOP_WINDOW = timedelta(minutes=2)
LOOP_REST = timedelta(minutes=10)  # Most machines give up long before; a person is told how long it takes.
LOOP_ALERT = (
    f"A number got {LOOP_REPLIES} replies within two minutes and gets none for ten: a machine may be answering there. "
    "Look at the conversation on the operator's pages, and block the number if so."
)


@dataclass(frozen=True)
class Reason:
    """Why somebody rests."""

    longest: timedelta
    """No rest for this reason is put further ahead."""
    commands_too: bool = False
    """Whether commands wait as well. They cost no model, but two machines may have learned to text them."""


BUDGET, RATE, LOOP = "budget", "rate", "loop"
RESTS = {
    BUDGET: Reason(timedelta(days=2)),  # It ends with the day of the budget, and the night after it.
    RATE: Reason(HOUR),
    LOOP: Reason(LOOP_REST, commands_too=True),
}


def rest(person: Person, until: datetime, why: str) -> None:
    """Let the person's texts wait until then, for one of the reasons of `RESTS`; they are answered together after."""
    person.rests_until, person.rests_for = until, why


def end_rests(db: Session, why: str) -> None:
    """Let everybody who rests for that reason be looked at anew."""
    db.execute(update(Person).where(Person.rests_for == why).values(rests_until=None, rests_for=None))


def admitted(
    db: Session, services: Services, person_id: int, waiting: Sequence[Message], now: datetime
) -> Sequence[Message]:
    """The person's waiting texts that may be answered now; when they were too fast, a rest begins.

    In an hour a number gets `PERSON_REPLIES_PER_HOUR` replies of the model. Ten replies of any kind within two minutes
    look like two machines that answer each other: then the number gets none for ten minutes. Both are for numbers out
    in the world: on the phone page and at the terminal sits whoever runs this installation.
    """
    if not waiting:
        return waiting
    person = db.get_one(Person, person_id)
    if _rests(person, now):
        return _despite(person, waiting)
    if waiting[0].carrier not in HERE and _is_too_fast(db, services, person, now):
        _tell_too_fast(db, person, waiting[0].carrier, now)
        return _despite(person, waiting)
    if person.rests_for is not None:
        if person.rests_for == LOOP:
            clear(db, "loop", now)
        person.rests_until = person.rests_for = None
    return waiting


def is_for_servers(now: datetime) -> ColumnElement[bool]:
    """The texts that a server answers: a terminal's are its terminal's for a while."""
    return or_(Message.carrier != "terminal", was_long_ago(Message.created_at, now, TERMINAL_GRACE))


def wake_unnoticed(services: Services) -> None:
    """Wake everyone whose texts wait longer than a burst lasts: another process let them in, or took them in.

    While the model is down: those whose command waits, and whoever is to try whether it is back.
    """
    quiet = timedelta(seconds=services.settings.burst_max_seconds)
    now = services.clock.now()
    with services.reading() as db:
        is_down = outage.current(db) is not None
        waiting = _people_meanwhile(db, now) if is_down else people_waiting(db, now, quiet=quiet)
        just_over = bool(waiting) and not is_down and outage.is_just_over(db, now)
    wake_all(services, waiting, apart_seconds=APART_SECONDS if just_over else 0.0)


def wake_all(services: Services, people: Sequence[int], *, apart_seconds: float) -> None:
    """Have the people looked at in this order, one after the other."""
    for place, person_id in enumerate(people):
        if place and apart_seconds:
            services.background.wake(person_id, after_seconds=place * apart_seconds)
        else:
            services.background.wake(person_id, at_once=True)


def wake_after_outage(services: Services) -> None:
    """The model is back: everyone whose texts waited for it, the longest wait first, and not all at once."""
    with services.reading() as db:
        people = db.scalars(_waiting_for_the_model(services.clock.now()).order_by(func.min(Message.id))).all()
    wake_all(services, people, apart_seconds=APART_SECONDS)


def people_to_answer(db: Session, now: datetime, *, quiet: timedelta = timedelta(0)) -> list[int]:
    """People with a turn to take up, a text not sent yet, or texts that wait and are older than `quiet`.

    While the model is down: only those for whom something can be done without it, and whoever is to try it.
    """
    queued = select(Message.person_id).join(Person, Person.id == Message.person_id)
    queued = queued.where(UNDER_WAY, Message.state == "queued", pacing.has_its_turn(now))
    queued = queued.where(or_(Message.carrier.in_(HERE), pacing.is_window_open(now)))
    queued = queued.order_by(Message.id)
    if outage.current(db) is not None:
        return list(dict.fromkeys([*_people_meanwhile(db, now), *db.scalars(queued)]))
    begun = select(Turn.person_id).where(OPEN, or_(Turn.state == "running", _is_put_off_no_longer(now)))
    begun = begun.order_by(Turn.id)
    found = [*db.scalars(begun), *people_waiting(db, now, quiet=quiet), *db.scalars(queued)]
    return list(dict.fromkeys(found))


def people_waiting(db: Session, now: datetime, *, quiet: timedelta) -> list[int]:
    """People whose newest waiting text is older than `quiet` and who have no turn begun; longest wait first."""
    begun = exists().where(OPEN, Turn.person_id == Message.person_id)
    waiting = select(Message.person_id).join(Person, Person.id == Message.person_id)
    waiting = waiting.where(UNDER_WAY, Message.state == "waiting", is_for_servers(now), ~begun)
    waiting = waiting.where(or_(_rests_no_more(now), func.ltrim(Message.body).like("/%")))
    waiting = waiting.group_by(Message.person_id).having(was_long_ago(func.max(Message.created_at), now, quiet))
    return list(db.scalars(waiting.order_by(func.min(Message.id))))


def people_kept_long(db: Session, now: datetime, *, at_least: timedelta) -> Sequence[int]:
    """People whose oldest text that waits for the model alone came so long ago; longest wait first."""
    long = _waiting_for_the_model(now).having(was_long_ago(func.min(Message.created_at), now, at_least))
    return db.scalars(long.order_by(func.min(Message.id))).all()


def may_try(db: Session, person_id: int, now: datetime, turn_max_seconds: float) -> bool:
    """Whether a turn of the person may ask the model during an outage: yes to one at a time."""
    return _next_to_try(db, now) == person_id and outage.claim_try(db, person_id, now, turn_max_seconds)


def _next_to_try(db: Session, now: datetime) -> int | None:
    """The person whose turn tries whether the model is back; None before it is time, or when nobody waits.

    Whoever has waited longest, but first those whose turn has tried less often: a single question that the model
    cannot manage must not stand for everybody's.
    """
    if not outage.may_be_tried(db, now):
        return None
    tries = func.coalesce(func.max(Turn.model_calls), 0)
    return db.scalars(_waiting_for_the_model(now).order_by(tries, func.min(Message.id)).limit(1)).one_or_none()


def _waiting_for_the_model(now: datetime) -> Select[int]:
    """People with texts that wait for the model alone, and for no process that has them in hand."""
    is_left = and_(Turn.state == "running", have_come(Turn.leased_until, now, LEASE_LONGEST))
    return (
        select(Message.person_id)
        .join(Person, Person.id == Message.person_id)
        .outerjoin(Turn, and_(OPEN, Turn.person_id == Message.person_id))
        .where(UNDER_WAY, Message.state == "waiting", Message.carrier != "terminal")
        .where(or_(Turn.id.is_(None), _is_put_off_no_longer(now), is_left), _rests_no_more(now))
        .group_by(Message.person_id)
    )


def _people_meanwhile(db: Session, now: datetime) -> list[int]:
    """Whoever tries whether the model is back, and those whose first waiting text is answered without it."""
    begun = select(Turn.person_id).where(OPEN, Turn.state == "running", Turn.kind == "command")
    first = select(func.min(Message.id)).where(UNDER_WAY, Message.state == "waiting").group_by(Message.person_id)
    commands = select(Message.person_id).where(
        Message.id.in_(first), func.ltrim(Message.body).like("/%"), Message.turn_id.is_(None), is_for_servers(now)
    )
    trying = _next_to_try(db, now)
    return [*([] if trying is None else [trying]), *db.scalars(begun), *db.scalars(commands)]


def _is_put_off_no_longer(now: datetime) -> ColumnElement[bool]:
    """The postponed turns that may be taken up."""
    may_be = or_(Turn.retry_at.is_(None), have_come(Turn.retry_at, now, PUT_OFF_LONGEST))
    return and_(Turn.state == "postponed", may_be)


def _rests(person: Person, now: datetime) -> bool:
    until, why = person.rests_until, person.rests_for
    return until is not None and why is not None and now < until <= now + RESTS[why].longest


def _rests_no_more(now: datetime) -> ColumnElement[bool]:
    """The same of all people, turned round; for a query that has `people` in it."""
    lasting = (and_(Person.rests_for == why, Person.rests_until <= now + one.longest) for why, one in RESTS.items())
    return or_(Person.rests_until.is_(None), Person.rests_until <= now, ~or_(*lasting))


def _despite(person: Person, waiting: Sequence[Message]) -> Sequence[Message]:
    if RESTS[str(person.rests_for)].commands_too:
        return ()
    return [text for text in waiting if text.body.lstrip().startswith("/")]


def _is_too_fast(db: Session, services: Services, person: Person, now: datetime) -> bool:
    """Whether the person has been answered so often of late that a rest begins.

    A clock that is set back makes the last replies lie in the future. They do not count then, so that nobody waits for
    hours because of it; the worst that comes of it is ten replies more.
    """
    if _nth_last_reply(db, person.id, LOOP_REPLIES, now, within=LOOP_WINDOW, commands_too=True):
        raise_alert(db, "loop", LOOP_ALERT, now)
        rest(person, now + LOOP_REST, LOOP)
        return True
    most = services.settings.person_replies_per_hour
    first = _nth_last_reply(db, person.id, most, now, within=HOUR, commands_too=False)
    if first is not None:
        rest(person, first + HOUR, RATE)
    return first is not None


def _nth_last_reply(
    db: Session, person_id: int, nth: int, now: datetime, *, within: timedelta, commands_too: bool
) -> datetime | None:
    """When the turn began that has been answered as the nth last; None unless that is so short a time ago."""
    replies = select(Turn.started_at).where(Turn.person_id == person_id, Turn.carrier.not_in(HERE))
    if not commands_too:
        replies = replies.where(Turn.kind == "reply")
    began = db.scalar(replies.order_by(Turn.id.desc()).offset(nth - 1).limit(1))
    return began if began is not None and now - within < began <= now else None


def _tell_too_fast(db: Session, person: Person, carrier: str, now: datetime) -> None:
    """Tell the person, once an hour at most: a machine that reads it has one text more to answer, and then silence."""
    if person.rests_until is not None and notices.is_due(db, person.id, "rate", now, every=HOUR):
        minutes = max(-(-(person.rests_until - now) // timedelta(minutes=1)), 1)
        outbox.queue(db, person.id, None, carrier, [kind_words.too_fast(minutes)], now, purpose="notice")
