"""The counts of what comes on each day of the coming week, by the days of each person: as many as `coming_on` lists."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache

from sqlalchemy import Text, cast, func, select
from sqlalchemy.orm import Session

from app.clock import MOMENT, end_of_day, local
from app.conversation.coming import DAYS, LAST_ZONE
from app.errors import Refused
from app.models import Occurrence, Person, Routine
from app.models.routine import OPEN, TO_COME
from app.routines.due import due_between
from app.routines.schedule import Schedule

ROUTINES_COUNTED = 500  # Those that come next: read in some milliseconds, however many there are.
WORKED_OUT = 100  # A tenth of a millisecond or two each; those of one schedule, zone and next time are worked out once.
TIMES_COUNTED = 5000  # A routine may come every five minutes.


@dataclass(frozen=True)
class Week:
    """How many times something comes, by day."""

    days: dict[date, int]
    is_cut: bool
    """Whether more comes than was counted: each number is then the least that comes on its day."""


def coming_week(db: Session, now: datetime, *, person_id: int | None = None) -> Week:
    """The seven days that begin with the present one in UTC; the first has what is still to come of the day before."""
    first = now.date()
    last = first + timedelta(days=DAYS - 1)
    days: Counter[date] = Counter()
    ends = datetime.combine(last + timedelta(days=1), time(), UTC) + LAST_ZONE

    @cache
    def by_day(schedule: str, zone: str, timezone: str, next_due_at: datetime) -> Counter[date]:
        until = end_of_day(last, timezone) - MOMENT
        return Counter(_days(schedule, zone, timezone, max(now, next_due_at - MOMENT), until, first))

    waiting = _waiting(db, ends, person_id)
    for run_at, timezone in waiting[:ROUTINES_COUNTED]:
        days[max(local(run_at, timezone).date(), first)] += 1
    found, counted = _next_ones(db, ends, person_id), 0
    for row in found[:ROUTINES_COUNTED]:
        if by_day.cache_info().currsize >= WORKED_OUT or days.total() >= TIMES_COUNTED:
            break
        days.update(by_day(*row))
        counted += 1
    week = [first + timedelta(days=ahead) for ahead in range(DAYS)]
    return Week({day: days[day] for day in week}, is_cut=counted < len(found) or len(waiting) > ROUTINES_COUNTED)


def _days(schedule: str, zone: str, timezone: str, after: datetime, until: datetime, first: date) -> Iterator[date]:
    try:
        for at in due_between(Schedule.from_dict(json.loads(schedule)), zone, after, until):
            yield max(local(at, timezone).date(), first)
    except Refused:
        return  # Of a zone that this installation no longer knows.


def _next_ones(db: Session, ends: datetime, person_id: int | None) -> list[tuple[str, str, str, datetime]]:
    """The schedule, its zone, its person's zone and the next time of the routines that come next, and one more."""
    zone = func.coalesce(Routine.zone, Person.timezone)
    # As text: most of them are equal, and one of each is read.
    wanted = select(cast(Routine.schedule, Text), zone, Person.timezone, Routine.next_due_at)
    wanted = wanted.join(Person, Person.id == Routine.person_id).where(TO_COME, Routine.next_due_at < ends)
    if person_id is not None:
        wanted = wanted.where(Routine.person_id == person_id)
    rows = db.execute(wanted.order_by(Routine.next_due_at, Routine.id).limit(ROUTINES_COUNTED + 1))
    return [(schedule, zone, timezone, at) for schedule, zone, timezone, at in rows if at is not None]


def _waiting(db: Session, ends: datetime, person_id: int | None) -> list[tuple[datetime, str]]:
    """When those that are held, put off or to be tried again come, and where."""
    wanted = select(Occurrence.run_at, Person.timezone).join(Person, Person.id == Occurrence.person_id)
    wanted = wanted.where(OPEN, Occurrence.run_at < ends)
    if person_id is not None:
        wanted = wanted.where(Occurrence.person_id == person_id)
    rows = db.execute(wanted.order_by(Occurrence.run_at).limit(ROUTINES_COUNTED + 1))
    return [(run_at, timezone) for run_at, timezone in rows]
