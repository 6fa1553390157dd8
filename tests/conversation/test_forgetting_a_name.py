"""A name forgotten by text: gone from what the model is shown and from every page, and back by undo."""

import json

import pytest

from app.people import everyone
from tests.asked_of_claude import memory_shown
from tests.claude_server import ClaudeServer, call, say
from tests.conftest import MakeServices
from tests.fakes import InlineBackground
from tests.phoning import DyingAfter, Killed, Phone

FORGET = call("update_profile", {"name": ""})


@pytest.fixture
def named(alex: Phone, claude: ClaudeServer) -> Phone:
    claude.queue(call("update_profile", {"name": "Alex"}), say("Nice to meet you, Alex."))
    alex.text("I'm Alex")
    return alex


def shown(claude: ClaudeServer, place: int = -1) -> str:
    """The person's memory in a request."""
    return memory_shown(claude.requests[place])


def test_a_name_leaves_the_memory_of_the_same_turn(named: Phone, claude: ClaudeServer) -> None:
    claude.queue(FORGET, say("I've forgotten your name."), say("I don't know it."))

    assert named.text("Please forget my name") == ["I've forgotten your name."]
    assert "<name>Alex</name>" in shown(claude, -2)
    assert "<name>" not in shown(claude)

    named.text("What's my name?")
    assert "<name>" not in shown(claude)
    with named.services.reading() as db:
        assert [person.name for person in everyone(db)] == [None]


def test_undo_brings_the_name_back(named: Phone, claude: ClaudeServer) -> None:
    claude.queue(FORGET, say("I've forgotten your name."), say("Hi Alex."))
    named.text("Please forget my name")

    assert named.text("/undo") == ["Undone: your name is again Alex."]
    named.text("Hi")
    assert "<name>Alex</name>" in shown(claude)


def test_a_name_that_was_not_forgotten_is_not_said_to_be(named: Phone, claude: ClaudeServer) -> None:
    claude.queue(call("update_profile", {"name": "Lex"}), *[say("Okay. I've forgotten your name.")] * 2)

    assert named.text("Forget my name") == ["Okay. (To be clear: I did not remove anything just now.)"]


def test_a_turn_that_is_begun_again_still_says_that_it_forgot_the_name(
    named: Phone, claude: ClaudeServer, make_services: MakeServices, background: InlineBackground
) -> None:
    make_services(model=DyingAfter(named.services.model, 1))
    claude.queue(FORGET)
    named.send("Please forget my name")
    with pytest.raises(Killed):
        background.run()

    make_services(model=named.services.model)
    claude.queue(FORGET, say("I've forgotten your name."))
    background.wake(named.person_id)
    background.run()

    assert named.received()[-1] == "I've forgotten your name."
    assert json.loads(named.tool_calls()[-1].result)["name"] is None
    assert named.text("/undo", "/undo")[0] == "Undone: your name is again Alex."
