"""Forgotten things are in no live episode; the rest of the conversation is summarised again."""

import pytest
from sqlalchemy import select, text

from app.memory import forget, revise, undo
from app.models import EpisodeFact
from tests.keeping import tell_of_the_exam
from tests.memory.remembering import BEN, TOLD, tell
from tests.memory.talking import Talk
from tests.memory.test_episodes import with_settings


def tell_of_max(alex: Talk) -> None:
    alex.say("My dog is called Max")
    tell_of_the_exam(alex)
    alex.say("I also walk Max my dog before each exam")


def test_a_forgotten_fact_is_at_once_in_no_episode_found_and_what_else_happened_is_told_again(alex: Talk) -> None:
    tell_of_max(alex)
    alex.fall_silent()
    assert alex.found("Max") == ["ep1"]
    forget(alex.services, alex.person_id, [1], TOLD)
    assert alex.found("Max") == alex.found("exam") == []
    assert alex.episodes() == []
    with alex.services.reading() as db:
        words = db.execute(text("SELECT DISTINCT word FROM word_postings WHERE shelf & 3 = 2")).scalars().all()
        linked = db.scalars(select(EpisodeFact.fact_id)).all()
    assert words == []
    assert 1 not in linked
    alex.look()
    assert "exam" in alex.episode.summary
    assert "Max" not in alex.told
    assert (alex.found("Max"), alex.found("exam"), alex.unsummarised()) == ([], [alex.episode.name], 0)


def test_the_small_talk_around_a_forgotten_thing_is_no_episode(alex: Talk) -> None:
    alex.say("My father died in Denver last night")
    alex.say("I had soup for lunch")
    forget(alex.services, alex.person_id, [], TOLD, about=["my father"])
    alex.fall_silent()
    assert (alex.episodes(), alex.unsummarised()) == ([], 0)


@pytest.mark.parametrize("is_changed", [False, True])
def test_an_episode_that_says_it_or_said_it_is_told_again_wherever_it_was_learned(alex: Talk, is_changed: bool) -> None:
    alex.say("hello")
    tell(alex.services, alex.person_id, "Has a sister named Ana")
    tell_of_the_exam(alex)
    alex.fall_silent()
    assert alex.found("Ana") == ["ep1"]
    if is_changed:
        revise(alex.services, alex.person_id, 1, TOLD, fact="Has a sister named Olga")
    forget(alex.services, alex.person_id, [1], TOLD)
    alex.look()
    assert "Ana" not in alex.told
    assert "exam" in alex.told


def test_what_was_learned_and_undone_is_told_no_more_either(alex: Talk) -> None:
    alex.say("hello")
    tell_of_the_exam(alex)
    alex.fall_silent()
    tell(alex.services, alex.person_id, "Has a sister named Ana")
    assert undo(alex.services, alex.person_id) is not None
    assert alex.found("Ana") == []
    alex.look()
    assert "Ana" not in alex.told
    assert "exam" in alex.told


def test_nobody_elses_episode_and_none_of_other_things_is_touched(alex: Talk) -> None:
    ben = Talk(alex.services, BEN)
    tell_of_max(ben)
    tell_of_the_exam(alex)
    alex.fall_silent()
    alex.say("My dog is called Max. My father trained him for years")
    alex.fall_silent()
    first, second = alex.episodes()
    [told] = [fact for fact in alex.learned(second) if "Max" in fact]
    forget(alex.services, alex.person_id, [alex.facts().index(told) + 1], TOLD)
    assert [one.id for one in alex.episodes()] == [first.id]
    assert ben.found("Max") == ["ep1"]


@with_settings(episode_triggers="count,quiet", episode_messages=6)
def test_of_a_long_conversation_all_is_told_again_from_there_on_and_no_text_twice(alex: Talk) -> None:
    for number, friend in enumerate(("Ana", "Ben", "Olga", "Ida", "Max", "Tim", "Eva")):
        alex.say(f"My friend {friend} and I planned part {number} of our wedding trip to Rome")
        alex.look()
    alex.fall_silent()
    before = alex.episodes()
    assert [len(alex.covered(one)) for one in before] == [3, 3, 1]
    tell(alex.services, alex.person_id, "Has a friend named Max")
    [number] = [place for place, fact in enumerate(alex.facts(), 1) if fact == "Has a friend named Max"]
    forget(alex.services, alex.person_id, [number], TOLD)
    assert [one.id for one in alex.episodes()] == [before[0].id]
    alex.look()
    after = alex.episodes()
    covered = [text for one in after for text in alex.covered(one)]
    assert after[0].id == before[0].id
    assert len(covered) == len(set(covered)) == 7
    assert "Max" not in alex.told
    assert "Olga" in alex.told
    assert alex.unsummarised() == 0
