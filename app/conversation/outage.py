"""The state of the model while it is down: since when, when it is tried next, and by whom.

One mark says that it is down, another when it may be tried again. During an outage a text waits in the database and no
thread waits for it; one person's turn at a time tries whether the model is back. Whoever tries moves the second mark on
first, by one conditional update, so that any number of threads and processes make one try.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import update
from sqlalchemy.engine import CursorResult
from sqlalchemy.orm import Session

from app.clock import has_come, have_come
from app.errors import ModelDown
from app.models import Mark
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


def may_be_tried(db: Session, now: datetime) -> bool:
    """Whether it is time to try if the model is back."""
    tried = marks.read(db, TRY)
    return tried is not None and has_come(tried.at, now, NEXT_TRY_LONGEST)


def claim_try(db: Session, person_id: int, now: datetime, turn_max_seconds: float) -> bool:
    """Whether the next try is the person's, and nobody else's for as long as a turn may take."""
    lease = now + timedelta(seconds=turn_max_seconds) + TRY_LEASE_MARGIN
    won = update(Mark).where(Mark.name == TRY, have_come(Mark.at, now, NEXT_TRY_LONGEST))
    won = won.values(at=lease, number=person_id)
    result = db.execute(won.execution_options(synchronize_session="fetch"))
    assert isinstance(result, CursorResult)  # noqa: S101  (for the type checker: an UPDATE counts its rows)
    return result.rowcount == 1


def note_failure(db: Session, person_id: int, error: ModelDown, now: datetime) -> None:
    """The model was asked for the person, and was down: the outage begins, or goes on."""
    down, tried = marks.read(db, DOWN), marks.read(db, TRY)
    if down is not None and tried is not None and tried.number != person_id:
        # A turn that was under way when it began. It knows nothing new but how long to leave the model alone.
        if error.retry_after_seconds is not None:
            asked, held = now + _asked_wait(error), tried.at
            tried.at = asked if has_come(held, now, NEXT_TRY_LONGEST) else max(held, asked)
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
