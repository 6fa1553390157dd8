"""All that comes by itself on given days of its person, as all stands now."""

from datetime import date, datetime, timedelta
from itertools import islice

from sqlalchemy.orm import Session

from app.clock import MOMENT, end_of_day
from app.models import Person, Routine
from app.routines import rows
from app.routines.due import due_between

MOST_OF_ONE = 100  # Times of one routine: a week of what comes every hour and more.


def coming_on_days(
    db: Session, person: Person, first: date, last: date, now: datetime
) -> list[tuple[datetime, Routine]]:
    """Each instant, from now on, at which an active routine comes on those days by the person's clock, in order."""
    begins = end_of_day(first - timedelta(days=1), person.timezone) - MOMENT
    until = end_of_day(last, person.timezone) - MOMENT
    found: list[tuple[datetime, Routine]] = []
    for routine in rows.standing(db, person.id):
        if routine.state != "active":
            continue
        times = due_between(rows.schedule_of(routine), rows.zone_of(db, routine), max(now, begins), until)
        put_off = [one.snoozed_to for one in rows.unsaid(db, routine.id) if one.snoozed_to]
        found += [(at, routine) for at in islice(times, MOST_OF_ONE)]
        found += [(at, routine) for at in put_off if begins < at <= until]
    return sorted(found, key=lambda one: (one[0], one[1].number))
