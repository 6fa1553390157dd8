"""Facts pinned, archived, merged and moved: each one change, which one undo takes back."""

import pytest

from app.errors import Conflict, NotFound, Refused
from app.memory import NewFact, archive_facts, facts, forget, forgotten, merge, move, pin_facts, remember, revise, undo
from app.services import Services
from tests.fakes import FrozenClock
from tests.memory.remembering import BEN, OPERATOR, TOLD, add_person, fact, found, known, tell, versions

MAX_IS_A_POODLE = "Has a dog named Max, a black poodle"


@pytest.fixture
def ben(services: Services) -> int:
    return add_person(services, BEN)


def test_pinned_an_archived_fact_is_shown_again(services: Services, person_id: int) -> None:
    tell(services, person_id, "Plays chess")
    archive_facts(services, person_id, [1], OPERATOR)
    assert (known(services, person_id), found(services, person_id, "chess")) == ({}, ["Plays chess"])
    pin_facts(services, person_id, [1], OPERATOR)
    assert fact(services, person_id, 1).pinned


@pytest.fixture
def dog(services: Services, person_id: int) -> int:
    tell(services, person_id, "Has a dog named Max", "Likes tea", "Max is a poodle", "Max is black")
    return person_id


def gone(services: Services, person_id: int) -> list[str]:
    with services.reading() as db:
        return [one.fact for one in forgotten.forgotten_things(db, person_id)]


def test_several_facts_are_said_by_the_one_known_longest_until_an_undo_parts_them(services: Services, dog: int) -> None:
    revise(services, dog, 3, TOLD, pinned=True)
    before = known(services, dog)
    merged = merge(services, dog, [4, 1, 3], MAX_IS_A_POODLE, OPERATOR)

    assert (merged.number, merged.version, merged.source) == (1, 2, "operator")
    assert known(services, dog) == {1: MAX_IS_A_POODLE, 2: "Likes tea"}
    assert found(services, dog, "poodle") == [MAX_IS_A_POODLE]
    assert [one.retired_at is None for one in versions(services, dog, 1)] == [False, True]

    assert undo(services, dog) == f"Undone: {'; '.join(f'it is again: {before[number]}' for number in (3, 4, 1))}."
    assert known(services, dog) == before
    assert (fact(services, dog, 1).pinned, fact(services, dog, 3).pinned) == (False, True)
    assert found(services, dog, "poodle") == ["Max is a poodle"]

    merge(services, dog, [1, 3], "Max is a poodle", OPERATOR)
    assert known(services, dog) == {1: "Max is a poodle", 2: "Likes tea", 4: "Max is black"}
    undo(services, dog)
    assert known(services, dog) == before


def test_what_was_merged_was_not_forgotten_until_the_fact_that_says_it_is(services: Services, dog: int) -> None:
    merge(services, dog, [3, 4], "Max is a black poodle", OPERATOR)
    merge(services, dog, [1, 3], MAX_IS_A_POODLE, OPERATOR)
    assert gone(services, dog) == []
    with services.reading() as db:
        assert facts.forgotten(db, dog) == []

    forget(services, dog, [1], TOLD)

    assert sorted(gone(services, dog)) == sorted(
        ["Has a dog named Max", "Max is a poodle", "Max is black", "Max is a black poodle", MAX_IS_A_POODLE]
    )
    with services.reading() as db:
        assert [one.number for one in facts.forgotten(db, dog)] == [1]


def test_the_merged_fact_keeps_what_held_of_any_of_them(services: Services, person_id: int, clock: FrozenClock) -> None:
    tell(services, person_id, "Plays chess")
    remember(services, person_id, [NewFact("Plays chess on Mondays", "hobby")], TOLD)
    tell(services, person_id, "Plays chess on Mondays")
    revise(services, person_id, 2, TOLD, pinned=True)
    with services.transaction() as db:
        facts.count_use(db, person_id, [1, 2], clock.now())

    merged = merge(services, person_id, [1, 2], "Plays chess on Mondays", OPERATOR)

    assert (merged.pinned, merged.category, merged.times_told, merged.use_count) == (True, "hobby", 3, 2)


@pytest.mark.parametrize(
    ("numbers", "sentence", "error", "said"),
    [
        ([1], "Has a dog", Refused, "this one is of 1."),
        (list(range(1, 30)), "Has a dog", Refused, "this one is of 29."),
        ([1, 9], "Has a dog", NotFound, "No fact with id 9. Nothing was merged."),
        ([1, 3], " ", Refused, "this one is empty"),
        ([1, 3], "likes tea!", Conflict, "Fact 2 says 'Likes tea' already"),
    ],
)
def test_what_cannot_be_merged_leaves_everything_as_it_was(
    services: Services, dog: int, numbers: list[int], sentence: str, error: type[Exception], said: str
) -> None:
    before = known(services, dog)

    with pytest.raises(error, match=said):
        merge(services, dog, numbers, sentence, OPERATOR)

    assert known(services, dog) == before
    assert found(services, dog, "poodle") == ["Max is a poodle"]


def test_a_moved_fact_is_pinned_and_found_at_the_other_alone(services: Services, person_id: int, ben: int) -> None:
    tell(services, person_id, "Has a dog named Max")
    revise(services, person_id, 1, TOLD, pinned=True)
    assert not move(services, person_id, 1, ben, OPERATOR).was_known
    assert fact(services, ben, 1).pinned
    assert (found(services, person_id, "dog"), found(services, ben, "dog")) == ([], ["Has a dog named Max"])


def test_what_the_other_person_told_already_stays_as_they_told_it(services: Services, person_id: int, ben: int) -> None:
    tell(services, person_id, "Has a dog named Max")
    tell(services, ben, "has a dog named max!")

    assert move(services, person_id, 1, ben, OPERATOR).was_known

    assert (known(services, person_id), list(known(services, ben))) == ({}, [1])


def test_nothing_is_moved_to_nobody_oneself_or_out_of_nothing(services: Services, person_id: int, ben: int) -> None:
    tell(services, person_id, "Has a dog named Max", "Likes tea")
    forget(services, person_id, [2], TOLD)

    with pytest.raises(Refused, match="this person's already"):
        move(services, person_id, 1, person_id, OPERATOR)
    for nobody in (99, 10**14, -(10**30)):
        with pytest.raises(NotFound, match=f"no person with id {nobody}"):
            move(services, person_id, 1, nobody, OPERATOR)
    with pytest.raises(NotFound, match="No fact with id 2"):
        move(services, person_id, 2, ben, OPERATOR)

    assert known(services, person_id) == {1: "Has a dog named Max"}
    assert known(services, ben) == {}
