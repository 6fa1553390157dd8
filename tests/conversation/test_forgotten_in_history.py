"""What is forgotten is gone from the rest of the conversation too, and comes back when that is undone."""

from collections.abc import Mapping
from typing import Any

import pytest

from app.clients.claude import ClaudeModel
from app.memory import forget, undo
from app.memory.versions import Origin
from tests.claude_server import ClaudeServer, call, say
from tests.conftest import MakeServices
from tests.memory.talking import Talk


@pytest.fixture
def alex(make_services: MakeServices, claude_model: ClaudeModel) -> Talk:
    return Talk(make_services(model=claude_model))


def shown(claude: ClaudeServer) -> str:
    """The whole of the newest request, without the tools."""
    request = claude.requests[-1]
    return str([request["system"], request["messages"]])


def fact(sentence: str) -> Mapping[str, Any]:
    return {"facts": [{"fact": sentence}]}


def talk_of_the_parrot(alex: Talk, claude: ClaudeServer) -> None:
    claude.queue(
        call("extract_memory", fact("Has a parrot named Zephyr")),
        say("Zephyr, what a name for a parrot!"),
        say("Soup is fine."),
        say("Zephyr sounds hungry."),
    )
    alex.say("Guess what. My parrot Zephyr moved in with me")
    alex.say("I had soup for lunch")
    alex.say("Zephyr ate all the nuts")


def test_after_forget_about_it_the_words_are_nowhere_in_the_next_request_until_it_is_undone(
    alex: Talk, claude: ClaudeServer
) -> None:
    talk_of_the_parrot(alex, claude)
    claude.queue(
        call("remove_memory", {"fact_ids": [1], "about": ["Zephyr"]}), say("I forgot all about Zephyr the parrot.")
    )
    alex.say("Forget about Zephyr")

    claude.queue(say("Hello."))
    alex.say("Good evening")
    assert "Zephyr" not in shown(claude)
    assert "parrot" not in shown(claude)
    assert "soup for lunch" in shown(claude)
    assert "[forgotten]" in shown(claude)

    alex.say("/undo")
    claude.queue(say("Hello again."))
    alex.say("Good night")
    assert "My parrot Zephyr moved in" in shown(claude)
    assert "Zephyr ate all the nuts" in shown(claude)
    assert claude.refused == []


def test_a_text_that_taught_a_forgotten_fact_in_other_words_is_blanked(alex: Talk, claude: ClaudeServer) -> None:
    claude.queue(call("extract_memory", fact("Works as a nurse")), say("Noted, a nurse."), say("Yes."))
    alex.say("I put on scrubs every night at St Mary's")
    alex.say("Is it late?")
    alex.say("/memory forget 1")

    claude.queue(say("Hello."))
    alex.say("Good evening")

    assert "scrubs" not in shown(claude)
    assert "nurse" not in shown(claude)
    assert "Is it late?" in shown(claude)


def test_an_answer_that_names_it_in_the_turn_that_forgot_it_is_not_shown_again(
    alex: Talk, claude: ClaudeServer
) -> None:
    talk_of_the_parrot(alex, claude)
    claude.queue(say("Shall I forget the parrot?"))
    alex.say("Could you not keep that about my bird?")
    claude.queue(call("remove_memory", {"fact_ids": [1], "about": ["Zephyr"]}), say("Zephyr is forgotten."))
    alex.say("Yes, forget it")
    claude.queue(say("Hello."))
    alex.say("Good evening")
    assert "Zephyr" not in shown(claude)


def test_what_an_operator_had_forgotten_is_out_of_the_conversation_too(alex: Talk, claude: ClaudeServer) -> None:
    talk_of_the_parrot(alex, claude)
    forget(alex.services, alex.person_id, [1], Origin("operator", "operator"), about=["Zephyr"])
    claude.queue(say("Hello."), say("Hello."))
    alex.say("Good evening")
    assert "Zephyr" not in shown(claude)
    undo(alex.services, alex.person_id)
    alex.say("Good night")
    assert "Zephyr" in shown(claude)


def test_rules_and_routines_that_name_it_are_named_to_whoever_forgets(alex: Talk, claude: ClaudeServer) -> None:
    talk_of_the_parrot(alex, claude)
    rule = {"trigger_kind": "situation", "trigger": "I mention travel", "procedure": "Ask who feeds Zephyr"}
    claude.queue(call("set_rule", rule), say("I will."))
    alex.say("When I mention travel, ask who feeds Zephyr")

    [reply] = alex.text("/memory forget Zephyr")
    alex.say("/undo")
    claude.queue(call("remove_memory", {"fact_ids": [1], "about": ["Zephyr"]}), say("Done; the rule still stands."))
    alex.say("Forget about Zephyr")

    assert "A rule still names it: " in reply
    assert "ask who feeds Zephyr" in reply.replace("Ask", "ask")
    assert "/rules forget 1" in reply
    result = str(claude.requests[-1]["messages"][-1]["content"])
    assert "still_ruling" in result
    assert "Zephyr" in result
