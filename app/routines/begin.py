"""The beginning of occurrences: each due instant becomes one, in whatever process looks first.

The rows are the truth and the tick is only a look at them. A routine knows when it comes next; whoever finds that this
has come adds the occurrence and works out the next instant in one transaction, under a key that no second one passes.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import delete, exists, select, update
from sqlalchemy.orm import Session

from app.errors import Refused
from app.models import Occurrence, Person, Routine
from app.models.routine import OPEN, TO_COME
from app.models.states import move
from app.operations import marks
from app.operations.alerts import raise_alert
from app.routines import rows
from app.routines.due import due_after, due_between
from app.routines.setting import ALL_PAUSED
from app.services import Services
from app.store.dialect import insert_or_ignore
from app.store.faultpoints import reach

AT_ONCE = 200  # Routines in one transaction: for about a tenth of a second a text that comes in waits for it.
MOST_BATCHES = 50  # In one look, so that the tick goes on; the next second goes on with the rest.
WOKEN_AT_ONCE = 500
MISSED_KEPT = 20  # Records of instants that passed while nothing ran: enough to see it, and no flood after weeks.
LOOKED_BACK = timedelta(days=31)
APART = {"remind": timedelta(seconds=0.01), "run": timedelta(seconds=0.2)}
"""Between two of those that are due at once: a reminder costs a row, the other a call of the model."""

MARK = "routines_begun"
"""When something last began: later than now, the clock was set back."""
STEP = timedelta(seconds=1)

NOT_RUNNING = "Keepsake was not running at the time."

_DUE = (
    select(Routine, Person.timezone, Person.paused_until)
    .join(Person, Person.id == Routine.person_id)
    .where(TO_COME)
    .order_by(Routine.next_due_at)
    .limit(AT_ONCE)
)


def begin_due(services: Services) -> int:
    """How many routines were due now; for each an occurrence is begun. Nearly always none: one look at an index."""
    now = services.clock.now()
    with services.reading() as db:
        was_set_back = _was_set_back(db, now)
        if not was_set_back and not _is_any_due(db, now):
            return 0
    if was_set_back:
        with services.transaction() as db:
            _after_step_back(db, now)
    places = _Places(now)
    begun = 0
    for _ in range(MOST_BATCHES):
        with services.transaction() as db:
            batch = db.execute(_DUE.where(Routine.next_due_at <= now)).all()
            if not batch:
                break
            _begin(db, [_Due(routine, routine.zone or zone, until) for routine, zone, until in batch], places, now)
            marks.put(db, MARK, now)
        reach("routines.begun")
        begun += len(batch)
    return begun


def people_to_wake(db: Session, now: datetime) -> Sequence[int]:
    """People with an occurrence that is to be looked at now, the longest wait first."""
    due = select(Occurrence.person_id).where(OPEN, Occurrence.run_at <= now).order_by(Occurrence.run_at)
    return list(dict.fromkeys(db.scalars(due.limit(WOKEN_AT_ONCE))))


class _Due(NamedTuple):
    routine: Routine
    zone: str
    paused_until: datetime | None
    """When the pause of all ends, or has just ended, that its person asked for."""


class _Places:
    """Where each person stands in the line of those who are due at once; all of one person's stand together."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._end = now
        self._of: dict[int, datetime] = {}

    def of(self, routine: Routine) -> datetime:
        if routine.person_id not in self._of:
            self._of[routine.person_id] = self._end
            self._end += APART[routine.does]
        return self._of[routine.person_id]


def _is_any_due(db: Session, now: datetime) -> bool:
    return db.scalar(select(exists().where(TO_COME, Routine.next_due_at <= now))) or False


def _begin(db: Session, due: Sequence[_Due], places: _Places, now: datetime) -> None:
    found: list[dict[str, Any]] = []
    for one in due:
        routine = one.routine
        try:
            found += _occurrences(one, places.of(routine), now)
        except Refused as error:  # A zone or a country that this installation no longer knows.
            move(db, Routine, "paused", Routine.id == routine.id, next_due_at=None)
            raise_alert(db, "routines", f"Routine {routine.id} cannot be worked out and was paused: {error}", now)
    if found:
        db.execute(insert_or_ignore(db, Occurrence, "routine_id", "due_at"), found)
    rows.end_what_is_over(db, [one.routine.id for one in due])


def _occurrences(due: _Due, run_at: datetime, now: datetime) -> Iterator[dict[str, Any]]:
    """The last instant that has come, to be run; those before it have passed unseen, those in a pause are left out."""
    routine, zone, paused_until = due
    schedule, first = rows.schedule_of(routine), routine.next_due_at
    assert first is not None  # noqa: S101  (for the type checker: the query asks for it)
    passed = deque([first], maxlen=MISSED_KEPT + 1)
    passed.extend(due_between(schedule, zone, max(first, now - LOOKED_BACK), now))
    routine.next_due_at = due_after(schedule, zone, max(now, first))
    for due_at in passed:
        state, reason = ("due", None) if due_at == passed[-1] else ("missed", NOT_RUNNING)
        if paused_until is not None and due_at < paused_until:
            state, reason = "skipped", ALL_PAUSED
        yield {
            "routine_id": routine.id,
            "person_id": routine.person_id,
            "due_at": due_at,
            "run_at": run_at,
            "state": state,
            "reason": reason,
        }


def _was_set_back(db: Session, now: datetime) -> bool:
    mark = marks.read(db, MARK)
    return mark is not None and mark.at > now + STEP


def _after_step_back(db: Session, now: datetime) -> None:
    """What was not said in a time that is to come again comes in it; what was said is not said twice."""
    ahead = list(db.scalars(select(Occurrence.routine_id).where(Occurrence.due_at > now).distinct()))
    unsaid = (Occurrence.due_at > now, Occurrence.state.in_(("due", "held", "missed")))
    db.execute(delete(Occurrence).where(*unsaid))
    for routine in db.scalars(select(Routine).where(Routine.id.in_(ahead), Routine.state.in_(("active", "ended")))):
        if rows.work_out_next(db, routine, now) is not None:
            move(db, Routine, "active", Routine.id == routine.id)
    waiting = update(Occurrence).where(OPEN, Occurrence.run_at > now, Occurrence.snoozed_to.is_(None))
    db.execute(waiting.values(run_at=now))
    marks.put(db, MARK, now)
