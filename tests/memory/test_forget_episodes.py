"""Episodes forgotten: neither found nor told again, while what was said and learned in them stays."""

import pytest

from app.clients.offline.extract import ExtractiveSummariser
from app.memory import forget_episodes, index
from app.memory.index import IndexQuery
from tests.conftest import MakeServices
from tests.memory.talking import Talk

EXAM = ["I have a chemistry exam on Friday and I am really scared of it", "My sister Ana says that I worry too much"]
MOVE = ["We signed the lease of the flat in Lisbon today", "The movers come next week and my dog hates boxes"]


@pytest.fixture
def alex(make_services: MakeServices) -> Talk:
    alex = Talk(make_services(summariser=ExtractiveSummariser()))
    for text in EXAM:
        alex.say(text)
    return alex


def test_it_is_found_no_more_and_its_texts_and_facts_stay(alex: Talk) -> None:
    alex.say("My dog is called Max")
    alex.fall_silent()
    learned = alex.learned(alex.episode)

    forgotten = forget_episodes(alex.services, alex.person_id, [1, 1, 8])

    assert ([one.name for one in forgotten.removed], forgotten.unknown) == (["ep1"], [8])
    assert alex.episodes() == []
    with alex.services.reading() as db:
        assert len(index.search(db, alex.person_id, "episode", IndexQuery("exam Ana Max"))) == 0
    [gone] = alex.versions()
    assert alex.covered(gone) == [*EXAM, "My dog is called Max"]
    assert alex.learned(gone) == learned
    assert any("Max" in fact for fact in learned)


@pytest.mark.parametrize("settings", [{"episode_triggers": "quiet,ended"}], indirect=True)
def test_what_is_said_next_in_the_same_conversation_is_told_without_it(alex: Talk) -> None:
    alex.say("good night")
    alex.clock.advance(minutes=2)
    alex.look()
    assert alex.episode.name == "ep1"

    forget_episodes(alex.services, alex.person_id, [1])
    for text in MOVE:
        alex.say(text)
    alex.fall_silent()

    assert len(alex.conversations()) == 1
    assert alex.episode.name == "ep2"
    assert alex.covered(alex.episode) == MOVE
    assert "exam" not in alex.episode.narrative


def test_nobody_elses_can_be_forgotten(alex: Talk) -> None:
    alex.fall_silent()
    ben = Talk(alex.services, "+12125550177")
    ben.say("hello")
    assert forget_episodes(alex.services, ben.person_id, [1]).unknown == [1]
    assert alex.episode.name == "ep1"
