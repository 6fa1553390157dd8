"""Lists of facts, as the model is shown them: few at a time, with how many there are, or those that a query means."""

from datetime import timedelta

import pytest

from app.memory import pin_facts
from app.services import Services
from app.tools.facts import MAX_LISTED
from tests.memory.archiving import fill
from tests.memory.remembering import BEN, TOLD, add_person, tell
from tests.tools.calling import call, context


def test_of_more_facts_than_a_list_holds_the_foremost_are_listed_and_all_are_counted(
    services: Services, person_id: int
) -> None:
    fill(services, person_id, 70)
    tell(services, person_id, "Is allergic to nuts")
    pin_facts(services, person_id, [65], TOLD)

    listed = call(context(services, person_id), "list_memories")

    assert (len(listed["facts"]), listed["shown"], listed["of"]) == (MAX_LISTED, MAX_LISTED, 71)
    assert [one["id"] for one in listed["facts"][:2]] == [65, 71]


def test_as_many_facts_as_a_list_holds_are_listed_by_number(services: Services, person_id: int) -> None:
    fill(services, person_id, MAX_LISTED)

    listed = call(context(services, person_id), "list_memories")

    assert [one["id"] for one in listed["facts"]] == list(range(1, MAX_LISTED + 1))
    assert (listed["shown"], listed["of"]) == (60, 60)


def test_a_query_finds_a_fact_that_no_list_shows(services: Services, person_id: int) -> None:
    tell(services, person_id, "Has a dog named Max")
    services.clock.wait(timedelta(days=2).total_seconds())
    fill(services, person_id, 80)
    ctx = context(services, person_id)
    assert 1 not in [one["id"] for one in call(ctx, "list_memories")["facts"]]

    found = call(ctx, "list_memories", query="dog")

    assert found == {"facts": [{"id": 1, "fact": "Has a dog named Max", "category": None}], "shown": 1, "of": 1}


def test_a_query_lists_all_that_has_its_words_first(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea", "Has a dog named Max", "Walks the dog at six", "Plays chess")
    found = call(context(services, person_id), "list_memories", query="the dog")["facts"]

    assert {one["id"] for one in found[:2]} == {2, 3}
    assert 4 not in [one["id"] for one in found]


def test_of_more_matches_than_a_list_holds_it_is_said_how_many_there_are(services: Services, person_id: int) -> None:
    for first in range(0, 65, 13):
        tell(services, person_id, *(f"Owns the violet number {first + more}" for more in range(13)))

    found = call(context(services, person_id), "list_memories", query="violet")

    assert (len(found["facts"]), found["shown"], found["of"]) == (60, 60, 65)


def test_a_query_and_a_category_both_hold(services: Services, person_id: int) -> None:
    ctx = context(services, person_id)
    facts = [{"fact": "Likes green tea", "category": "food"}, {"fact": "Grows tea in a garden", "category": "home"}]
    call(ctx, "extract_memory", facts=facts)

    assert [one["id"] for one in call(ctx, "list_memories", query="tea", category="home")["facts"]] == [2]
    assert call(ctx, "list_memories", query="tea", category="work") == {"facts": [], "shown": 0, "of": 0}


@pytest.mark.parametrize("query", ["violet", "zebra", "\x00", "%", '" OR 1', "tea " * 10_000])
def test_a_query_never_finds_what_another_person_told(services: Services, person_id: int, query: str) -> None:
    tell(services, add_person(services, BEN), "Hides a violet key")

    assert call(context(services, person_id), "list_memories", query=query) == {"facts": [], "shown": 0, "of": 0}
