"""Conversations that are worth an episode, and events by importance, on made-up data in tests/data."""

import pytest

from app.memory.episodes.significance import MOST, weigh, weight
from tests.memory.talking import DATA, conversations_in
from tests.tables import rows


@pytest.mark.parametrize("name", ["small_talk", "significant"])
def test_what_matters_in_somebodys_life_is_worth_an_episode_and_small_talk_is_not(name: str) -> None:
    expected = name == "significant"
    assert [texts for texts in conversations_in(name) if weigh(texts).is_enough != expected] == []


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
    weighed = weigh(["My sister Zoraida lost her job at Acme"])
    assert weighed.is_enough
    assert not {"zoraida", "acme", "sister"} & set(weighed.reason.casefold().replace(",", "").split())


def test_r66_a_text_of_a_hundred_thousand_characters_is_weighed() -> None:
    for words in ("word " * 20_000, "I " * 50_000, "lost my " * 12_500, "got a new " * 10_000, "去" * 100_000):
        assert weigh([words]).importance <= 1


def pairs(name: str) -> list[tuple[str, str]]:
    lines = (DATA / f"{name}.txt").read_text().splitlines()
    told = [line.split(" > ") for line in lines if line and not line.startswith("#")]
    return [(more, less) for more, less in told]


@pytest.mark.parametrize(("more", "less"), pairs("weightier"), ids=lambda words: words)
def test_what_matters_more_weighs_more(more: str, less: str) -> None:
    assert weight(more) > weight(less)
    assert weigh([more]).importance > weigh([less]).importance


def test_what_was_written_after_the_scale_is_told_apart_as_well() -> None:
    unseen = pairs("weightier_unseen")
    right = [more for more, less in unseen if weight(more) > weight(less)]
    assert len(right) >= 0.95 * len(unseen)


@pytest.mark.parametrize(("words", "least", "most"), rows("weighed.jsonl"))
def test_importance_stands_where_the_summariser_is_told_to_put_it(words: str, least: float, most: float) -> None:
    assert least <= weigh([words]).importance <= most


def test_a_second_loss_adds_to_the_first_and_nothing_is_above_the_scale() -> None:
    assert weight("I lost my job and my wife left me") > weight("I lost my job")
    assert weight("My wife died and I have cancer and lost my job and we are getting divorced") == MOST
