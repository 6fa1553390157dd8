import pytest

from app.memory import forget, revise
from app.memory.index import documents
from app.memory.index.documents import shelf_of
from app.services import Services
from app.store.raw_rows import RawRows
from tests.memory.remembering import TOLD, found, live, tell


def held(services: Services, person_id: int) -> list[int]:
    """The ids of the facts that the index holds."""
    with services.reading() as db:
        items: list[int] = documents.load(RawRows(db), shelf_of(person_id, "fact")).items.tolist()
    return items


@pytest.mark.parametrize("words", ["dog", "DOGS", "dog's", "named dog", "max", "Max, dog!", "named: Max"])
def test_a_fact_is_found_by_its_words_in_any_form_and_order(services: Services, person_id: int, words: str) -> None:
    tell(services, person_id, "Has two dogs named Max and Dog's Best", "Likes tea")

    assert found(services, person_id, words) == ["Has two dogs named Max and Dog's Best"]


def test_all_the_words_are_asked_for_with_or_without_accents(services: Services, person_id: int) -> None:
    tell(services, person_id, "Loves the Café Zürich", "Loves tea")

    assert found(services, person_id, "cafe zurich") == ["Loves the Café Zürich"]
    assert found(services, person_id, "cafe tea") == []


def test_what_is_found_comes_in_the_order_of_its_numbers(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea", "Buys tea in Lima", "Tea is from Assam")
    revise(services, person_id, 1, TOLD, fact="Likes green tea")

    assert found(services, person_id, "tea") == ["Likes green tea", "Buys tea in Lima", "Tea is from Assam"]


def test_the_index_holds_the_live_facts_and_no_others(services: Services, person_id: int) -> None:
    tell(services, person_id, "Lives in Portland", "Likes tea", "Has a cat")
    revise(services, person_id, 1, TOLD, fact="Lives in Seattle")
    forget(services, person_id, [2], TOLD)

    now = {one.id: one.sentence for one in live(services, person_id)}
    assert set(held(services, person_id)) == set(now)
    assert set(now.values()) == {"Lives in Seattle", "Has a cat"}


@pytest.mark.parametrize("words", ["", "the", "?", "🐶"])
def test_words_that_say_nothing_find_nothing(services: Services, person_id: int, words: str) -> None:
    tell(services, person_id, "Has the dog 🐶?")

    assert found(services, person_id, words) == []
