"""Episodes forgotten: neither found nor told again, while what was said and learned in them stays."""

import pytest

from app.memory import forget, forget_episodes, index, restore_episodes, undo
from app.memory.episodes import batches
from app.memory.index import IndexQuery
from tests.memory.remembering import OPERATOR, TOLD, tell
from tests.memory.talking import Talk

EXAM = ["I have a chemistry exam on Friday and I am really scared of it", "My sister Ana says that I worry too much"]
MOVE = ["We signed the lease of the flat in Lisbon today", "The movers come next week and my dog hates boxes"]


@pytest.fixture
def alex(alex: Talk) -> Talk:
    for text in EXAM:
        alex.say(text)
    return alex


def test_it_is_found_no_more_and_its_texts_and_facts_stay(alex: Talk) -> None:
    alex.say("My dog is called Max")
    alex.fall_silent()
    learned = alex.learned(alex.episode)

    forgotten = forget_episodes(alex.services, alex.person_id, [1, 1, 8], OPERATOR)

    assert ([one.name for one in forgotten.removed], forgotten.unknown) == (["ep1"], [8])
    ben = Talk(alex.services, "+12125550177")
    ben.say("hello")
    assert forget_episodes(alex.services, ben.person_id, [1], OPERATOR).unknown == [1], "another person's"
    assert alex.episodes() == []
    with alex.services.reading() as db:
        assert len(index.search(db, alex.person_id, "episode", IndexQuery("exam Ana Max"))) == 0
    [gone] = alex.versions()
    assert alex.covered(gone) == [*EXAM, "My dog is called Max"]
    assert alex.learned(gone) == learned
    assert any("Max" in fact for fact in learned)


def test_an_undo_brings_it_back_and_only_the_next_one_takes_back_what_was_changed_before(alex: Talk) -> None:
    alex.fall_silent()
    alex.say("My dog is called Max")
    tell(alex.services, alex.person_id, "Likes tea")
    before, known = alex.episode, alex.facts()
    forget_episodes(alex.services, alex.person_id, [1], OPERATOR)
    assert alex.found("exam") == []

    assert alex.text("/undo") == [f"Undone: remembered again: {before.summary}"]

    back = alex.episode
    assert (back.name, back.version, back.narrative, back.key_facts, back.started_at) == (
        *("ep1", 2, before.narrative, before.key_facts),
        before.started_at,
    )
    assert (alex.covered(back), alex.learned(back)) == (alex.covered(before), alex.learned(before))
    assert alex.found("exam") == ["ep1"]
    assert alex.facts() == known
    alex.text("/undo")
    assert alex.facts() == [fact for fact in known if fact != "Likes tea"]
    assert alex.episode.name == "ep1"


@pytest.mark.parametrize("settings", [{"episode_triggers": "quiet,ended"}], indirect=True)
def test_what_is_said_next_is_told_without_it_and_stands_beside_what_an_undo_brings_back(alex: Talk) -> None:
    alex.say("good night")
    alex.clock.advance(minutes=2)
    alex.look()
    forget_episodes(alex.services, alex.person_id, [1], OPERATOR)
    for text in MOVE:
        alex.say(text)
    alex.fall_silent()
    assert (len(alex.conversations()), alex.episode.name, alex.covered(alex.episode)) == (1, "ep2", MOVE)

    undo(alex.services, alex.person_id)
    alex.fall_silent()

    assert [one.name for one in alex.episodes()] == ["ep1", "ep2"]
    assert [alex.covered(one) for one in alex.episodes()] == [[*EXAM, "good night"], MOVE]


@pytest.mark.parametrize("settings", [{"episode_triggers": "quiet,ended"}], indirect=True)
@pytest.mark.parametrize("is_told_again", [True, False])
def test_one_whose_texts_are_told_again_for_a_forgotten_fact_does_not_come_back_beside(
    alex: Talk, is_told_again: bool
) -> None:
    tell(alex.services, alex.person_id, "Has a chemistry exam")
    alex.say("good night")
    alex.clock.advance(minutes=2)
    alex.look()
    with alex.services.transaction() as db:  # As where the conversation outgrew its room.
        batches.close_up_to(db, alex.conversations()[0].id, alex.episode.upto_turn_id)
    for text in MOVE:
        alex.say(text)
    alex.fall_silent()
    assert [alex.covered(one) for one in alex.episodes()] == [[*EXAM, "good night"], MOVE]
    forget_episodes(alex.services, alex.person_id, [2], OPERATOR)
    forget(alex.services, alex.person_id, [alex.facts().index("Has a chemistry exam") + 1], TOLD)
    if is_told_again:
        alex.look()

    assert restore_episodes(alex.services, alex.person_id, 2).told_anew == [2]

    alex.look()
    covered = [text for one in alex.episodes() for text in alex.covered(one)]
    assert sorted(covered) == sorted([*EXAM, "good night", *MOVE]), "each once"
