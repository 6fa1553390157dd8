"""From texts to an episode, by the job, with the summariser that needs no model."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app.people.consents import opt_out_for
from app.settings import Settings
from tests.conftest import MakeServices
from tests.keeping import ANA, EXAM, tell_of_the_exam
from tests.memory.talking import Talk


def with_settings(**settings: object) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("settings", [settings], indirect=True)


def test_e1_a_conversation_that_went_quiet_is_an_episode(alex: Talk) -> None:
    began = alex.clock.now() + timedelta(minutes=1)
    tell_of_the_exam(alex)
    assert alex.episodes() == []
    alex.fall_silent()
    episode = alex.episode
    assert (episode.name, episode.version, episode.trigger) == ("ep1", 1, "quiet")
    assert (episode.written_by, episode.note) == ("extractive", None)
    assert "exam" in episode.summary
    assert "sister Ana" in episode.narrative
    assert episode.topics
    assert 0 < episode.importance <= 1
    assert (episode.started_at, episode.message_count) == (began, 4)
    assert timedelta(minutes=1) <= episode.ended_at - began < timedelta(minutes=2)
    assert alex.covered(episode) == [EXAM, ANA]
    assert episode.conversation_id == alex.conversations()[0].id
    assert alex.unsummarised() == 0
    assert alex.batches() == []


CALLS = "My sister Ana said she would call me on Sunday, and I'm really nervous about our fight"
DOCTOR = "The doctor I saw on Monday wants me back by the end of the month"
SECRETS = "My bank password is hunter2. My card is 4111 1111 1111 1111. The exam costs 90 dollars"
STUDY = "I will study all night for the exam with Ana"
OFF = ("/memory off", "My father had a stroke last night", "/memory on")
SAYS = {
    # 07:00 of Sunday in London, and 23:00 of Saturday in Seattle.
    "day words by the person's zone": (14, [EXAM, ANA], 2, ["tomorrow [22 Nov 2026]"], []),
    "other times as they are": (0, [CALLS, DOCTOR], 2, [CALLS[9:52], DOCTOR[11:]], []),
    "no command": (0, [EXAM, ANA, "/memory"], 2, ["exam"], ["/memory"]),
    "no secret": (0, [EXAM, ANA, SECRETS], 3, ["exam"], ["hunter2", "4111"]),
    "nothing said while memory was off": (0, [EXAM, ANA, *OFF, STUDY], 3, ["study"], ["stroke"]),
}


@pytest.mark.parametrize(("hours", "texts", "covered", "says", "not_"), SAYS.values(), ids=SAYS)
def test_what_an_episode_says_and_what_it_does_not(
    alex: Talk, hours: float, texts: list[str], covered: int, says: list[str], not_: list[str]
) -> None:
    alex.clock.advance(hours=hours)
    for words in texts:
        alex.say(words)
    alex.fall_silent()
    assert len(alex.covered(alex.episode)) == covered
    assert [one for one in says if one not in alex.told] == [one for one in not_ if one in alex.told] == []


@with_settings(episode_quiet_minutes=5)
def test_more_that_is_said_in_the_same_conversation_reopens_its_episode(alex: Talk) -> None:
    tell_of_the_exam(alex)
    alex.fall_silent(minutes=6)
    alex.say("My father drives me to Tacoma for the exam, he was a teacher there")
    alex.fall_silent(minutes=6)
    assert (alex.episode.name, alex.episode.version, alex.episode.message_count) == ("ep1", 2, 6)
    assert "Tacoma" in alex.episode.narrative
    assert alex.found("exam") == alex.found("Tacoma") == ["ep1"], "as it is now"
    first, second = alex.versions()
    assert first.retired_at == second.recorded_at
    assert "Tacoma" not in first.narrative, "the old version is as it was"
    assert len(alex.covered(first)) == 2
    assert len(alex.covered(second)) == 3


def test_of_texts_that_come_late_together_each_goes_where_it_was_said(alex: Talk) -> None:
    tell_of_the_exam(alex)
    alex.fall_silent()
    ended = alex.episode.ended_at
    alex.clock.advance(minutes=150)
    alex.arrives_late("It is my third try and the last one that they allow", minutes_ago=178)
    alex.say("Now my father called from Denver, he had a stroke")
    alex.fall_silent()
    alex.fall_silent()
    first, second = alex.episodes()
    assert (first.version, len(alex.covered(first)), alex.unsummarised()) == (2, 3, 0)
    assert first.ended_at == ended + timedelta(minutes=3), "its answer, three hours later, ended nothing"
    assert alex.covered(second) == ["Now my father called from Denver, he had a stroke"]


NONE = {
    "small talk": ["hi", "nice weather today", "lol", "thanks, bye!"],
    "commands": ["/help", "/memory"],
    "memory off": ["/memory off", EXAM, ANA],
    "memory off since": [EXAM, ANA, "/memory off", "My father had a stroke last night"],
    "opted out": [EXAM, ANA],
    "asked what was": ["what did I say about my sister Ana?", "when was my exam?", "how did my dad's operation go?"],
    "asked what is known": ["what do you know about my job at the hospital", "tell me everything about my wedding"],
    "asked to forget": ["forget that my father died in Denver", "undo that", "please delete all about my divorce"],
    "asked elsewhere": ["¿cuándo era mi examen?", "was habe ich über meine Schwester gesagt?", "我什么时候去医院？"],
}


@pytest.mark.parametrize("why", NONE)
def test_of_small_talk_of_what_is_only_asked_and_of_somebody_who_wants_none_there_is_none(alex: Talk, why: str) -> None:
    for words in NONE[why]:
        alex.say(words)
    if why == "opted out":
        opt_out_for(alex.services, alex.person_id, "by phone")
    alex.fall_silent()
    assert (alex.episodes(), alex.unsummarised()) == ([], 0)


def test_an_episode_says_what_was_told_and_not_what_was_asked(alex: Talk) -> None:
    alex.say("My father Walter died on Sunday. Do you remember him?")
    alex.say("what did I tell you about his house in Denver?")
    alex.say("Can you believe my brother did not come?")
    alex.fall_silent()
    assert "My father Walter died" in alex.episode.summary
    assert "my brother did not come" in alex.told
    assert not any(words in alex.told for words in ("Do you remember", "what did I tell"))


@with_settings(episode_triggers="quiet,ended")
def test_a_question_about_an_episode_adds_nothing_to_it_and_news_do(alex: Talk) -> None:
    alex.say("I have an exam tomorrow and I'm really scared")
    alex.say("good night")
    alex.fall_silent(minutes=2)
    alex.say("when was my exam?")
    alex.say("good night")
    alex.fall_silent(minutes=2)
    assert alex.episode.version == 1
    alex.say("The exam is put off, the examiner broke his leg")
    alex.say("good night")
    alex.fall_silent(minutes=2)
    assert alex.episode.version == 2
    assert "when was" not in alex.episode.narrative


@with_settings(episode_triggers="count", episode_messages=6)
def test_every_so_many_messages_are_an_episode(alex: Talk) -> None:
    for number in range(7):
        alex.say(f"My sister Ana and I planned part {number} of our wedding trip to Rome")
        alex.look()
    assert [one.trigger for one in alex.episodes()] == ["count", "count"]
    assert [one.message_count for one in alex.episodes()] == [6, 6]
    alex.fall_silent()
    assert len(alex.episodes()) == 2, "quiet is not set"
    assert alex.unsummarised() == 0, "the rest is left for good: what is said next begins another conversation"


@with_settings(episode_triggers="ended")
def test_a_goodbye_makes_an_episode_and_one_more_thing_reopens_it(alex: Talk) -> None:
    tell_of_the_exam(alex)
    alex.say("ok thanks, talk later!")
    alex.look()
    assert alex.episodes() == []
    alex.clock.advance(minutes=1)
    alex.look()
    assert alex.episode.trigger == "ended"
    alex.say("Oh, and my father comes from Denver to be there at the exam")
    alex.say("bye")
    alex.fall_silent(minutes=2)
    assert (alex.episode.version, alex.episode.message_count) == (2, 10)


def test_a_day_without_a_pause_is_several_episodes_that_share_no_text(alex: Talk, make_services: MakeServices) -> None:
    day = Talk(replace(alex.services, settings=Settings(episode_triggers="quiet")))
    for number in range(12):
        day.say(f"Part {number} of what my father told of the war. " + "He walked home from Denver. " * 150, minutes=10)
    day.fall_silent()
    found = day.episodes()
    assert len(found) > 1
    covered = [text for episode in found for text in day.covered(episode)]
    assert len(covered) == len(set(covered)) == 12
    assert day.unsummarised() == 0
