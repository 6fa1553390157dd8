import pytest

from app.memory import forget, revise
from app.memory.index import documents
from app.memory.index.documents import shelf_of
from app.services import Services
from app.store.dialect import RawRows
from tests.memory.remembering import TOLD, found, live, tell


def held(services: Services, person_id: int) -> list[int]:
    """The ids of the facts that the index holds."""
    with services.reading() as db:
        items: list[int] = documents.load(RawRows(db), shelf_of(person_id, "fact")).rows["item"].tolist()
    return items


MAX, ZURICH = "Has two dogs named Max and Dog's Best", "Loves the Café Zürich"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        *((words, [MAX]) for words in ("dog", "DOGS", "dog's", "named dog", "max", "Max, dog!", "named: Max")),
        ("cafe zurich", [ZURICH]),
        *((words, []) for words in ("cafe tea", "", "the", "?", "🐶")),
    ],
)
def test_a_fact_is_found_by_all_of_its_words_in_any_form_and_order(
    services: Services, person_id: int, words: str, expected: list[str]
) -> None:
    tell(services, person_id, MAX, ZURICH, "Loves tea", "Has the cat 🐶?")
    assert found(services, person_id, words) == expected


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
