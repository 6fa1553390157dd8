"""Short helpers for people and their memory."""

from app import people
from app.conversation.memory_shown import Preferred, load_memory
from app.memory import NewFact, Origin, facts, remember, rules
from app.memory.remember import Remembered
from app.models import Fact, Person
from app.services import Services

ANNA, BEN = "+12065550123", "+12125550177"
TOLD = Origin("person", "explicit")
INFERRED = Origin("assistant", "inferred")
OPERATOR = Origin("operator", "operator")


def add_person(services: Services, address: str = ANNA) -> int:
    with services.transaction() as db:
        return people.add(db, address, access="allowed", now=services.clock.now()).id


def person(services: Services, person_id: int) -> Person:
    with services.reading() as db:
        return people.by_id(db, person_id)


def person_at(services: Services, address: str) -> Person:
    """The person with that address, who must exist."""
    with services.reading() as db:
        found = people.by_address(db, address)
    assert found is not None
    return found


def block(services: Services, person_id: int) -> str:
    """The memory block that the model is shown."""
    return load_memory(services, person_id, Preferred(), memory_on=True).block


def tell(services: Services, person_id: int, *sentences: str, origin: Origin = TOLD) -> Remembered:
    return remember(services, person_id, [NewFact(sentence) for sentence in sentences], origin)


def known(services: Services, person_id: int) -> dict[int, str]:
    """Sentences of the live facts, by number."""
    return {fact.number: fact.sentence for fact in live(services, person_id)}


def live(services: Services, person_id: int) -> list[Fact]:
    with services.reading() as db:
        return facts.live(db, person_id, services.clock.now())


def fact(services: Services, person_id: int, number: int) -> Fact:
    return next(one for one in live(services, person_id) if one.number == number)


def versions(services: Services, person_id: int, number: int) -> list[Fact]:
    with services.reading() as db:
        return facts.versions(db, person_id, number)


def rules_known(services: Services, person_id: int) -> dict[int, tuple[str, str]]:
    """Words and state of the live rules, by number."""
    with services.reading() as db:
        return {rule.number: (rules.spoken(rule), rule.state) for rule in rules.live(db, person_id)}


def found(services: Services, person_id: int, words: str) -> list[str]:
    """Sentences that a search by words finds."""
    with services.reading() as db:
        return [one.sentence for one in facts.find(db, person_id, words)]
