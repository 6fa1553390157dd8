"""Which conversations are worth an episode, on made-up ones; the gate was chosen on half of them."""

import pytest

from app.memory.episodes.significance import weigh
from tests.memory.talking import conversations_in


@pytest.mark.parametrize("name", ["small_talk", "significant"])
def test_what_matters_in_somebodys_life_is_worth_an_episode_and_small_talk_is_not(name: str) -> None:
    expected = name == "significant"
    assert [texts for texts in conversations_in(name) if weigh(texts).is_enough != expected] == []


def test_there_are_enough_of_them_to_tell() -> None:
    assert sum(len(conversations_in(name)) for name in ("small_talk", "significant")) >= 80
    assert sum(len(conversations_in(name)) for name in ("small_talk_unseen", "significant_unseen")) >= 40


def test_an_evening_of_small_talk_does_not_add_up_to_something() -> None:
    evening = [text for texts in conversations_in("small_talk") for text in texts]
    assert len(evening) > 60
    assert not weigh(evening).is_enough


def test_importance_grows_with_what_is_told_and_not_with_saying_it_again_in_any_language() -> None:
    once = weigh(["had pizza with Tom"]).importance
    assert weigh(["had pizza with Tom"] * 50).importance == once
    errand = weigh(["I have to fix the bike of my neighbour, the chain came off near the station"])
    loss = weigh(["My dad had a stroke last night", "He's in hospital, stable. I'm flying to Denver tomorrow morning"])
    assert 0 < errand.importance < loss.importance <= 1
    english = weigh(["Hello, it is nice out today, I feel fine", "My cat died"]).importance
    assert weigh(["你好，今天天气很好啊，我很开心", "我的猫死了"]).importance >= english - 0.05


def test_the_reason_says_nothing_that_the_person_wrote() -> None:
    weight = weigh(["My sister Zoraida lost her job at Acme"])
    assert weight.is_enough
    assert not {"zoraida", "acme", "sister"} & set(weight.reason.casefold().replace(",", "").split())


def test_r66_a_text_of_a_hundred_thousand_characters_is_weighed() -> None:
    weight = weigh(["word " * 20_000, "a" * 100_000, "I " * 50_000])
    assert weight.importance <= 1
