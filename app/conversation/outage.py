"""While the model is down: since when, when it is tried next, and by whom.

One row says that it is down, another when it may be tried again. During an outage a text waits in the database and no
thread waits for it; one person's turn at a time tries whether the model is back. Whoever tries moves the second row on
first, by one conditional update, so that any number of threads and processes make one try.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Select, and_, func, or_, select, text, update
from sqlalchemy.engine import CursorResult
from sqlalchemy.orm import Session

from app.conversation import rests
from app.delivery import due
from app.errors import ModelDown
from app.models import Mark, Message, Turn
from app.models.message import UNDER_WAY
from app.operations import marks
from app.operations.alerts import clear, raise_alert

DOWN = "model_down"
TRY = "model_try"
BACK = "model_back"
ALERT = "model_down"

PAUSE_SECONDS = 5.0  # Before the first try; twice as long before each further one.
PAUSE_MAX_SECONDS = 60.0  # So that nobody waits more than a minute longer than the outage.
LASTING_PAUSE_SECONDS = 300.0  # A key or a limit waits for the operator, who is not quicker.
LASTING_PAUSE_MAX_SECONDS = 900.0
JITTER = 0.2  # Of each pause: without it, all who share a model and met its outage together would return together.
ASKED_WAIT_MAX_SECONDS = 900.0  # A server may ask for a day, and be well again in an hour.
TRY_LEASE_MARGIN = timedelta(seconds=60)  # Beyond a turn's limit: then whoever tried has died.
NEXT_TRY_LONGEST = timedelta(seconds=LASTING_PAUSE_MAX_SECONDS * (1 + JITTER))  # No next try is put further ahead.
FAILURES_TO_ALERT = 3  # A hiccup of seconds is nobody's night.
EASY = timedelta(minutes=10)  # After an outage, those who wait are woken one after the other for so long.

_OPEN = text("turns.state IN ('running', 'postponed')")


@dataclass(frozen=True)
class Outage:
    since: datetime
    failures: int
    """How many tries have failed."""
    next_try_at: datetime
    is_lasting: bool
    """Whether it waits for the operator."""


def current(db: Session) -> Outage | None:
    """The outage, if the model is down."""
    down, tried = marks.read(db, DOWN), marks.read(db, TRY)
    if down is None or tried is None:
        return None
    return Outage(down.at, down.number, tried.at, tried.note is not None)


def is_on(db: Session) -> bool:
    return marks.read(db, DOWN) is not None


def is_to_try(db: Session, person_id: int, now: datetime, turn_max_seconds: float) -> bool:
    """Whether a turn of the person may ask the model during an outage: yes to one at a time."""
    if next_to_try(db, now) != person_id:
        return False
    lease = now + timedelta(seconds=turn_max_seconds) + TRY_LEASE_MARGIN
    won = update(Mark).where(Mark.name == TRY, due.have_come(Mark.at, now, NEXT_TRY_LONGEST))
    won = won.values(at=lease, number=person_id)
    result = db.execute(won.execution_options(synchronize_session="fetch"))
    assert isinstance(result, CursorResult)  # noqa: S101  (for the type checker: an UPDATE counts its rows)
    return result.rowcount == 1


def next_to_try(db: Session, now: datetime) -> int | None:
    """Whose turn tries whether the model is back, once the instant has come; None before, or when nobody waits.

    Whoever has waited longest, but first those whose turn has tried less often: a single question that the model
    cannot manage must not stand for everybody's.
    """
    tried = marks.read(db, TRY)
    if tried is None or not due.has_come(tried.at, now, NEXT_TRY_LONGEST):
        return None
    tries = func.coalesce(func.max(Turn.model_calls), 0)
    return db.scalars(_waiting_for_it(now).order_by(tries, func.min(Message.id)).limit(1)).one_or_none()


def who_waits(db: Session, now: datetime) -> Sequence[int]:
    """People with texts that wait for the model alone, and for no process that has them in hand; longest wait first."""
    return db.scalars(_waiting_for_it(now).order_by(func.min(Message.id))).all()


def who_waits_long(db: Session, now: datetime, *, at_least: timedelta) -> Sequence[int]:
    """As `who_waits`: those whose oldest such text came so long ago."""
    long = _waiting_for_it(now).having(due.was_long_ago(func.min(Message.created_at), now, at_least))
    return db.scalars(long.order_by(func.min(Message.id))).all()


def _waiting_for_it(now: datetime) -> Select[int]:
    in_nobodys_hand = or_(Turn.id.is_(None), due.is_put_off_no_longer(now), due.is_left(now))
    return (
        select(Message.person_id)
        .outerjoin(Turn, and_(_OPEN, Turn.person_id == Message.person_id))
        .where(UNDER_WAY, Message.state == "waiting", Message.carrier != "terminal")
        .where(in_nobodys_hand, rests.is_of_nobody_resting(now))
        .group_by(Message.person_id)
    )


def note_failure(db: Session, person_id: int, error: ModelDown, now: datetime) -> None:
    """The model was asked for the person, and was down: the outage begins, or goes on."""
    down, tried = marks.read(db, DOWN), marks.read(db, TRY)
    if down is not None and tried is not None and tried.number != person_id:
        # A turn that was under way when it began. It knows nothing new but how long to leave the model alone.
        if error.retry_after_seconds is not None:
            asked, held = now + _asked_wait(error), tried.at
            tried.at = asked if due.has_come(held, now, NEXT_TRY_LONGEST) else max(held, asked)
        return
    failures = 1 if down is None else down.number + 1
    marks.put(db, DOWN, now if down is None else down.at, number=failures, note=str(error))
    marks.put(db, TRY, now + _pause(failures, error), note="lasting" if error.is_lasting else None)
    if error.is_lasting or failures >= FAILURES_TO_ALERT:
        raise_alert(db, ALERT, f"The model is down; texts are kept and will be answered. {error}", now)


def end(db: Session, now: datetime) -> bool:
    """The model has answered; whether that ended an outage. Then everybody who waits is to be woken."""
    if not is_on(db):  # Nearly always: a look costs less than a write.
        return False
    marks.remove(db, DOWN)
    marks.remove(db, TRY)
    marks.put(db, BACK, now)
    clear(db, ALERT, now)
    return True


def give_way(db: Session, person_id: int, now: datetime) -> None:
    """Let another try at once, when the person's turn was to try and ended without asking the model."""
    tried = marks.read(db, TRY)
    if tried is not None and tried.number == person_id:
        marks.put(db, TRY, now, note=tried.note)


def try_now(db: Session, now: datetime) -> None:
    """Let the model be tried at once, as after a start: the operator may have mended what it was."""
    tried = marks.read(db, TRY)
    if tried is not None:
        tried.at = min(tried.at, now)


def is_just_over(db: Session, now: datetime) -> bool:
    """Whether an outage ended so lately that those it kept waiting are not to be woken all at once."""
    back = marks.read(db, BACK)
    return back is not None and now - back.at < EASY


def _pause(failures: int, error: ModelDown) -> timedelta:
    first, longest = (
        (LASTING_PAUSE_SECONDS, LASTING_PAUSE_MAX_SECONDS) if error.is_lasting else (PAUSE_SECONDS, PAUSE_MAX_SECONDS)
    )
    jitter = secrets.SystemRandom().uniform(1 - JITTER, 1 + JITTER)
    seconds = min(first * 2.0 ** min(failures - 1, 10), longest) * jitter
    return max(timedelta(seconds=seconds), _asked_wait(error))


def _asked_wait(error: ModelDown) -> timedelta:
    return timedelta(seconds=min(error.retry_after_seconds or 0.0, ASKED_WAIT_MAX_SECONDS))
