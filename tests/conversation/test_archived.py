"""Archived facts: not shown until the person speaks of them, and never lost."""

import json
from typing import Any

import pytest

from app.memory import index, recall
from app.memory.facts import MOST_LIVE
from app.models import Fact
from app.services import Services
from tests.asked_of_claude import memory_shown
from tests.claude_server import ClaudeServer, call, say
from tests.fakes import FrozenClock
from tests.memory.archiving import archived, held, put_away
from tests.memory.remembering import add_person, known, tell, versions
from tests.phoning import Phone, text

THEREMIN, COFFEE, DOG = "Plays the theremin", "Likes black coffee", "Has a dog named Max"


@pytest.fixture
def told(alex: Phone, claude: ClaudeServer, clock: FrozenClock) -> Phone:
    """A person with three facts from yesterday, the first of them archived."""
    claude.queue(say("Hello."))
    alex.text("Hi")
    tell(alex.services, alex.person_id, THEREMIN, COFFEE, DOG)
    put_away(alex.services, alex.person_id, 1)
    clock.advance(days=1)
    return alex


def shown(claude: ClaudeServer) -> str:
    """The memory of the last request."""
    return memory_shown(claude.requests[-1])


def answered(phone: Phone, tool: str) -> dict[str, Any]:
    """The answer of the tool's last call."""
    last = [one for one in phone.tool_calls() if one.name == tool][-1]
    assert not last.is_error, last.result
    result: dict[str, Any] = json.loads(last.result)
    return result


def theremin(phone: Phone) -> Fact:
    return held(phone.services, phone.person_id, 1)


def test_f9_of_a_thousand_facts_the_one_put_away_is_found_and_forgotten(services: Services, clock: FrozenClock) -> None:
    person_id = add_person(services)
    tell(services, person_id, THEREMIN)
    clock.advance(days=100)
    for start in range(1, MOST_LIVE, 20):
        numbers = range(start, min(start + 20, MOST_LIVE))
        tell(services, person_id, *(f"Owns the book number {number}" for number in numbers))
    assert len(known(services, person_id)) == MOST_LIVE

    assert "I'll remember" in text(services, "I have a dog named Max")

    assert DOG in known(services, person_id).values()
    assert len(known(services, person_id)) == MOST_LIVE
    assert archived(services, person_id) == [THEREMIN]
    assert text(services, "/memory archived").splitlines()[1] == f"1. {THEREMIN}"
    assert [(one.fact.number, one.archived) for one in recall(services, person_id, "theremin").facts] == [(1, True)]

    assert "I've forgotten that you play the theremin" in text(services, "Forget about the theremin")

    assert archived(services, person_id) == []
    assert versions(services, person_id, 1)[-1].retired_at == clock.now()
    with services.reading() as db:
        assert index.find(db, person_id, "fact", "theremin") == []


def test_f9_it_is_not_shown_and_a_search_on_purpose_marks_it(told: Phone, claude: ClaudeServer) -> None:
    claude.queue(call("recall_memory", {"query": "theremin coffee"}), say("I see."))
    told.text("What about my theremin?")

    assert THEREMIN not in shown(claude)
    assert COFFEE in shown(claude)
    found = {one["fact"]: one for one in answered(told, "recall_memory")["facts"]}
    assert (found[THEREMIN]["archived"], found[THEREMIN]["current"]) == (True, True)
    assert "archived" not in found[COFFEE]


def test_f9_used_it_is_live_again(told: Phone, claude: ClaudeServer, clock: FrozenClock) -> None:
    claude.queue(call("recall_memory", {"query": "theremin"}), say("You play the theremin!"), say("Yes."))
    told.text("Which instrument do I play?")

    assert archived(told.services, told.person_id) == []
    assert (theremin(told).use_count, theremin(told).fresh_at) == (1, clock.now())
    told.text("Sure?")
    assert f"{THEREMIN}." in shown(claude)


def test_f9_found_and_not_spoken_of_or_recited_from_a_list_it_stays(told: Phone, claude: ClaudeServer) -> None:
    claude.queue(call("recall_memory", {"query": "theremin coffee"}), say("You like black coffee."))
    told.text("What do I drink?")
    claude.queue(call("list_memories", {}), say("Black coffee, the dog Max, and long ago you played the theremin."))
    told.text("What do you know?")

    assert archived(told.services, told.person_id) == [THEREMIN]
    assert theremin(told).use_count == 0


def test_f9_told_again_it_is_back_in_the_turns_next_request_and_said_so(told: Phone, claude: ClaudeServer) -> None:
    claude.queue(call("extract_memory", {"facts": [{"fact": "plays the theremin"}]}), say("Noted."))
    told.text("I play the theremin")

    assert answered(told, "extract_memory") == {
        "memory_updated": True,
        "stored": [],
        "duplicates": [{"id": 1, "fact": THEREMIN, "was_archived": True}],
        "conflicts": [],
    }
    assert f"{THEREMIN}." in shown(claude)
    assert theremin(told).times_told == 2
    assert told.text("/undo") == [f"Undone: archived again: {THEREMIN}."]


def test_f5_the_list_has_it_behind_what_is_live_and_forgets_by_number(told: Phone, claude: ClaudeServer) -> None:
    claude.queue(call("list_memories", {}), call("remove_memory", {"fact_ids": [1]}), say("Forgotten."))
    told.text("Forget about my theremin")

    listed = answered(told, "list_memories")
    assert [(one["id"], one.get("archived", False)) for one in listed["facts"]] == [(2, False), (3, False), (1, True)]
    assert (listed["shown"], listed["of"]) == (3, 3)
    assert answered(told, "remove_memory")["removed"] == [{"id": 1, "fact": THEREMIN}]
    assert archived(told.services, told.person_id) == []


def test_f9_a_text_lists_what_is_known_and_counts_what_is_archived(told: Phone) -> None:
    [listed] = told.text("/memory")
    assert f"2. {COFFEE}\n3. {DOG}\nAnd 1 archived: /memory archived.\nWrong?" in listed
    assert THEREMIN not in listed

    [put_by] = told.text("/memory archived")
    assert put_by.splitlines() == [
        "Archived, the latest first; I find it when you ask for it:",
        f"1. {THEREMIN}",
        "Tell me one again and I keep it in mind. /memory forget and the number drops it.",
    ]
    assert told.text("/memory why 1")[0].startswith(f"{THEREMIN}: You told me")
    assert told.text("/memory pin 1") == [f"Pinned: {THEREMIN}. I will always keep it in mind."]
    assert f"1. {THEREMIN} (pinned)" in told.text("/memory")[0]
    assert told.text("/memory archived") == ["Nothing is archived: all I know about you is under /memory."]
    assert archived(told.services, told.person_id) == []
