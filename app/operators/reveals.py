"""Reveals: one session sees one person's words for a while. All other sessions see only that there are words."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import delete, select

from app import people
from app.clock import have_come
from app.errors import Refused
from app.models import Person, Reveal
from app.operations import audit
from app.operations.audit import MAX_REASON_CHARS
from app.services import Services

LASTS = timedelta(minutes=30)  # Long enough to find a fault, too short to be left open over lunch.

USUAL_REASONS = (
    "They asked me to look",
    "A reply was wrong",
    "A memory is wrong",
    "A fault is being looked into",
    "Deciding on access",
)
MIN_REASON_CHARS = 3


def begin(services: Services, session: str, operator_name: str, person_id: int, reason: str) -> datetime:
    """Let the session see the person's words for `LASTS` from now; returns when that ends.

    Raises:
        Refused: the reason is missing or too long.
        NotFound: there is no such person.
    """
    reason = " ".join(reason.split())
    if not MIN_REASON_CHARS <= len(reason) <= MAX_REASON_CHARS:
        raise Refused(
            f"A reason has {MIN_REASON_CHARS} to {MAX_REASON_CHARS} characters; this one has {len(reason)}. "
            "Say in a few words why you look: the person is told when they ask."
        )
    now = services.clock.now()
    with services.transaction() as db:
        people.by_id(db, person_id)
        audit.note(db, operator_name, "reveal", now, person_id=person_id, reason=reason, shows=True)
        theirs = (Reveal.session == session) & (Reveal.person_id == person_id)
        db.execute(delete(Reveal).where(have_come(Reveal.until, now, LASTS) | theirs))
        db.add(Reveal(session=session, person_id=person_id, until=now + LASTS))
    return now + LASTS


def end(services: Services, session: str, operator_name: str, person_id: int) -> None:
    with services.transaction() as db:
        db.execute(delete(Reveal).where(Reveal.session == session, Reveal.person_id == person_id))
        audit.note(db, operator_name, "end_reveal", services.clock.now(), person_id=person_id)


def standing(services: Services, session: str) -> Mapping[int, tuple[str, datetime]]:
    """The people whose words the session may see now, by id: their address, and the end of the reveal."""
    over = have_come(Reveal.until, services.clock.now(), LASTS)
    with services.reading() as db:
        found = select(Reveal.person_id, Person.address, Reveal.until).join(Person, Person.id == Reveal.person_id)
        rows = db.execute(found.where(Reveal.session == session, ~over))
        return {person_id: (address, until) for person_id, address, until in rows}
