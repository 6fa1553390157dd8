import pytest

from app.memory import facts, forget, index, revise
from app.memory.index import documents
from app.memory.index.documents import shelf_of
from app.services import Services
from app.store.raw_rows import RawRows
from tests.memory.remembering import BEN, TOLD, add_person, found, live, tell


def held(services: Services, person_id: int) -> list[int]:
    """The ids of the facts that the index holds."""
    with services.reading() as db:
        items: list[int] = documents.load(RawRows(db), shelf_of(person_id, "fact")).items.tolist()
    return items


@pytest.mark.parametrize("words", ["dog", "DOGS", "dog's", "named dog", "max", "Max, dog!", "named: Max"])
def test_a_fact_is_found_by_its_words_in_any_form_and_order(services: Services, person_id: int, words: str) -> None:
    tell(services, person_id, "Has two dogs named Max and Dog's Best", "Likes tea")

    assert found(services, person_id, words) == ["Has two dogs named Max and Dog's Best"]


def test_accents_do_not_hide_a_fact(services: Services, person_id: int) -> None:
    tell(services, person_id, "Loves the Café Zürich")

    assert found(services, person_id, "cafe zurich") == ["Loves the Café Zürich"]


def test_all_the_words_are_asked_for(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes green tea", "Likes tea")

    assert found(services, person_id, "green tea") == ["Likes green tea"]
    assert found(services, person_id, "green coffee") == []


def test_what_is_found_comes_in_the_order_of_its_numbers(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea", "Buys tea in Lima", "Tea is from Assam")
    revise(services, person_id, 1, TOLD, fact="Likes green tea")

    assert found(services, person_id, "tea") == ["Likes green tea", "Buys tea in Lima", "Tea is from Assam"]


def test_each_person_is_searched_alone_although_ids_are_neighbours(services: Services) -> None:
    everyone = [add_person(services, f"+1206555{number:04}") for number in range(5)]
    for person_id in everyone:
        tell(services, person_id, f"Likes tea of house {person_id}")

    assert [found(services, person_id, "tea") for person_id in everyone] == [
        [f"Likes tea of house {person_id}"] for person_id in everyone
    ]


def test_the_index_alone_keeps_people_apart(services: Services) -> None:
    anna, ben = add_person(services, "+12065550100"), add_person(services, BEN)
    tell(services, anna, "Likes tea")
    tell(services, ben, "Likes tea")

    with services.reading() as db:
        ids = {person_id: index.find(db, person_id, "fact", "tea") for person_id in (anna, ben)}
    assert ids == {person_id: [one.id for one in live(services, person_id)] for person_id in (anna, ben)}
    assert ids[anna] != ids[ben]


def test_the_index_holds_the_live_facts_and_no_others(services: Services, person_id: int) -> None:
    tell(services, person_id, "Lives in Portland", "Likes tea", "Has a cat")
    revise(services, person_id, 1, TOLD, fact="Lives in Seattle")
    forget(services, person_id, [2], TOLD)

    now = {one.id: one.sentence for one in live(services, person_id)}
    assert set(held(services, person_id)) == set(now)
    assert set(now.values()) == {"Lives in Seattle", "Has a cat"}


class Broken(Exception):
    pass


def test_what_failed_half_way_is_not_found_nor_is_anything_of_others(services: Services, person_id: int) -> None:
    ben = add_person(services, BEN)
    tell(services, ben, "Likes tea")

    def break_off() -> None:
        with services.transaction() as db:
            facts.add(db, person_id, "Likes tea", None, TOLD, services.clock.now())
            raise Broken

    with pytest.raises(Broken):
        break_off()

    assert found(services, person_id, "tea") == []
    assert held(services, person_id) == []
    assert len(held(services, ben)) == 1


def test_an_empty_store_finds_nothing(services: Services, person_id: int) -> None:
    assert found(services, person_id, "tea") == []
    with services.reading() as db:
        assert index.find(db, person_id + 1, "fact", "tea") == []


@pytest.mark.parametrize("words", ["", "the", "?", "🐶"])
def test_words_that_say_nothing_find_nothing(services: Services, person_id: int, words: str) -> None:
    tell(services, person_id, "Has the dog 🐶?")

    assert found(services, person_id, words) == []
