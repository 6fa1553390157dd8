import pytest

from app import operators
from app.memory import Origin, RuleWords, forget, revise, set_rule
from app.memory.facts import review
from app.memory.facts.review import Kind
from app.models import Fact, Operator, Rule
from app.services import Services
from tests.memory.remembering import BEN, INFERRED, TOLD, add_person, tell

OPERATOR = Origin("operator", "operator")
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


def waiting(services: Services, operator_id: int, person_id: int | None = None) -> list[str]:
    with services.reading() as db:
        found = review.waiting(db, operator_id, person_id)
        return [
            db.get_one(Fact, one.id).sentence if one.kind == "fact" else db.get_one(Rule, one.id).procedure
            for one in found
        ]


def keep(services: Services, operator_id: int, *seen: tuple[Kind, int]) -> int:
    return review.keep(services, operator_id, seen, of=EVERYBODY)


def test_what_was_learned_waits_oldest_first_unlike_an_operators(services: Services, person_id: int, ana: int) -> None:
    tell(services, person_id, "Likes tea", origin=INFERRED)
    tell(services, person_id, "Has a cat", origin=OPERATOR)
    set_rule(services, person_id, RuleWords("always", None, "Be brief"), TOLD)
    tell(services, person_id, "Plays chess")

    tell(services, add_person(services, BEN), "Sings")
    assert waiting(services, ana) == ["Likes tea", "Plays chess", "Sings", "Be brief"]
    assert waiting(services, ana, person_id) == ["Likes tea", "Plays chess", "Be brief"]


def test_what_was_kept_in_any_order_waits_no_more_and_stays_so(services: Services, person_id: int, ana: int) -> None:
    tell(services, person_id, "Likes tea", "Has a cat", "Plays chess")

    assert keep(services, ana, ("fact", 2)) == 1
    assert waiting(services, ana) == ["Likes tea", "Plays chess"]
    assert keep(services, ana, ("fact", 1), ("fact", 2)) == 1
    assert waiting(services, ana) == ["Plays chess"]

    tell(services, person_id, "Sings")
    assert waiting(services, ana) == ["Plays chess", "Sings"]


def test_two_operators_do_not_disturb_each_other(services: Services, person_id: int, ana: int, bo: int) -> None:
    tell(services, person_id, "Likes tea", "Has a cat")
    keep(services, ana, ("fact", 1))
    review.keep_all(services, bo, of=EVERYBODY)
    tell(services, person_id, "Sings")

    assert waiting(services, ana) == ["Has a cat", "Sings"]
    assert waiting(services, bo) == ["Sings"]


def test_what_was_forgotten_or_corrected_by_an_operator_waits_no_more_and_what_was_revised_by_text_waits_again(
    services: Services, person_id: int, ana: int
) -> None:
    tell(services, person_id, "Likes tea", "Has a cat", "Lives in Lima")
    review.keep_all(services, ana, of=EVERYBODY)
    revise(services, person_id, 3, TOLD, fact="Lives in Cusco")
    tell(services, person_id, "Sings", "Plays chess")
    assert waiting(services, ana) == ["Lives in Cusco", "Sings", "Plays chess"]

    forget(services, person_id, [4], OPERATOR)
    revise(services, person_id, 5, OPERATOR, fact="Plays go")

    assert waiting(services, ana) == ["Lives in Cusco"]
