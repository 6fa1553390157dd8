"""The offline model never claims things that were not done, nor repeats words that must not be repeated."""

import pytest

from app.features.offline.answers import DONT_KNOW
from app.features.offline.memory import CANNOT, FAILED
from app.features.offline.model import ABROAD, IF_IN_DANGER, MISSED
from app.services import Services
from tests.features.offline.asked import lines, reply_to
from tests.memory.talking import Talk

BOTH = ["Lives in Portland", "Has a dog named Max"]
LISTED = {"facts": [{"id": 1, "fact": BOTH[0]}, {"id": 2, "fact": BOTH[1]}]}
ROUTINES = {"routines": [{"id": 1, "words": "Stretch", "when": "daily at 08:00", "next": [], "state": "active"}]}
KEYS = "I left my keys in the red drawer"
SAID = "what did I say about my {}?"


@pytest.fixture
def alex(services: Services) -> Talk:
    return Talk(services)


def answer(alex: Talk, text: str) -> str:
    alex.say(text)
    return alex.received()[-1]


@pytest.mark.parametrize(
    ("text", "failing", "tools", "reply"),
    [
        ("I like tea", "extract_memory", {}, FAILED),
        ("I moved to Seattle", "list_memories", {}, FAILED),
        ("I moved to Seattle", "update_memory", {"list_memories": LISTED}, FAILED),
        ("forget about my dog", "remove_memory", {"list_memories": LISTED}, FAILED),
        ("call me Al", "update_profile", {}, FAILED),
        ("my timezone is Pacific time", "update_profile", {}, FAILED),
        ("remind me at 6pm to call Ana", "set_routine", {"change_routine": ROUTINES}, "That did not work."),
        ("stop the stretch reminder", "change_routine", {}, "That did not work."),
        ("what is scheduled?", "change_routine", {}, "That did not work."),
        ("don't text me between 9pm and 8am", "update_profile", {"change_routine": ROUTINES}, "That did not work."),
    ],
)
def test_a_failed_tool_is_never_called_done(text: str, failing: str, tools: dict[str, object], reply: str) -> None:
    assert reply_to(text, facts=BOTH, tools=tools, failing={failing}).startswith(reply)
    assert reply_to(text, facts=BOTH) == CANNOT  # Where words alone are asked for, too.


def test_with_words_alone_questions_are_answered() -> None:
    assert reply_to("where do I live?", facts=BOTH) == "You live in Portland."


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("I left my keys here and I don't want to live anymore", SAID.format("keys")),
        ("my locker combo is 24-6-18", SAID.format("locker combo")),
        ("the padlock of my locker opens with: locker combo 24 6 18", SAID.format("locker")),
        ("remind me tomorrow at 7am to take my pills", "did I take my pills?"),
        ("rmnd me tmrw 7 take pills n vitamins", "did i take my pills?"),
        ("I have to take my pills", "did i take my pills?"),
    ],
)
@pytest.mark.parametrize("days", [0, 1])
def test_what_is_no_answer_or_never_to_be_said_back_is_not_quoted(
    alex: Talk, said: str, question: str, days: int
) -> None:
    alex.say("Hello", said)
    alex.clock.advance(days=days)
    assert said.rsplit(maxsplit=1)[-1] not in answer(alex, question)
    is_despair = said.endswith("live anymore")  # Help goes on being named.
    assert answer(alex, question) == (f"{MISSED} {IF_IN_DANGER}" if is_despair else DONT_KNOW)


def test_what_was_forgotten_is_not_said_back_until_that_is_undone(alex: Talk) -> None:
    alex.say(f"The soup was cold. {KEYS}")
    assert KEYS in answer(alex, SAID.format("keys"))
    alex.say("forget about my keys")
    assert answer(alex, "what did I say about the soup?") == 'You wrote: "The soup was cold".'
    for question in (
        SAID.format("keys"),
        "where are my keys?",
        "what did I say about the drawer?",
        "what have I forgotten?",
    ):
        assert "drawer" not in answer(alex, question)
        assert "[forgotten" not in answer(alex, question)
    alex.say("/undo")
    assert KEYS in answer(alex, SAID.format("keys"))


def test_what_was_said_while_memory_was_off_is_neither_kept_nor_quoted(alex: Talk) -> None:
    alex.say("/memory off", KEYS)
    for text in ("what do you know about me?", SAID.format("keys"), "I like tea"):
        assert answer(alex, text).startswith("Memory is off for this conversation")
    alex.say("/memory on")
    assert answer(alex, SAID.format("keys")) == DONT_KNOW
    assert alex.facts() == []


def test_a_long_memory_is_cut_with_the_way_to_the_rest() -> None:
    reply = reply_to("what do you know about me?", facts=[f"Likes composer number {number}" for number in range(200)])
    assert len(reply) <= 1500
    assert reply.endswith("more: text /memory.")


@pytest.mark.parametrize("name", ["learned.txt", "not_learned.txt"])
def test_english_is_never_taken_for_another_language(name: str) -> None:
    told = [line.partition(" => ")[0] for line in lines(name)]
    told += ["I die for tea", "my name is Sole", "The die is cast in a pub", "no me neither", "a a", "la la la la"]
    assert [text for text in told if text.isascii() and reply_to(text) in ABROAD] == []
