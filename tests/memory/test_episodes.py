"""From texts to an episode, by the job, with the summariser that needs no model."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app import people
from app.features.offline.extract import ExtractiveSummariser
from app.memory import episodes, forget
from app.memory.episodes import count_use
from app.models import Change, Episode
from app.people.consents import refuse_for
from app.services import Services
from app.settings import Settings
from tests.conftest import MakeServices
from tests.keeping import ANA, EXAM, tell_of_the_exam
from tests.memory.remembering import BEN, TOLD
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
    told = f"{alex.episode.summary} {alex.episode.narrative} {alex.episode.key_facts} {alex.episode.topics}"
    assert len(alex.covered(alex.episode)) == covered
    assert [one for one in says if one not in told] == [one for one in not_ if one in told] == []


def test_facts_that_were_learned_in_it_are_linked(alex: Talk) -> None:
    tell_of_the_exam(alex)
    alex.say("My dog is called Max")
    alex.fall_silent()
    assert any("Max" in fact for fact in alex.learned(alex.episode))
    with alex.services.reading() as db:
        fact = next(one for one in episodes.facts(db, alex.episode) if "Max" in one.sentence)
        assert [one.name for one in episodes.of_fact(db, alex.person_id, fact.number)] == ["ep1"]


def test_each_person_has_numbers_of_their_own_and_others_name_none_and_none_is_used_again(alex: Talk) -> None:
    ben = Talk(alex.services, BEN)
    for one in (alex, ben):
        tell_of_the_exam(one)
    alex.fall_silent()
    assert (alex.episode.name, ben.episode.name) == ("ep1", "ep1")
    tell_of_the_exam(alex)
    alex.fall_silent()
    assert [one.name for one in alex.episodes()] == ["ep1", "ep2"]
    with alex.services.reading() as db:
        assert episodes.by_ids(db, ben.person_id, [one.id for one in alex.episodes()]) == []
        for number in (2, 0, -1, 2**63, 10**30):
            assert episodes.live_by_number(db, ben.person_id, number) is None
            assert episodes.versions(db, ben.person_id, number) == []
    with alex.services.transaction() as db:
        episodes.retire(db, db.get_one(Episode, alex.episodes()[-1].id), alex.clock.now())
    tell_of_the_exam(alex)
    alex.fall_silent()
    assert [one.name for one in alex.episodes()] == ["ep1", "ep3"], "none is used again"


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


@with_settings(episode_quiet_minutes=5)
def test_what_was_small_talk_belongs_to_what_follows_it(alex: Talk) -> None:
    alex.say("hey", "nice weather")
    alex.fall_silent(minutes=6)
    assert alex.episodes() == []
    tell_of_the_exam(alex)
    alex.fall_silent(minutes=6)
    assert alex.covered(alex.episode)[:2] == ["hey", "nice weather"]


NONE = {
    "small talk": ["hi", "nice weather today", "lol", "thanks, bye!"],
    "commands": ["/help", "/memory"],
    "memory off": ["/memory off", EXAM, ANA],
    "memory off since": [EXAM, ANA, "/memory off", "My father had a stroke last night"],
    "opted out": [EXAM, ANA],
    "asked what was": [
        "what did I say about my sister Ana?",
        "when was my exam?",
        "how did my dad's operation go?",
    ],
    "asked what is known": ["what do you know about my job at the hospital", "tell me everything about my wedding"],
    "asked to forget": ["forget that my father died in Denver", "undo that", "please delete all about my divorce"],
    "asked elsewhere": ["¿cuándo era mi examen?", "was habe ich über meine Schwester gesagt?", "我什么时候去医院？"],
}


@pytest.mark.parametrize("why", NONE)
def test_of_small_talk_of_what_is_only_asked_and_of_somebody_who_wants_none_there_is_none(alex: Talk, why: str) -> None:
    for words in NONE[why]:
        alex.say(words)
    if why == "opted out":
        refuse_for(alex.services, alex.person_id, "by phone")
    alex.fall_silent()
    assert (alex.episodes(), alex.unsummarised()) == ([], 0)


def test_an_episode_says_what_was_told_and_not_what_was_asked(alex: Talk) -> None:
    alex.say("My father Walter died on Sunday. Do you remember him?")
    alex.say("what did I tell you about his house in Denver?")
    alex.say("Can you believe my brother did not come?")
    alex.fall_silent()
    told = f"{alex.episode.summary} {alex.episode.narrative} {alex.episode.key_facts}"
    assert "My father Walter died" in alex.episode.summary
    assert "my brother did not come" in told
    assert not any(words in told for words in ("Do you remember", "what did I tell"))


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


def test_of_somebody_who_is_blocked_there_is_none_also_after_they_were_let_in(alex: Talk) -> None:
    tell_of_the_exam(alex)
    people.block(alex.services, alex.person_id)
    alex.fall_silent()
    people.let_in(alex.services, alex.person_id)
    alex.fall_silent()
    assert alex.episodes() == []


def test_what_is_told_anew_after_it_was_forgotten_is_not_left_out(alex: Talk) -> None:
    alex.say("My dog is called Max")
    forget(alex.services, alex.person_id, [1], TOLD)
    alex.clock.advance(hours=2)
    alex.say("I have a new dog and he is Max again, my father laughed and cried")
    alex.fall_silent()
    assert "Max" in alex.episodes()[-1].narrative


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


@with_settings(episode_triggers="none")
def test_with_no_trigger_nothing_becomes_an_episode_and_nothing_waits(alex: Talk) -> None:
    tell_of_the_exam(alex)
    alex.say("ok thanks, talk later!")
    alex.fall_silent()
    assert alex.episodes() == []
    assert alex.unsummarised() == 0


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


def test_use_is_counted_and_survives_a_new_version(alex: Talk) -> None:
    tell_of_the_exam(alex)
    alex.fall_silent()
    with alex.services.transaction() as db:
        count_use(db, alex.person_id, [1], alex.clock.now())
        count_use(db, alex.person_id, [1], alex.clock.now())
        count_use(db, alex.person_id, [], alex.clock.now())
    assert alex.episode.use_count == 2
    assert alex.episode.last_used_at == alex.clock.now()


def test_without_a_summariser_nothing_is_made_and_everything_waits(make_services: MakeServices) -> None:
    alex = Talk(make_services(summariser=None))
    tell_of_the_exam(alex)
    alex.fall_silent()
    assert alex.episodes() == []
    assert alex.unsummarised() == 1
    later = Talk(make_services(summariser=ExtractiveSummariser()))
    later.look()
    assert len(later.episodes()) == 1


def test_an_extract_teaches_nothing(alex: Talk, services: Services) -> None:
    tell_of_the_exam(alex)
    before = alex.facts()
    with services.reading() as db:
        changes = db.query(Change).count()
    alex.fall_silent()
    assert alex.facts() == before
    with services.reading() as db:
        assert db.query(Change).count() == changes


def test_r66_texts_of_a_hundred_thousand_characters_are_one_bounded_episode(alex: Talk) -> None:
    alex.say("My father wrote this. " + "exam " * 20_000)
    alex.say("x" * 100_000)
    alex.say("\x00\ud800 " + "🙂" * 2000)
    alex.fall_silent()
    for episode in alex.episodes():
        assert len(episode.summary) <= 400
        assert len(episode.narrative) <= 2000
    assert alex.unsummarised() == 0
