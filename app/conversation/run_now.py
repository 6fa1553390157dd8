"""A routine comes once more, now, because an operator wants it: as an occurrence of its own, in its person's lane.

Whether it may come is asked of the same rules as of all that comes by itself, before it is taken down and again when
it is sent.
"""

from collections.abc import Collection

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.clock import local
from app.conversation import may_come
from app.conversation.due_routines import carrier_of
from app.errors import Asleep, Conflict, NotFound, Refused
from app.models import Occurrence, Person
from app.routines import rows
from app.routines.quiet_hours import QuietHours
from app.services import Services


def newest_occurrence(db: Session, routine_id: int) -> int:
    """The id of the last occurrence that was begun; 0 where there is none."""
    return db.scalar(select(func.max(Occurrence.id)).where(Occurrence.routine_id == routine_id)) or 0


def newest_occurrences(db: Session, routine_ids: Collection[int]) -> dict[int, int]:
    """The same of several routines, without those that have none."""
    newest = select(Occurrence.routine_id, func.max(Occurrence.id)).where(Occurrence.routine_id.in_(routine_ids))
    return dict(db.execute(newest.group_by(Occurrence.routine_id)).all())


def run_now(services: Services, person_id: int, number: int, *, seen: int, at_night: bool = False) -> Occurrence:
    """The occurrence, which the person's lane deals with at once.

    `seen` is what `newest_occurrence` was when it was decided on: so nothing that is asked for twice comes twice.
    `at_night` is said by who knows that it is quiet hours there, and how late it is.

    Raises:
        NotFound: there is no such routine.
        Conflict: it has come since, or is on its way.
        Asleep: it is quiet hours there; the sentence says how late.
        Refused: nothing may come to the person now, or nothing of this routine.
    """
    now = services.clock.now()
    with services.transaction() as db:
        routine = rows.by_number(db, person_id, number)
        if routine is None:
            raise NotFound(f"This person never had a routine {number}.")
        if newest_occurrence(db, routine.id) != seen:
            raise Conflict(f"Routine {number} has come since this page was shown. Look at what came of it first.")
        if rows.unsaid(db, routine.id):
            raise Conflict(f"Routine {number} is on its way already, or waits for the end of quiet hours.")
        occurrence = Occurrence(
            routine_id=routine.id,
            person_id=person_id,
            due_at=now,
            run_at=now,
            state="due",
            by_operator=True,
            at_night=True,
        )
        person = db.get_one(Person, person_id)
        carrier = carrier_of(services, routine.carrier)
        # The person first: who opted out has no active routine either, and that is the lesser reason.
        verdict = may_come.of_the_person(person, carrier, now)
        verdict = verdict or may_come.ask(db, occurrence, routine, person, carrier, now)
        if verdict.what not in {"go", "wait"}:
            raise Refused(f"{verdict.reason} So routine {number} was not run.")
        if not at_night and may_come.quiet_until(person, now) is not None:
            quiet = QuietHours.said(person.quiet_hours)
            raise Asleep(f"It is {local(now, person.timezone):%H:%M} there, and their quiet hours are {quiet}.")
        occurrence.at_night = at_night
        db.add(occurrence)
        db.flush()
    services.background.wake(person_id, at_once=True)
    return occurrence
