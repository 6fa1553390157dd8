import pytest

from app import operators
from app.memory import forget, review, revise
from app.models import Fact, Operator
from app.services import Services
from tests.memory.remembering import OPERATOR, TOLD, tell

EVERYBODY = range(1, 10)  # Whose words the operator sees.


@pytest.fixture
def ana(services: Services) -> int:
    operators.ensure_first(services, "violet harbour lamp")
    return 1


@pytest.fixture
def bo(services: Services, ana: int) -> int:
    with services.transaction() as db:
        first = db.get_one(Operator, ana)
        other = Operator(name="bo", role="owner", password_hash=first.password_hash, created_at=services.clock.now())
        db.add(other)
        db.flush()
        return other.id


def waiting(services: Services, operator_id: int) -> list[str]:
    with services.reading() as db:
        return [db.get_one(Fact, one.id).sentence for one in review.waiting(db, operator_id)]


def test_each_operator_looks_at_what_was_learned_and_at_what_was_revised_since(
    services: Services, person_id: int, ana: int, bo: int
) -> None:
    tell(services, person_id, "Likes tea", "Has a cat")
    tell(services, person_id, "Runs", origin=OPERATOR)
    assert review.keep(services, ana, [("fact", 1)], of=EVERYBODY) == 1
    review.keep_all(services, bo, of=EVERYBODY)
    tell(services, person_id, "Sings", "Plays chess")
    assert waiting(services, ana) == ["Has a cat", "Sings", "Plays chess"]
    assert waiting(services, bo) == ["Sings", "Plays chess"]

    assert review.keep(services, ana, [("fact", 4), ("fact", 1), ("fact", 4)], of=EVERYBODY) == 1, "in any order"
    revise(services, person_id, 2, TOLD, fact="Has a dog")
    forget(services, person_id, [5], OPERATOR)
    revise(services, person_id, 1, OPERATOR, fact="Likes coffee")
    assert waiting(services, ana) == ["Has a dog"]
    assert waiting(services, bo) == ["Sings", "Has a dog"]
