"""The person's own name forgotten: in no episode, no document and no quote of what stays."""

import pytest

from app.jobs import index_texts
from app.memory import recall, undo
from app.people import forget_name, set_profile
from tests.memory.remembering import TOLD, tell
from tests.memory.talking import Talk
from tests.memory.test_forget_about import stands, traces

EXAM = "Hello, I'm alex and the chemistry exam on Friday scares me to death"


@pytest.fixture
def alex(alex: Talk) -> Talk:
    alex.say("My name is Alex Miller.", EXAM)
    set_profile(alex.services, alex.person_id, TOLD, name="Alex Miller")
    alex.say("Alex Miller here, and I like jasmine tea")
    alex.say("My boss wrote: Alex, you are promoted to head of the kitchen")
    alex.fall_silent()
    index_texts.run(alex.services)
    return alex


@pytest.mark.parametrize("asked", ["/memory forget name", "/memory forget alex miller"])
def test_it_leaves_what_happened_at_once_and_all_else_of_it_stays(alex: Talk, asked: str) -> None:
    assert "Alex" in alex.told

    assert alex.text(asked) == ["Forgotten: your name. /undo brings it back."]

    assert traces(alex, "alex") == traces(alex, "miller") == []
    assert "[name], you are promoted" in alex.told
    assert [one.name for one in alex.episodes()] == ["ep1"]
    index_texts.run(alex.services)
    assert traces(alex, "alex") == []
    found = recall(alex.services, alex.person_id, "promoted kitchen chemistry exam")
    assert [one.episode.name for one in found.episodes] == ["ep1"]
    assert found.messages
    assert not any("alex" in one.words.casefold() for one in found.messages)


def test_what_is_told_anew_later_is_told_without_it(alex: Talk) -> None:
    forget_name(alex.services, alex.person_id, TOLD)
    alex.say("I bought a kitchen knife and an apron for the promotion")
    alex.fall_silent()
    index_texts.run(alex.services)
    assert "apron" in alex.told
    assert traces(alex, "alex") == []


def test_facts_and_routines_that_hold_it_stay_and_are_named_with_the_way_to_end_them(alex: Talk) -> None:
    tell(alex.services, alex.person_id, "Is called Alex at work", "Likes the alexandrine")
    alex.say("Remind me every day at 8am to sign as Alex")
    [said] = alex.text("/memory forget name")
    assert "Still known: Is called Alex at work. /memory forget 2 forgets it. Still to come: Sign as Alex" in said


def test_an_undo_brings_it_back_where_it_stood(alex: Talk) -> None:
    before = stands(alex)
    forget_name(alex.services, alex.person_id, TOLD)

    undo(alex.services, alex.person_id)
    alex.fall_silent()
    index_texts.run(alex.services)

    assert stands(alex) == before
    assert EXAM in [one.words for one in recall(alex.services, alex.person_id, "chemistry exam").messages]
