"""The person's own name, taken back; and texts that are hard to write."""

import pytest

from tests.clients.offline_memory import Memory

TAKEN_BACK = [
    "forget my name",
    "please forget what my name is",
    "can you forget my name?",
    "you don't need to know my name",
    "I don't want you to know my name",
    "stop using my name",
    "don't call me Alex",
]


@pytest.mark.parametrize("text", TAKEN_BACK)
def test_a_name_that_is_taken_back_is_known_no_more(text: str) -> None:
    memory = Memory(["Likes tea"], name="Alex")

    told = memory.tell(text)

    assert told.calls == [("update_profile", {"name": ""})]
    assert told.reply == "Done, I've forgotten your name."
    assert memory.tell("what's my name?").reply == "I don't know that yet."


def test_a_name_that_is_not_known_cannot_be_taken_back() -> None:
    memory = Memory(name="Alex")

    assert memory.tell("don't call me Bob").reply == "I don't call you Bob."
    assert memory.name == "Alex"
    assert Memory().tell("forget my name").reply == "I don't know your name."


def test_a_name_that_could_not_be_forgotten_is_not_said_to_be() -> None:
    told = Memory(name="Alex", failing=frozenset({"update_profile"})).tell("forget my name")

    assert told.reply == "I'm sorry, that could not be kept just now. Please try again a little later."


def test_another_name_takes_the_place_of_the_one_that_is_taken_back() -> None:
    memory = Memory(name="Alex")

    assert memory.tell("don't call me Alex, call me Al").reply == "Got it, I'll call you Al."


def test_the_name_and_a_fact_are_forgotten_in_one_text() -> None:
    memory = Memory(["Lives in Rome", "Likes tea"], name="Alex")
    memory.tell("forget my name and where I live")

    assert (memory.name, list(memory.rows.values())) == (None, ["Likes tea"])


@pytest.mark.parametrize(
    "text", ["i cant sleep", "its 3am and i cant sleep", "I feel so alone", "i had a nightmare", "my wife left me"]
)
def test_a_worry_at_night_is_met_kindly_and_claims_nothing(text: str) -> None:
    told = Memory(["Likes tea"]).tell(text)

    assert told.calls == []
    assert told.reply.startswith("I'm sorry, that sounds hard.")


def test_bad_news_is_met_kindly_and_what_matters_is_kept() -> None:
    memory = Memory()

    told = memory.tell("my mum is in hospital")

    assert told.reply == "I'm sorry to hear that. I'll remember that your mum is in hospital."
    assert list(memory.rows.values()) == ["Mum was in hospital in November 2026"]
    memory.tell("my mum is home again")
    assert list(memory.rows.values()) == ["Mum is out of hospital"]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("im alergic to nuts", "Is allergic to nuts"),
        ("i wrok as a nurse", "Works as a nurse"),
        ("dont like cilantro", "Dislikes cilantro"),
        ("my wifes name is carla", "Has a wife named Carla"),
        ("my wifes birthday is june 5", "Wife's birthday is June 5"),
        ("im vegitarian", "Is vegetarian"),
    ],
)
def test_haste_and_typos_are_understood(text: str, fact: str) -> None:
    assert Memory().tell(text).facts() == [fact]


def test_a_thing_is_found_without_the_word_my() -> None:
    assert Memory(["The spare key is under the mat"]).tell("where is the spare key").reply == (
        "The spare key is under the mat."
    )


def test_a_dislike_of_the_short_form_of_a_name_just_told_is_no_taste() -> None:
    memory = Memory()
    memory.tell("call me Samuel")

    told = memory.tell("i dont like sam")

    assert told.calls == []
    assert told.reply == "Yes, you're Samuel."
    assert memory.tell("I don't like salmon").facts() == ["Dislikes salmon"]
    assert Memory().tell("call me Samuel, I don't like Sam").profile() == {"name": "Samuel"}


def test_a_dislike_of_somebody_who_is_called_so_stays_one() -> None:
    memory = Memory(["Has a colleague named Sam"], name="Samuel")
    memory.tell("call me Samuel")

    assert memory.tell("i dont like sam").reply != "Yes, you're Samuel."
    assert Memory(name="Samuel").tell("i dont like sam").facts() == ["Dislikes sam"]
