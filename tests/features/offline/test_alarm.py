"""Danger and despair in words that no rule knows: heard by meaning, and met with help lines."""

import pytest

from app.embeddings.local import LocalEmbedder
from app.features.offline.alarm import is_alarming
from app.features.offline.model import IF_IN_DANGER, MISSED, OfflineModel
from tests.conftest import MakeServices
from tests.fakes import FrozenClock
from tests.features.offline.asked import lines
from tests.features.offline.test_talk import Talk


@pytest.fixture
def alex(meaning: LocalEmbedder, make_services: MakeServices, clock: FrozenClock) -> Talk:
    return Talk(make_services(model=OfflineModel(clock, meaning)))


def test_most_alarms_are_heard_that_were_written_after_the_weights_and_few_calm_texts_are_taken_for_one(
    meaning: LocalEmbedder,
) -> None:
    heard: dict[str, list[bool]] = {"alarm": [], "calm": []}
    for label, text in (line.split("\t") for line in lines("alarm_unseen.tsv")):
        heard[label].append(is_alarming(meaning, float("inf"), text))
    assert sum(heard["alarm"]) > 0.8 * len(heard["alarm"])
    assert sum(heard["calm"]) < 0.04 * len(heard["calm"])


def test_alarming_words_that_are_not_understood_are_met_with_help(alex: Talk) -> None:
    assert alex.say("i wrote them all letters, they will find them when im gone") == f"{MISSED} {IF_IN_DANGER}"
    assert alex.say("should i worry if the baby is limp and blue?") == f"{MISSED} {IF_IN_DANGER}"
    assert IF_IN_DANGER not in (alex.say("the roof was painted blue"), alex.say("I like tea"))


def test_without_the_weights_embedder_only_the_rules_hear(meaning: LocalEmbedder) -> None:
    assert not is_alarming(None, float("inf"), "i want to disappear for good")
    assert not is_alarming(meaning, -1.0, "i want to disappear for good")
    assert is_alarming(meaning, float("inf"), "i want to disappear for good")


def test_an_alarming_text_is_not_said_back_beside_an_answer(alex: Talk) -> None:
    alex.say("Paul likes his eggs soft boiled")
    alex.say("I just want to be where Paul is now")
    alex.say("Paul had a cat as a boy")
    assert alex.say("Tell me about Paul") == (
        'You wrote: "Paul likes his eggs soft boiled". Later you wrote: "Paul had a cat as a boy".'
    )
