"""A search of episodes and messages finds nothing forgotten, and nothing of other people."""

import pytest

from app.features.offline.extract import ExtractiveSummariser
from app.memory import forget, recall
from app.memory.recall import Recalled
from tests.conftest import MakeServices
from tests.conversation.recalling import index_all
from tests.memory.remembering import TOLD, tell
from tests.memory.talking import Talk

BATS = "We saw hundreds of bats leave a cave in Austin, under the bridge. I was scared"


@pytest.fixture
def alex(make_services: MakeServices) -> Talk:
    alex = Talk(make_services(summariser=ExtractiveSummariser()))
    alex.say(BATS)
    alex.say("My sister Ana wanted to take one home to Boston")
    alex.fall_silent()
    index_all(alex.services)
    return alex


def look(alex: Talk, query: str) -> Recalled:
    return recall(alex.services, alex.person_id, query)


def test_what_was_said_is_found_word_for_word_beside_what_happened(alex: Talk) -> None:
    found = look(alex, "bats in a cave")

    assert found.messages[0].words == BATS
    assert [one.episode.name for one in found.episodes] == ["ep1"]
    assert 0 < found.messages[0].relevance <= 1


def test_sentences_that_speak_of_what_was_forgotten_are_left_out(alex: Talk) -> None:
    tell(alex.services, alex.person_id, "Saw bats leave a cave in Austin")
    number = next(one.fact.number for one in look(alex, "bats").facts)
    forget(alex.services, alex.person_id, [number], TOLD)

    found = look(alex, "bats in a cave, scared")

    assert [one.words for one in found.messages if "cave" in one.words or "bats" in one.words] == []
    assert found.episodes == []


def test_r87_a_secret_that_stands_beside_what_is_found_is_not_brought_back(alex: Talk) -> None:
    alex.say("The dentist moved to Friday. My wifi password is hunter2zebra")
    index_all(alex.services)

    found = look(alex, "when is the dentist?")

    assert "The dentist moved to Friday." in [one.words for one in found.messages]
    assert not any("hunter2zebra" in one.words for one in found.messages)


def test_r80_what_another_person_said_is_not_found(alex: Talk) -> None:
    blair = Talk(alex.services, "+12125550101")
    blair.say("hello there, I sell violet umbrellas")
    index_all(alex.services)

    assert not look(alex, "violet umbrellas")
    assert not look(blair, "bats in a cave")
