"""A month of texts, and questions about it from the outermost door: meaning by the embedder that is shipped."""

import json
from typing import Any

import pytest

from app.clients.claude import ClaudeModel
from app.features.offline.extract import ExtractiveSummariser
from app.models import Turn
from tests.claude_server import ClaudeServer, call, say
from tests.conftest import MakeServices
from tests.conversation.recalling import episodes_of, index_all, local
from tests.fakes import FrozenClock
from tests.memory.talking import Talk

MONTH = [
    ["My sister Ana got a job as a nurse in Lima", "She moves there with her two kids in spring"],
    ["had a long day, the garden needed weeding", "planted tomatoes and beans with my neighbour Joe"],
    ["Did you know bats are the only mammals that can really fly?", "We saw hundreds leave a cave in Austin"],
    ["I have a huge deadline at work and I'm totally stressed", "My boss moved the migration up by ten days"],
    ["The landlord raised our rent by 200", "I want to look for another apartment near the park"],
    ["Ran my first 10k with Priya today", "knee hurts, but 58 minutes"],
    ["Mom's surgery went well", "She is back home on Friday and needs help with the stairs"],
    ["bought tickets for the jazz festival in Lisbon", "Ben wants to hear the trumpet player on the second night"],
    ["The car failed its inspection", "new brakes, 700 dollars at Miller's garage"],
    ["Started learning Portuguese with an app", "my teacher is called Rui, we meet on Tuesdays"],
]
"""Held every third day from 3 January on."""

PACK = [
    "ok thanks", "good morning!", "haha", "lol", "you're the best", "good night", "thank you!", "cool", "nice",
    "hello there", "hey", "how are you?", "yes please", "no thanks", "great", "👍", "😂😂", "see you tomorrow", "wow",
    "awesome", "ok", "sure", "yep", "nope", "hmm", "thx", "ty", "morning!", "happy friday!", "have a nice day",
    "bye", "cheers", "all good", "fine", "perfect", "lovely", "it's raining", "so cold today", "what's up",
    "what time is it", "tell me a joke", "another one", "that was funny", "haha good one", "sorry", "no worries",
    "never mind", "just saying hi", "are you there?", "testing", "gracias", "merci beaucoup", "danke", "ciao", "hola",
    "ok got it", "sounds good", "will do", "talk later", "good evening",
]  # fmt: skip


@pytest.fixture
def alex(make_services: MakeServices, claude: ClaudeServer, claude_model: ClaudeModel, clock: FrozenClock) -> Talk:
    """Somebody in the middle of November who told of all this in January."""
    clock.advance(days=-322)  # 3 January 2026.
    embedder = local(clock)
    services = make_services(model=claude_model, summariser=ExtractiveSummariser(), embedder=embedder)
    alex = Talk(services)
    for texts in MONTH:
        claude.queue(*(say("I see.") for _ in texts))
        for text in texts:
            alex.say(text)
        alex.fall_silent()
        clock.advance(days=3)
    assert len(alex.episodes()) == len(MONTH)
    for _ in range(26):  # So that the history shows nothing of it.
        claude.queue(say("Hm."))
        alex.say("ok thanks")
    index_all(services)
    clock.advance(days=290)
    return alex


def shown(claude: ClaudeServer) -> str:
    head: str = claude.requests[-1]["messages"][-1]["content"][0]["text"]
    return head[: head.index("<now>")]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what did I say about my sister?", "Ana got a job as a nurse in Lima"),
        ("what was I stressed about in January?", "huge deadline at work"),
        ("the flying animal we talked about", "bats"),
        ("how did mom's operation go?", "surgery went well"),
        ("which garage fixed my brakes?", "Miller"),
        ("who do I learn Portuguese with?", "Rui"),
    ],
)
def test_what_was_told_in_a_month_comes_back_when_it_is_asked_for(
    alex: Talk, claude: ClaudeServer, question: str, answer: str
) -> None:
    claude.queue(say("I remember."))
    alex.say(question)
    assert answer in shown(claude)

    claude.queue(call("recall_memory", {"query": question, "limit": 3}), say("I remember."))
    alex.say("anything else?")
    found = result(alex)
    assert any(answer in one["narrative"] for one in found["episodes"])
    assert any(answer in one["text"] and one["said_by"] == "person" for one in found["messages"])
    assert all(0 < one["relevance"] <= 1 for kind in ("episodes", "messages") for one in found[kind])


def test_a_search_keeps_to_its_days_and_to_its_kind(alex: Talk, claude: ClaudeServer) -> None:
    bounds = {"since": "2026-01-10", "until": "2026-01-14", "kind": "message"}
    claude.queue(call("recall_memory", {"query": "what was said", "limit": 20, **bounds}), say("That."))
    alex.say("hm?")
    found = result(alex)
    assert found["episodes"] == found["facts"] == []
    assert {one["said_at"][:10] for one in found["messages"]} <= {f"2026-01-{day}" for day in range(10, 15)}
    assert any("deadline" in one["text"] for one in found["messages"])

    claude.queue(call("recall_memory", {"query": "work", "since": "January"}), say("Sorry."))
    alex.say("hm?")
    assert alex.tool_calls()[-1].is_error
    assert "YYYY-MM-DD" in alex.tool_calls()[-1].result


def test_where_nothing_is_relevant_that_is_said_plainly(alex: Talk, claude: ClaudeServer) -> None:
    claude.queue(call("recall_memory", {"query": "submarine", "kind": "fact"}), say("I don't know."))
    alex.say("hm?")
    assert result(alex)["note"].startswith("Nothing relevant")


def test_sixty_texts_of_small_talk_bring_back_nothing(alex: Talk, claude: ClaudeServer) -> None:
    assert len(PACK) == 60
    told = len(alex.turns())
    for text in PACK:
        claude.queue(say("Hm."))
        alex.say(text, minutes=20)
        assert "relevant_episodes" not in shown(claude)
    turns: list[Turn] = alex.turns()[told:]
    assert [turn.id for turn in turns if episodes_of(turn)] == []
    assert len([turn for turn in turns if turn.recall_gate == "small talk"]) >= 54


def result(alex: Talk) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(alex.tool_calls()[-1].result)
    return answer
