from datetime import timedelta
from typing import Any

import pytest

from app.memory import pin_facts
from app.people import set_profile
from app.services import Services
from app.tools.facts import MAX_LISTED
from app.tools.recall import NOTHING
from tests.memory.archiving import fill
from tests.memory.remembering import BEN, TOLD, add_person, fact, known, tell
from tests.tables import rows
from tests.tools.calling import call, context, refusal, texted


def test_of_a_long_text_the_sentences_that_told_it_are_quoted(services: Services, person_id: int) -> None:
    long = "What a day at the office it was. " * 30 + "My dog Max ran off! He is a poodle. " + "So it goes. " * 30
    ctx = context(services, person_id, texted(services, person_id, long))
    call(ctx, "extract_memory", facts=[{"fact": "Has a poodle named Max"}, {"fact": "Owns land"}])

    quote = fact(services, person_id, 1).quote
    assert quote == "My dog Max ran off! … He is a poodle."
    assert len(fact(services, person_id, 2).quote or "") <= 300


def test_a_subject_is_forgotten_in_every_fact_and_what_is_unknown_is_said(services: Services, person_id: int) -> None:
    tell(services, person_id, "Has a dog named Max", "Likes tea", "Max is a poodle")
    about = ["my dog", "my exam"]

    done = call(context(services, person_id), "remove_memory", fact_ids=[1], about=about)

    assert done == {
        "memory_updated": True,
        "removed": [{"id": 1, "fact": "Has a dog named Max"}, {"id": 3, "fact": "Max is a poodle"}],
        "unknown": [],
        "about": ["my dog"],
        "episodes": 0,
        "nothing_about": ["my exam"],
    }
    tell(services, person_id, "Is allergic to dogs")
    unsure = call(context(services, person_id), "remove_memory", fact_ids=[], about=["my dog"])
    assert unsure["still_known"] == [{"id": 4, "fact": "Is allergic to dogs"}], "nobody knows whether that is meant"
    again = call(context(services, person_id), "remove_memory", fact_ids=[], about=about)
    assert (again["memory_updated"], again["nothing_about"]) == (False, about)


def test_more_at_once_than_they_can_mean_and_ones_own_name_are_refused(services: Services, person_id: int) -> None:
    set_profile(services, person_id, TOLD, name="Alex")
    ctx = context(services, person_id)

    said = refusal(ctx, "remove_memory", {"fact_ids": [], "about": ["a dog"] * 6})
    assert said.startswith("6 things at once; at most 5")
    said = refusal(ctx, "remove_memory", {"fact_ids": [], "about": ["alex"]})
    assert "with update_profile and an empty name" in said
    said = refusal(ctx, "remove_memory", {"fact_ids": list(range(1, 52))})
    assert said.startswith("51 facts at once; at most 50")


def test_recalling_gives_five_unless_it_is_told_how_many(services: Services, person_id: int) -> None:
    tell(services, person_id, *(f"Likes tea number {number}" for number in range(12)))
    ctx = context(services, person_id)

    assert len(call(ctx, "recall_memory", query="tea")["facts"]) == 5
    assert len(call(ctx, "recall_memory", query="tea", limit=None)["facts"]) == 5
    assert len(call(ctx, "recall_memory", query="tea", limit=12)["facts"]) == 12
    nothing = call(ctx, "recall_memory", query="car")
    assert nothing == {"episodes": [], "facts": [], "messages": [], "note": NOTHING}


@pytest.mark.parametrize(("name", "given"), rows("calls_for_others_facts.jsonl"))
def test_no_tool_shows_anothers_facts(services: Services, person_id: int, name: str, given: dict[str, Any]) -> None:
    other = add_person(services, BEN)
    call(context(services, other), "extract_memory", facts=[{"fact": "Hides a violet key", "category": "secret"}])

    assert "violet" not in str(call(context(services, person_id), name, **given))

    assert "No fact" in refusal(context(services, person_id), "update_memory", {"fact_id": 1, "fact": "Violet door"})
    assert known(services, other) == {1: "Hides a violet key"}


# Lists: a limited number of facts with the total, or those that match a query.


def test_of_too_many_facts_the_foremost_are_listed_and_all_are_counted(services: Services, person_id: int) -> None:
    fill(services, person_id, 70)
    tell(services, person_id, "Is allergic to nuts")
    pin_facts(services, person_id, [65], TOLD)

    listed = call(context(services, person_id), "list_memories")

    assert (len(listed["facts"]), listed["shown"], listed["of"]) == (MAX_LISTED, MAX_LISTED, 71)
    assert [one["id"] for one in listed["facts"][:2]] == [65, 71]


def test_a_query_finds_a_fact_that_no_list_shows(services: Services, person_id: int) -> None:
    tell(services, person_id, "Has a dog named Max")
    services.clock.wait(timedelta(days=2).total_seconds())
    fill(services, person_id, 80)
    ctx = context(services, person_id)
    assert 1 not in [one["id"] for one in call(ctx, "list_memories")["facts"]]

    found = call(ctx, "list_memories", query="dog")

    assert found == {"facts": [{"id": 1, "fact": "Has a dog named Max", "category": None}], "shown": 1, "of": 1}
