"""Numbers that nobody has let in: what of theirs is kept, how often they are told to wait, and how many there may be.

Whatever they text costs no call of the model. A number costs one reply a day, all of them together a hundred; of each
the first texts are kept, which say who it is; and when too many wait, those who have been silent longest make room.
Where everybody may text, the same awaits the numbers beyond a thousand new ones in an hour.
"""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, select, update
from sqlalchemy.orm import Session

from app.models import Change, Consent, Conversation, Fact, Media, Message, Notice, Person, Turn
from app.operations import marks
from app.operations.alerts import clear, raise_alert
from app.people import is_notice_due

MAX_STRANGERS = 1000  # More than an operator ever looks through; it bounds what a flood of made-up numbers leaves.
ROOM = 50  # How many make room at once, so that a flood does not look for one with each text.
MAX_TEXTS = 20  # Enough to tell who it is, and to be answered once they are let in.
TOLD_EVERY = timedelta(days=1)
MAX_TOLD = 100  # A day, for all strangers together: each reply is charged, also one to a made-up number.
MAX_NEW_AN_HOUR = 1000  # A household's or a club's whole year; each may cost PERSON_DAILY_BUDGET_CENTS.

NOT_KEPT = "Later texts of this number, not let in yet, are not kept."
TOLD = "strangers_told"
ALERT = "strangers"
TOLD_ALERT = (
    f"{MAX_TOLD} unknown numbers were told to wait within a day; until the next day others are told nothing. Their "
    "texts are kept. See who waits on the operator's pages, and block what is no person."
)
NEW_ALERT = (
    f"{MAX_NEW_AN_HOUR} new numbers have texted within an hour; further ones wait for the operator. See who waits on "
    "the operator's pages; ACCESS=allowlist has every new number wait."
)


def has_texted_enough(db: Session, person_id: int) -> bool:
    """Whether no further text of a stranger is to be kept."""
    theirs = select(Message.id).where(Message.person_id == person_id, Message.direction == "in")
    return len(db.scalars(theirs.limit(MAX_TEXTS)).all()) == MAX_TEXTS


def leave_out(db: Session, person_id: int) -> None:
    """Say where the operator sees it that a text is not kept: with the last that was."""
    last = select(Person.last_text_id).where(Person.id == person_id)
    db.execute(update(Message).where(Message.id == last.scalar_subquery()).values(note=NOT_KEPT))


def is_to_be_told(db: Session, person_id: int, now: datetime) -> bool:
    """Whether the stranger is to be told to wait now; then it is noted as told."""
    day = marks.read(db, TOLD)
    begun, told = (day.at, day.number) if day and now - day.at < TOLD_EVERY else (now, 0)
    if told >= MAX_TOLD:
        raise_alert(db, ALERT, TOLD_ALERT, now)
        return False
    if not is_notice_due(db, person_id, "wait", now, every=TOLD_EVERY):
        return False
    if told == 0:
        clear(db, ALERT, now)
    # A clock that was set back leaves the day's beginning in the future: the day goes on from here.
    marks.put(db, TOLD, min(begun, now), number=told + 1)
    return True


def are_too_many(db: Session, now: datetime) -> bool:
    """Whether so many new people came within the hour that the next has to wait, though everybody may text."""
    newest = select(Person.created_at).where(Person.access == "allowed").order_by(Person.id.desc())
    came = db.scalar(newest.offset(MAX_NEW_AN_HOUR - 1).limit(1))
    if came is None or not now - timedelta(hours=1) < came <= now:
        return False
    raise_alert(db, ALERT, NEW_ALERT, now)
    return True


def make_room(db: Session) -> None:
    """When more than `MAX_STRANGERS` wait, forget those who have been silent longest, whole.

    Not whoever was ever let in, has opted out (that holds for ever), or is known to the operator by a name or a fact.
    """
    waiting = db.scalar(select(func.count()).select_from(Person).where(_is_stranger())) or 0
    if waiting <= MAX_STRANGERS:
        return
    traces = (~exists().where(trace.person_id == Person.id) for trace in (Turn, Conversation, Fact, Change))
    silent = select(Person.id).where(_is_stranger(), Person.name.is_(None), *traces, Person.last_text_id > 0)
    gone = db.scalars(silent.order_by(Person.last_text_id).limit(waiting - MAX_STRANGERS + ROOM)).all()
    texts = select(Message.id).where(Message.person_id.in_(gone))
    db.execute(delete(Media).where(Media.message_id.in_(texts)))
    for trace in (Consent, Notice, Message):
        db.execute(delete(trace).where(trace.person_id.in_(gone)))
    db.execute(delete(Person).where(Person.id.in_(gone)))


def _is_stranger() -> ColumnElement[bool]:
    waits = and_(Person.access == "waiting", Person.opted_out_at.is_(None))
    # The address of a machine, which is blocked from the start; the operator blocks numbers of people.
    of_people = or_(*(Person.address.like(form) for form in ("+%", "%:+%", "messenger:%")))
    return or_(waits, and_(Person.access == "blocked", ~of_people))
