import pytest

from app.errors import NotFound, Refused
from app.memory import Origin, changes, forget, move, revise, undo
from app.services import Services
from tests.memory.remembering import BEN, TOLD, add_person, fact, found, known, tell

OPERATOR = Origin("operator", "operator")


@pytest.fixture
def ben(services: Services) -> int:
    return add_person(services, BEN)


def test_a_moved_fact_is_the_other_persons_and_leaves_nothing_at_the_first(
    services: Services, person_id: int, ben: int
) -> None:
    tell(services, person_id, "Likes tea", "Has a dog named Max")
    revise(services, person_id, 2, TOLD, pinned=True)
    tell(services, ben, "Plays chess")

    moved = move(services, person_id, 2, ben, OPERATOR)

    assert (moved.fact.number, moved.was_known) == (2, False)
    assert known(services, person_id) == {1: "Likes tea"}
    assert known(services, ben) == {1: "Plays chess", 2: "Has a dog named Max"}
    assert fact(services, ben, 2).pinned
    assert found(services, person_id, "dog") == []
    assert found(services, ben, "dog") == ["Has a dog named Max"]


def test_both_changes_are_recorded_and_an_undo_of_either_takes_back_both(
    services: Services, person_id: int, ben: int
) -> None:
    tell(services, person_id, "Has a dog named Max")
    move(services, person_id, 1, ben, OPERATOR)
    with services.reading() as db:
        made = [changes.latest(db, one, 1)[0] for one in (person_id, ben)]
        assert [(one.verb, one.actor) for one in made] == [("move", "operator")] * 2

    undo(services, ben)
    assert known(services, ben) == {}
    assert known(services, person_id) == {1: "Has a dog named Max"}


def test_what_the_other_person_told_already_stays_as_they_told_it(services: Services, person_id: int, ben: int) -> None:
    tell(services, person_id, "Has a dog named Max")
    tell(services, ben, "has a dog named max!")

    moved = move(services, person_id, 1, ben, OPERATOR)

    assert moved.was_known
    assert known(services, person_id) == {}
    assert list(known(services, ben)) == [1]


def test_nothing_is_moved_to_nobody_to_oneself_or_where_there_is_nothing(
    services: Services, person_id: int, ben: int
) -> None:
    tell(services, person_id, "Has a dog named Max", "Likes tea")
    forget(services, person_id, [2], TOLD)

    with pytest.raises(Refused, match="this person's already"):
        move(services, person_id, 1, person_id, OPERATOR)
    with pytest.raises(NotFound, match="no person with id 99"):
        move(services, person_id, 1, 99, OPERATOR)
    with pytest.raises(NotFound, match="No fact with id 2"):
        move(services, person_id, 2, ben, OPERATOR)

    assert known(services, person_id) == {1: "Has a dog named Max"}
    assert known(services, ben) == {}
