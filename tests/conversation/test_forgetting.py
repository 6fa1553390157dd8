"""Things forgotten, or said while memory is off, disappear from the rest of the conversation too."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text as sql

from app.clients.claude import ClaudeModel
from app.features.offline.extract import ExtractiveSummariser
from app.jobs import index_texts
from app.memory import forget, index
from app.people import everyone
from tests.asked_of_claude import memory_shown
from tests.claude_server import ClaudeServer, Reply, call, say
from tests.conftest import MakeServices
from tests.memory.remembering import OPERATOR
from tests.memory.talking import Talk
from tests.phoning import Phone

FORGOTTEN_TSV = Path(__file__).parent.parent / "data" / "forgotten.tsv"
FORGET_THE_NAME = call("update_profile", {"name": ""})


@pytest.fixture
def talk(make_services: MakeServices, claude_model: ClaudeModel) -> Talk:
    return Talk(make_services(model=claude_model))


@pytest.fixture
def named(alex: Phone, claude: ClaudeServer) -> Phone:
    claude.queue(call("update_profile", {"name": "Alex"}), say("Nice to meet you, Alex."))
    alex.text("I'm Alex")
    return alex


def shown(claude: ClaudeServer) -> str:
    """The newest request without the tools."""
    request = claude.requests[-1]
    return str([request["system"], request["messages"]])


def facts(*sentences: str) -> Mapping[str, Any]:
    return {"facts": [{"fact": sentence} for sentence in sentences]}


def talk_of_the_parrot(talk: Talk, claude: ClaudeServer) -> None:
    claude.queue(
        call("extract_memory", facts("Has a parrot named Zephyr")),
        say("Zephyr, what a name for a parrot!"),
        say("Soup is fine."),
        say("Zephyr sounds hungry."),
    )
    talk.say("Guess what. My parrot Zephyr moved in with me")
    talk.say("I had soup for lunch")
    talk.say("Zephyr ate all the nuts")


def test_f11_after_forget_about_it_the_words_are_in_no_request_until_an_undo(talk: Talk, claude: ClaudeServer) -> None:
    talk_of_the_parrot(talk, claude)
    claude.queue(
        call("remove_memory", {"fact_ids": [1], "about": ["Zephyr"]}), say("I forgot all about Zephyr the parrot.")
    )
    talk.say("Forget about Zephyr")

    claude.queue(say("Hello."))
    talk.say("Good evening")
    assert "Zephyr" not in shown(claude)
    assert "parrot" not in shown(claude)
    assert "soup for lunch" in shown(claude)
    assert "[forgotten]" in shown(claude)

    talk.say("/undo")
    claude.queue(say("Hello again."))
    talk.say("Good night")
    assert "My parrot Zephyr moved in" in shown(claude)
    assert "Zephyr ate all the nuts" in shown(claude)
    assert claude.refused == []


@pytest.mark.parametrize("first", [0, 1])
def test_what_is_learned_from_a_text_that_also_forgets_quotes_nothing_of_it(
    talk: Talk, claude: ClaudeServer, first: int
) -> None:
    talk_of_the_parrot(talk, claude)
    calls = [call("remove_memory", {"fact_ids": [1], "about": ["Zephyr"]}), call("extract_memory", facts("Has a cat"))]
    claude.queue(calls[first], calls[1 - first], say("Done."))
    talk.say("Forget about Zephyr. I have a cat now.")
    assert talk.text("/memory why 2") == ['Has a cat: You told me on 21 Nov 2026: "I have a cat now."']


def test_a_second_call_of_the_same_turn_forgets_the_facts_that_only_it_names(talk: Talk, claude: ClaudeServer) -> None:
    told = ("Has a parrot named Zephyr", "Walks in the park every morning")
    claude.queue(call("extract_memory", facts(*told)), say("I see."))
    talk.say("I have a parrot named Zephyr, and walk in the park every morning")
    calls = (call("remove_memory", {"fact_ids": [number], "about": ["my parrot"]}) for number in (1, 2))
    claude.queue(*calls, say("I forgot your parrot and your walks."))
    assert talk.text("Forget about my parrot, and my walks") == ["I forgot your parrot and your walks."]
    assert talk.facts() == []


def test_an_answer_that_was_written_while_it_was_forgotten_is_neither_shown_nor_found(
    talk: Talk, claude: ClaudeServer
) -> None:
    def forgotten_meanwhile(_: object) -> Reply:
        forget(talk.services, talk.person_id, [1], OPERATOR)
        talk.clock.advance(seconds=3)
        return say("You have a parrot named Zephyr.")

    talk_of_the_parrot(talk, claude)
    claude.queue(forgotten_meanwhile, say("Hello."))
    assert talk.text("What do you know about me?") == ["You have a parrot named Zephyr."]
    talk.say("Good evening")
    assert "You have a parrot" not in shown(claude)
    index_texts.run(talk.services)
    with talk.services.reading() as db:
        assert index.find(db, talk.person_id, "message", "parrot") == []


def test_a_text_that_taught_a_forgotten_fact_in_other_words_is_blanked(talk: Talk, claude: ClaudeServer) -> None:
    claude.queue(call("extract_memory", facts("Works as a nurse")), say("Noted, a nurse."), say("Yes."))
    talk.say("I put on scrubs every night at St Mary's")
    talk.say("Is it late?")
    talk.say("/memory forget 1")

    claude.queue(say("Hello."))
    talk.say("Good evening")

    assert "scrubs" not in shown(claude)
    assert "nurse" not in shown(claude)
    assert "Is it late?" in shown(claude)


def test_rules_and_routines_that_name_it_are_named_to_whoever_forgets(talk: Talk, claude: ClaudeServer) -> None:
    talk_of_the_parrot(talk, claude)
    rule = {"trigger_kind": "situation", "trigger": "I mention travel", "procedure": "Ask who feeds Zephyr"}
    claude.queue(call("set_rule", rule), say("I will."))
    talk.say("When I mention travel, ask who feeds Zephyr")

    [reply] = talk.text("/memory forget Zephyr")
    talk.say("/undo")
    claude.queue(call("remove_memory", {"fact_ids": [1], "about": ["Zephyr"]}), say("Done; the rule still stands."))
    talk.say("Forget about Zephyr")

    assert "A rule still names it: " in reply
    assert "ask who feeds Zephyr" in reply.replace("Ask", "ask")
    assert "/rules forget 1" in reply
    result = str(claude.requests[-1]["messages"][-1]["content"])
    assert "still_ruling" in result
    assert "Zephyr" in result


@pytest.mark.parametrize("row", FORGOTTEN_TSV.read_text().splitlines()[1:])
def test_a_wish_to_forget_reaches_what_was_said_before_and_after(talk: Talk, claude: ClaudeServer, row: str) -> None:
    told, fact, later, wish, about, gone = row.split("\t")
    claude.queue(call("extract_memory", facts(fact)), say("I see."), say("Oh."), say("A fine day."))
    for text in (told, later, "The weather is lovely"):
        talk.say(text)
    forgets = call("remove_memory", {"fact_ids": [1], "about": about.split("|")})
    claude.queue(forgets, say("It's forgotten."), say("Hello."))
    talk.say(wish)
    talk.say("Good evening")
    assert [word for word in gone.split("|") if word in shown(claude)] == []
    assert "The weather is lovely" in shown(claude)


@pytest.mark.parametrize("by", [{"fact_ids": [1]}, {"fact_ids": [1], "about": ["my sister", "Dana"]}])
def test_the_other_fact_is_shown_and_found_after_the_episode_of_both_is_forgotten(
    make_services: MakeServices, claude_model: ClaudeModel, claude: ClaudeServer, by: Mapping[str, Any]
) -> None:
    talk = Talk(make_services(model=claude_model, summariser=ExtractiveSummariser()))
    claude.queue(
        call("extract_memory", facts("Has a sister named Dana who lives in Lisbon", "Plays the cello")),
        say("Lovely."),
        say("Is it?"),
    )
    talk.say("My sister Dana lives in Lisbon and I play the cello")
    talk.say("We signed the lease of the flat in Porto and the movers come next week")
    talk.fall_silent()
    assert "Lisbon" in str([one.narrative for one in talk.episodes()])

    claude.queue(call("remove_memory", by), say("It's forgotten."))
    talk.say("Forget about my sister Dana")
    claude.queue(call("recall_memory", {"query": "cello"}), say("The cello."))
    talk.say("Which instrument do I play?")

    assert talk.facts() == ["Plays the cello"]
    assert "Plays the cello." in memory_shown(claude.requests[-1])
    assert "Plays the cello" in talk.tool_calls()[-1].result
    talk.fall_silent()
    assert "Lisbon" not in shown(claude)
    assert "Lisbon" not in str([(one.summary, one.narrative, one.key_facts) for one in talk.episodes()])


def test_a_name_leaves_the_memory_of_the_same_turn_and_undo_brings_it_back(named: Phone, claude: ClaudeServer) -> None:
    claude.queue(FORGET_THE_NAME, say("I've forgotten your name."), say("I don't know it."), say("Hi Alex."))
    assert named.text("Please forget my name") == ["I've forgotten your name."]
    named.text("What's my name?")
    with named.services.reading() as db:
        assert [person.name for person in everyone(db)] == [None]
    assert named.text("/undo") == ["Undone: your name is again Alex."]
    named.text("Hi")
    has_name = ["<name>Alex</name>" in memory_shown(request) for request in claude.requests[-4:]]
    assert has_name == [True, False, False, True]


# Texts sent while memory is off are answered, and stay out of everything, then and later.


def test_once_memory_is_on_nothing_said_with_it_off_is_shown_or_found(talk: Talk, claude: ClaudeServer) -> None:
    claude.queue(say("Sounds nice."), say("A zebra? Lovely."), say("So I hear, a zebra."), say("I don't know."))
    talk.say("I had soup today")
    talk.say("/memory off")
    talk.say("I bought a zebra named Quagmire")
    talk.say("What did I just tell you?")
    assert "Quagmire" in shown(claude), "while it is off, the talk goes on"

    talk.say("/memory on")
    claude.queue(call("recall_memory", {"query": "zebra Quagmire"}), say("I find nothing."))
    talk.say("Good evening")
    assert "soup" in shown(claude)
    assert "zebra" not in shown(claude)
    talk.say("What do I own?")
    index_texts.run(talk.services)
    talk.fall_silent()

    found = [str(one["content"]) for one in claude.requests[-1]["messages"][-1:]]
    assert "A zebra" not in str(found)
    assert "Quagmire" not in str(found).replace("zebra Quagmire", "")
    with talk.services.reading() as db:
        assert index.find(db, talk.person_id, "message", "Quagmire") == []
    assert all("Quagmire" not in f"{one.summary} {one.narrative}" for one in talk.episodes())


def test_a_text_with_memory_off_is_no_ground_for_what_is_remembered_later(alex: Phone, claude: ClaudeServer) -> None:
    alex.text("/memory off")
    claude.queue(say("I see."))
    alex.text("I bought a zebra named Quagmire")
    alex.text("/memory on")
    fact: dict[str, Any] = {"facts": [{"fact": "Bought a zebra named Quagmire"}]}
    claude.queue(call("extract_memory", fact), say("Noted."), say("Hm."))
    alex.text("Yes please, remember that")
    with alex.services.reading() as db:
        quotes = db.scalars(sql("SELECT quote FROM facts")).all()
    assert "Quagmire" not in str(quotes)
