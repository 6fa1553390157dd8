"""Limits for numbers that nobody has let in: texts kept, replies that tell them to wait, and numbers in all.

Their texts cost no call of the model. A number costs one reply a day, all numbers together a hundred. The first texts
of each are kept, since they say who it is; when too many numbers wait, the longest silent are deleted. Where everybody
may text, the same limits apply to new numbers beyond a thousand within an hour.
"""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, select, update
from sqlalchemy.orm import Session

from app import people
from app.models import Change, Consent, Conversation, Fact, Media, Message, Notice, Person, Reveal, Turn, marks
from app.operations.alerts import clear, raise_alert

MAX_STRANGERS = 1000  # More than an operator ever looks through; it bounds what a flood of fake numbers leaves.
ROOM = 50  # Further numbers deleted at once, so that in a flood not every text has to delete one.
MAX_TEXTS = 20  # Enough to tell who it is, and to answer once they are let in.
TOLD_EVERY = timedelta(days=1)
MAX_TOLD = 100  # A day, for all strangers together: every reply is charged, even one to a fake number.
MAX_NEW_AN_HOUR = 1000  # More than a household or a club gets in a year; each may cost PERSON_DAILY_BUDGET_CENTS.

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


def has_reached_text_limit(db: Session, person_id: int) -> bool:
    """True if no more texts of this stranger are to be kept."""
    theirs = select(Message.id).where(Message.person_id == person_id, Message.direction == "in")
    return len(db.scalars(theirs.limit(MAX_TEXTS)).all()) == MAX_TEXTS


def note_left_out(db: Session, person_id: int) -> None:
    """Note on the last text kept, where the operator sees it, that later ones are not."""
    last = select(Person.last_text_id).where(Person.id == person_id)
    db.execute(update(Message).where(Message.id == last.scalar_subquery()).values(note=NOT_KEPT))


def claim_request_to_wait(db: Session, person_id: int, now: datetime) -> bool:
    """True if the stranger is to be told to wait now; that is then counted."""
    return people.claim_notice(db, person_id, "wait", now, every=TOLD_EVERY) and claim_text(db, now)


def claim_text(db: Session, now: datetime) -> bool:
    """True if one of the day's texts to strangers is left; it is then counted."""
    day = marks.read(db, TOLD)
    begun, told = (day.at, day.number) if day and now - day.at < TOLD_EVERY else (now, 0)
    if told >= MAX_TOLD:
        raise_alert(db, ALERT, TOLD_ALERT, now)
        return False
    if told == 0:
        clear(db, ALERT, now)
    # If the clock was set back, the day's beginning lies in the future: it moves to now, and the count stays.
    marks.put(db, TOLD, min(begun, now), number=told + 1)
    return True


def is_limit_reached(db: Session, now: datetime) -> bool:
    """True if so many new people came within an hour that the next has to wait even where everybody may text."""
    newest = select(Person.created_at).where(Person.access == "allowed").order_by(Person.id.desc())
    came = db.scalar(newest.offset(MAX_NEW_AN_HOUR - 1).limit(1))
    if came is None or not now - timedelta(hours=1) < came <= now:
        return False
    raise_alert(db, ALERT, NEW_ALERT, now)
    return True


def make_room(db: Session) -> None:
    """Delete the longest silent strangers with all their rows when more than `MAX_STRANGERS` wait.

    People who were ever let in, have opted out (that holds for ever), or have a name or a fact are kept.
    """
    waiting = db.scalar(select(func.count()).select_from(Person).where(_is_stranger())) or 0
    if waiting <= MAX_STRANGERS:
        return
    traces = (~exists().where(trace.person_id == Person.id) for trace in (Turn, Conversation, Fact, Change))
    silent = select(Person.id).where(_is_stranger(), Person.name.is_(None), *traces, Person.last_text_id > 0)
    gone = db.scalars(silent.order_by(Person.last_text_id).limit(waiting - MAX_STRANGERS + ROOM)).all()
    texts = select(Message.id).where(Message.person_id.in_(gone))
    db.execute(delete(Media).where(Media.message_id.in_(texts)))
    for trace in (Consent, Notice, Reveal, Message):
        db.execute(delete(trace).where(trace.person_id.in_(gone)))
    db.execute(delete(Person).where(Person.id.in_(gone)))


def _is_stranger() -> ColumnElement[bool]:
    waits = and_(Person.access == "waiting", Person.opted_out_at.is_(None))
    # Machines' addresses are blocked from the start, and count as strangers; people's are blocked by the operator.
    of_people = or_(*(Person.address.like(form) for form in ("+%", "%:+%", "messenger:%")))
    return or_(waits, and_(Person.access == "blocked", ~of_people))
