"""A memory of very many facts, some of them archived."""

from sqlalchemy import update

from app.memory import facts
from app.memory.facts import MOST_LIVE
from app.models import Fact, Person
from app.services import Services
from tests.memory.remembering import known

BOOKS = "Owns the book number {}"


def fill(services: Services, person_id: int, upto: int = MOST_LIVE) -> None:
    """Add rows until the person has `upto` live facts, all told now. They are not indexed, because that takes long."""
    now = services.clock.now()
    with services.transaction() as db:
        person = db.get_one(Person, person_id)
        first = person.last_fact_number + 1
        person.last_fact_number += upto - len(facts.live(db, person_id, now))
        db.add_all(
            Fact(
                person_id=person_id,
                number=number,
                version=1,
                sentence=BOOKS.format(number),
                normalised=BOOKS.format(number).casefold(),
                source="explicit",
                confidence=1.0,
                created_at=now,
                recorded_at=now,
                fresh_at=now,
                valid_from=now,
            )
            for number in range(first, person.last_fact_number + 1)
        )
    assert len(known(services, person_id)) == upto


def archived(services: Services, person_id: int) -> list[str]:
    """The archived facts, the last archived first."""
    with services.reading() as db:
        return [fact.sentence for fact in facts.archived(db, person_id, services.clock.now())]


def held(services: Services, person_id: int, number: int) -> Fact:
    """The fact with that number, live or archived."""
    with services.reading() as db:
        fact = facts.held_by_number(db, person_id, number)
    assert fact is not None
    return fact


def put_away(services: Services, person_id: int, *numbers: int) -> None:
    """Archive these facts, as the limit would."""
    with services.transaction() as db:
        theirs = update(Fact).where(Fact.person_id == person_id, Fact.number.in_(numbers))
        db.execute(theirs.values(archived_at=services.clock.now()))
