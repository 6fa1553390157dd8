"""Routines that will come on a day of the coming week, computed when an operator looks.

Days are the person's own: a routine at 07:00 appears on the day on which it is 07:00 for that person. Only the
routines of the requested page are computed. Pages are ordered by when a routine comes next, and the entries of a page
by the person's local time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from app.clock import MOMENT, end_of_day, local
from app.conversation import due_routines
from app.errors import Refused
from app.models import Occurrence, Person, Routine
from app.routines import rows
from app.routines.schedule import due_between, due_days
from app.services import Services

DAYS = 7
ON_A_PAGE = 50  # Routines: each takes 0.1 to 0.2 ms to compute, even if it does not come.
LAST_ZONE = timedelta(hours=12)  # The zone in which a day ends last is this far behind UTC.
FIRST_ZONE = timedelta(hours=14)  # The zone in which a day begins first is this far ahead of UTC.


@dataclass(frozen=True)
class Upcoming:
    """One instant at which a routine will come, as things stand."""

    at: datetime
    routine: Routine
    person: Person
    note: str | None  # A sentence: the reason that it will not come, or comes only then.
    waits: bool = False  # True if it was due before, and is held or put off until then.
    may_run_now: bool = False
    """True if the routine could run at once: it is not on its way, and its person may be texted."""

    @property
    def local_time(self) -> datetime:
        """The instant in the person's local time."""
        return local(self.at, self.person.timezone)


def upcoming_on(
    db: Session, services: Services, day: date, *, is_first: bool, person_id: int | None = None, number: int = 1
) -> tuple[list[Upcoming], bool]:
    """A page of what comes on that day by each person's clock, and True if there is another page.

    With `is_first` it covers everything from now to the end of the day. Page 1 also has the occurrences that wait.
    """
    now, found = services.clock.now(), _waiting_on(db, day, person_id, is_first=is_first) if number == 1 else []
    wanted = select(Routine, Person).join(Person, Person.id == Routine.person_id)
    wanted = wanted.where(Routine.TO_COME, Routine.next_due_at < _end_of(day), *_only(Routine, person_id))
    wanted = wanted.order_by(Routine.next_due_at, Routine.id).offset((number - 1) * ON_A_PAGE).limit(ON_A_PAGE + 1)
    candidates = db.execute(wanted).all()
    for routine, person in candidates[:ON_A_PAGE]:
        since = now if is_first else end_of_day(day - timedelta(days=1), person.timezone) - MOMENT
        found += _coming(services, routine, person, max(since, now), end_of_day(day, person.timezone) - MOMENT)
    found.sort(key=lambda one: (one.local_time.replace(tzinfo=None), one.routine.id))
    return found, len(candidates) > ON_A_PAGE


def next_times(routine: Routine, person: Person, now: datetime, most: int) -> list[datetime]:
    """The next instants at which the routine will come, at most `most` of them; none unless it is active."""
    if routine.state != "active" or routine.next_due_at is None:
        return []
    after = max(now, routine.next_due_at - MOMENT)
    return [at for _, at in islice(due_days(rows.schedule_of(routine), routine.zone or person.timezone, after), most)]


def blocking_reason(services: Services, routine: Routine, person: Person, at: datetime) -> str | None:
    """A sentence on what would stop or delay the routine at that instant, as things stand; None if nothing does."""
    verdict = due_routines.verdict_for_person(person, due_routines.carrier_of(services, routine.carrier), at)
    if verdict is not None:
        return verdict.reason
    verdict = due_routines.verdict_for_hour(Occurrence(due_at=at), routine, person, at)
    if verdict is None:
        return None
    if verdict.until is None:
        return "Left out: it is quiet there then, and it would be of no use after."
    return f"Held until {local(verdict.until, person.timezone):%H:%M}: it is quiet there then."


def _waiting_on(db: Session, day: date, person_id: int | None, *, is_first: bool) -> list[Upcoming]:
    """Occurrences that were held, snoozed or put off until that day."""
    wanted = select(Occurrence, Routine, Person).where(Occurrence.OPEN, Routine.state == "active")
    wanted = wanted.join(Routine, Routine.id == Occurrence.routine_id).join(Person, Person.id == Occurrence.person_id)
    wanted = wanted.where(Occurrence.run_at < _end_of(day), *_only(Occurrence, person_id))
    if not is_first:
        wanted = wanted.where(Occurrence.run_at >= datetime.combine(day, time(), UTC) - FIRST_ZONE)
    coming = []
    for one, routine, person in db.execute(wanted.order_by(Occurrence.run_at).limit(ON_A_PAGE)):
        stops = due_routines.verdict_for_person(person, routine.carrier, one.run_at)
        coming.append(Upcoming(one.run_at, routine, person, stops.reason if stops else one.reason, waits=True))
    return [one for one in coming if one.local_time.date() == day or (is_first and one.local_time.date() < day)]


def _coming(
    services: Services, routine: Routine, person: Person, since: datetime, until: datetime
) -> Iterator[Upcoming]:
    assert routine.next_due_at is not None  # noqa: S101  (for the type checker: the query asks for it)
    carrier = due_routines.carrier_of(services, routine.carrier)
    may_run_now = due_routines.verdict_for_person(person, carrier, services.clock.now()) is None
    after = max(since, routine.next_due_at - MOMENT)
    try:
        for at in due_between(rows.schedule_of(routine), routine.zone or person.timezone, after, until):
            yield Upcoming(at, routine, person, blocking_reason(services, routine, person, at), may_run_now=may_run_now)
    except Refused:
        return  # Its zone is no longer known here: the routine is paused when it is due, with an alert.


def _end_of(day: date) -> datetime:
    """The instant at which the day is over in every zone."""
    return datetime.combine(day + timedelta(days=1), time(), UTC) + LAST_ZONE


def _only(rows_: type[Routine] | type[Occurrence], person_id: int | None) -> list[ColumnElement[bool]]:
    return [] if person_id is None else [rows_.person_id == person_id]
