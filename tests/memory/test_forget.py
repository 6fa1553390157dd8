import pytest
from sqlalchemy import text

from app.errors import Conflict, NotFound
from app.memory import facts, forget, recall, restore, revise
from app.services import Services
from tests.memory.remembering import BEN, TOLD, add_person, found, known, tell


def test_a_forgotten_fact_is_neither_shown_nor_recalled_nor_found(services: Services, person_id: int) -> None:
    tell(services, person_id, "Has a dog named Max", "Likes tea")

    forgotten = forget(services, person_id, [1], TOLD)

    assert [one.sentence for one in forgotten.removed] == ["Has a dog named Max"]
    assert known(services, person_id) == {2: "Likes tea"}
    assert recall(services, person_id, "dog Max").facts == []
    assert found(services, person_id, "Max") == []


def test_a_forgotten_facts_words_leave_the_index(services: Services, person_id: int) -> None:
    tell(services, person_id, "Has a dog named Max", "Likes tea")

    forget(services, person_id, [1], TOLD)

    with services.reading() as db:
        words = db.execute(text("SELECT word FROM word_postings ORDER BY word")).scalars().all()
    assert words == ["like", "tea"]


def test_forgetting_takes_every_version_out_of_sight(services: Services, person_id: int) -> None:
    tell(services, person_id, "Lives in Portland")
    revise(services, person_id, 1, TOLD, fact="Lives in Seattle")

    forget(services, person_id, [1], TOLD)

    assert recall(services, person_id, "live Portland Seattle").facts == []


def test_numbers_that_name_nothing_come_back_as_unknown(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea", "Has a cat")
    forget(services, person_id, [2], TOLD)

    forgotten = forget(services, person_id, [1, 2, 3, 0, -4, 10**30, 1], TOLD)

    assert [one.number for one in forgotten.removed] == [1]
    assert forgotten.unknown == [2, 3, 0, -4, 10**30]


def test_another_persons_fact_cannot_be_forgotten(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea")

    assert forget(services, add_person(services, BEN), [1], TOLD).unknown == [1]

    assert known(services, person_id) == {1: "Likes tea"}


def test_what_was_forgotten_may_be_told_again_under_a_new_number(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea")
    forget(services, person_id, [1], TOLD)

    assert [one.number for one in tell(services, person_id, "Likes tea").stored] == [2]
    assert found(services, person_id, "tea") == ["Likes tea"]


def test_forgotten_facts_are_listed_newest_first_as_they_last_were(services: Services, person_id: int) -> None:
    tell(services, person_id, "Lives in Portland", "Likes tea", "Has a cat")
    revise(services, person_id, 1, TOLD, fact="Lives in Seattle")
    forget(services, person_id, [1], TOLD)
    services.clock.wait(60)
    forget(services, person_id, [2], TOLD)

    with services.reading() as db:
        assert [one.sentence for one in facts.forgotten(db, person_id)] == ["Likes tea", "Lives in Seattle"]


def test_a_restored_fact_is_what_it_was(services: Services, person_id: int) -> None:
    tell(services, person_id, "Lives in Portland")
    revise(services, person_id, 1, TOLD, fact="Lives in Seattle", pinned=True)
    forget(services, person_id, [1], TOLD)

    back = restore(services, person_id, 1, TOLD)

    assert (back.number, back.sentence, back.pinned) == (1, "Lives in Seattle", True)
    assert found(services, person_id, "Seattle") == ["Lives in Seattle"]
    with services.reading() as db:
        assert facts.forgotten(db, person_id) == []
        assert [one.sentence for one in facts.earlier(db, person_id)] == ["Lives in Portland"]


def test_what_is_remembered_cannot_be_restored(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea")

    with pytest.raises(Conflict, match="Fact 1 is remembered already: 'Likes tea'"):
        restore(services, person_id, 1, TOLD)


def test_what_is_known_under_another_number_cannot_be_restored(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea")
    forget(services, person_id, [1], TOLD)
    tell(services, person_id, "likes TEA")

    with pytest.raises(Conflict, match="fact 2 says"):
        restore(services, person_id, 1, TOLD)

    assert known(services, person_id) == {2: "Likes TEA"}


@pytest.mark.parametrize("number", [1, 0, -1, 10**30])
def test_what_never_was_cannot_be_restored(services: Services, person_id: int, number: int) -> None:
    other = add_person(services, BEN)
    tell(services, other, "Likes tea")
    forget(services, other, [1], TOLD)

    with pytest.raises(NotFound, match=f"No fact with id {number} was ever remembered"):
        restore(services, person_id, number, TOLD)
