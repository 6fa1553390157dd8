"""Conversations wait to be summarised, for the model or for money, and nobody summarises one twice."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from app.clients.claude import ClaudeModel
from app.conversation import turn
from app.errors import ModelDown
from app.features.offline.extract import ExtractiveSummariser
from app.jobs import summarise_quiet
from app.memory import forget
from app.memory.episodes.summarise import ALERT_BROKEN, GIVEN_UP_AFTER
from app.models import Person
from app.services.summaries import Draft, Summariser, ToSummarise
from tests.claude_server import ClaudeServer, Reply, error, html, overloaded, rate_limited, truncated
from tests.conftest import MakeServices
from tests.conversation.spendings import alerts
from tests.faults.meanwhile import Meanwhile
from tests.keeping import SMALL, SUMMARY, fact, keep, tell_of_the_exam
from tests.memory.remembering import BEN, TOLD, tell
from tests.memory.talking import Talk


@pytest.mark.parametrize("fault", [overloaded(), rate_limited(), html(), truncated(), error(500, "api_error")])
def test_while_the_model_is_down_the_texts_wait_and_are_summarised_once_when_it_is_back(
    fault: Reply, alex: Talk, claude: ClaudeServer
) -> None:
    claude.otherwise = fault
    tell_of_the_exam(alex)
    alex.fall_silent()
    assert alex.episodes() == []
    assert alex.unsummarised() == 1
    assert alex.batches()[0].failures == 1
    before = len(claude.requests)
    alex.look()
    assert len(claude.requests) == before, "it rests a while"
    claude.otherwise = keep(SUMMARY)
    alex.fall_silent(minutes=2)
    alex.fall_silent()
    assert (alex.episode.version, alex.episode.written_by) == (1, SMALL)
    assert alex.unsummarised() == 0


def test_r89_after_a_day_without_the_model_everything_is_summarised_once_and_in_order(
    alex: Talk, claude: ClaudeServer
) -> None:
    claude.otherwise = overloaded()
    ben = Talk(alex.services, BEN)
    for hour in range(6):
        alex.say(f"My sister Ana drives me to exam number {hour} in Tacoma", minutes=60)
        ben.say(f"My father had appointment number {hour} at the clinic")
        for _ in range(4):
            alex.look()
            alex.clock.advance(minutes=20)
            alex.look()
    assert len(alex.received()) == len(alex.messages("in")) == 6, "answers went on all day"
    claude.otherwise = lambda request: keep(str(request["messages"][0]["content"][0]["text"]).split(">")[2][:60])
    alex.clock.advance(hours=2)
    for _ in range(12):
        alex.look()
        alex.clock.advance(minutes=5)
    for one in (alex, ben):
        assert [episode.name for episode in one.episodes()] == [f"ep{number}" for number in range(1, 7)]
        assert [f"number {hour}" in one.covered(episode)[0] for hour, episode in enumerate(one.episodes())] == [
            True
        ] * 6
        assert all(episode.version == 1 for episode in one.episodes())
        assert one.unsummarised() == 0


def test_the_operator_learns_of_an_outage_that_lasts_and_that_it_is_over(alex: Talk, claude: ClaudeServer) -> None:
    claude.otherwise = error(401, "authentication_error")
    tell_of_the_exam(alex)
    alex.fall_silent()
    assert alerts(alex.services) == set()
    for _ in range(5):
        alex.fall_silent(minutes=61)
    assert alerts(alex.services) == {"summaries"}
    claude.otherwise = keep(SUMMARY)
    alex.fall_silent(minutes=61)
    assert alerts(alex.services) == set()
    assert alex.episode.summary == SUMMARY


def test_one_that_always_takes_too_long_is_written_without_the_model_in_the_end(
    alex: Talk, claude: ClaudeServer
) -> None:
    class Slow:
        """A small model that never makes it in time."""

        name = "slow"
        otherwise: Summariser | None = ExtractiveSummariser()

        def summarise(self, conversation: Any) -> Any:
            raise ModelDown("It took too long.", timed_out=True)

        def reserve_cents(self, conversation: Any) -> float:
            return 0.0

    slow = Talk(replace(alex.services, summariser=Slow()))
    tell_of_the_exam(slow)
    for _ in range(12):
        slow.fall_silent(minutes=61)
        assert slow.episodes() == []
    slow.fall_silent(minutes=61)
    assert slow.episode.written_by == "extractive"
    assert "took too long 13 times" in str(slow.episode.note)


def test_while_replies_meet_an_outage_nothing_else_asks_the_model(
    alex: Talk, claude: ClaudeServer, claude_model: ClaudeModel
) -> None:
    tell_of_the_exam(alex)
    services = replace(alex.services, model=claude_model)
    alex.background.start(lambda person_id: turn.answer(services, person_id))
    alex.clock.advance(minutes=31)
    claude.otherwise = overloaded()
    alex.text("Hello?")
    before = len(claude.requests)
    alex.look()
    assert len(claude.requests) == before
    assert alex.unsummarised() == 2


def test_whoever_was_overtaken_keeps_nothing(alex: Talk, claude: ClaudeServer) -> None:
    elsewhere = replace(alex.services, summariser=ExtractiveSummariser())

    def meanwhile(_: object) -> Reply:
        alex.clock.advance(minutes=10)  # The process was stopped for longer than its lease.
        summarise_quiet.run(elsewhere)
        return keep(SUMMARY, fact("Sister is named Ana", "My sister Ana"))

    claude.queue(meanwhile)
    tell_of_the_exam(alex)
    known = alex.facts()
    alex.fall_silent()
    assert (alex.episode.version, alex.episode.written_by) == (1, "extractive")
    assert alex.facts() == known
    assert alex.batches() == []


def test_nobody_else_takes_what_is_in_hand(alex: Talk, claude: ClaudeServer) -> None:
    seen: list[int] = []

    def meanwhile(_: object) -> Reply:
        elsewhere = Talk(replace(alex.services, summariser=ExtractiveSummariser()))
        elsewhere.look()
        seen.append(len(elsewhere.episodes()))
        return keep(SUMMARY)

    claude.queue(meanwhile)
    tell_of_the_exam(alex)
    alex.fall_silent()
    assert seen == [0]
    assert alex.episode.summary == SUMMARY


@pytest.mark.parametrize("settings", [{"episode_quiet_minutes": 5}], indirect=True)
def test_what_is_said_while_the_model_writes_reopens_the_episode(alex: Talk, claude: ClaudeServer) -> None:
    def meanwhile(_: object) -> Reply:
        alex.text("My father had a stroke, I fly to Denver now")
        return keep(SUMMARY)

    claude.queue(meanwhile, keep("Alex flies to Denver, as the father had a stroke."))
    tell_of_the_exam(alex)
    alex.fall_silent(minutes=6)
    assert (alex.episode.summary, len(alex.covered(alex.episode))) == (SUMMARY, 2)
    assert alex.unsummarised() == 1
    alex.fall_silent(minutes=6)
    assert (alex.episode.version, len(alex.covered(alex.episode))) == (2, 3)


def test_what_is_forgotten_while_the_model_writes_is_neither_told_nor_learned(alex: Talk, claude: ClaudeServer) -> None:
    alex.say("hello")
    tell(alex.services, alex.person_id, "Has a sister named Ana")

    def meanwhile(_: object) -> Reply:
        forget(alex.services, alex.person_id, [1], TOLD)
        return keep("Alex and the sister Ana spoke of an exam.", fact("Sister is named Ana", "My sister Ana says"))

    claude.queue(meanwhile)
    tell_of_the_exam(alex)
    known = alex.facts()
    alex.fall_silent()
    assert (alex.episodes(), alex.unsummarised()) == ([], 1)
    assert [batch.draft for batch in alex.batches()] == [None]
    claude.queue(keep(SUMMARY))
    alex.look()
    assert "Ana" not in str(claude.requests[-1]["messages"])
    assert (alex.episode.summary, alex.unsummarised()) == (SUMMARY, 0)
    assert alex.facts() == [one for one in known if one != "Has a sister named Ana"]


STEPS = ("taken", "paid for", "charged", "drafted", "kept")
"""Each is a writing transaction of its own."""


@pytest.mark.parametrize("settings", [{"episode_quiet_minutes": 5}], indirect=True)
@pytest.mark.parametrize("words", ["/memory off", "STOP"])
@pytest.mark.parametrize("step", STEPS)
def test_nothing_is_kept_once_memory_is_off_or_the_person_stopped_whatever_was_under_way(
    alex: Talk, claude: ClaudeServer, step: str, words: str
) -> None:
    claude.otherwise = keep(SUMMARY, fact("Sister is named Ana", "My sister Ana says I worry"))
    tell_of_the_exam(alex)
    known = alex.facts()
    alex.clock.advance(minutes=6)
    store = Meanwhile(alex.services.store, lambda: alex.text(words), after=STEPS.index(step))
    summarise_quiet.run(replace(alex.services, store=store))

    assert (alex.episodes(), alex.facts()) == ([], known)
    alex.fall_silent()
    assert (alex.episodes(), alex.batches(), alex.unsummarised()) == ([], [], 0)


@pytest.mark.parametrize("step", STEPS[1:])
def test_what_is_forgotten_at_any_moment_before_an_episode_is_kept_is_in_none(
    alex: Talk, claude: ClaudeServer, step: str
) -> None:
    alex.say("hello")
    tell(alex.services, alex.person_id, "Has a sister named Ana")
    claude.otherwise = keep("Alex and the sister Ana spoke.", fact("Sister is named Ana", "My sister Ana says"))
    tell_of_the_exam(alex)
    known = alex.facts()
    alex.clock.advance(minutes=31)
    forgetting = partial(forget, alex.services, alex.person_id, [1], TOLD)
    summarise_quiet.run(
        replace(alex.services, store=Meanwhile(alex.services.store, forgetting, after=STEPS.index(step)))
    )

    assert alex.episodes() == []
    assert alex.facts() == [one for one in known if one != "Has a sister named Ana"]


def test_one_conversation_that_breaks_keeps_no_other_from_its_episode(
    alex: Talk, claude: ClaudeServer, caplog: pytest.LogCaptureFixture
) -> None:
    claude.otherwise = keep(SUMMARY)
    ben = Talk(alex.services, BEN)
    for one in (alex, ben):
        tell_of_the_exam(one)
    with alex.services.transaction() as db:
        db.get_one(Person, alex.person_id).timezone = "Nowhere/Gone"
    alex.fall_silent()
    assert alex.episodes() == []
    assert ben.episode.summary == SUMMARY
    assert "could not be summarised" in caplog.text
    assert "exam" not in caplog.text.replace("keep_episode", "")
    with alex.services.transaction() as db:
        db.get_one(Person, alex.person_id).timezone = "America/New_York"
    alex.fall_silent()
    assert alex.episode.summary == SUMMARY


def test_a_run_ends_before_the_next_begins(alex: Talk, claude: ClaudeServer, make_services: MakeServices) -> None:
    def slowly(_: object) -> Reply:
        alex.clock.advance(seconds=20)
        return keep(SUMMARY)

    claude.otherwise = slowly
    for number in range(4):
        tell_of_the_exam(Talk(alex.services, f"+1206555020{number}"))
    alex.clock.advance(minutes=31)
    summarise_quiet.run(alex.services)
    assert len(claude.requests) == 2


class Breaks:
    """A summariser that one conversation breaks, whoever tries."""

    name = "breaks"
    otherwise = None

    def __init__(self, at: str) -> None:
        self._at = at
        self._well = ExtractiveSummariser()

    def summarise(self, conversation: ToSummarise) -> Draft:
        if any(self._at in text.words for text in conversation.texts):
            raise KeyError(self._at)
        return self._well.summarise(conversation)

    def reserve_cents(self, conversation: ToSummarise) -> float:
        return 0.0 * len(conversation.texts)


def test_a_conversation_that_breaks_whoever_summarises_it_holds_back_none_of_those_after_it(
    make_services: MakeServices,
) -> None:
    alex = Talk(make_services(summariser=Breaks("exam")))
    tell_of_the_exam(alex)
    alex.fall_silent()
    alex.say("We saw hundreds of bats leave a cave in Austin, under the bridge. I was scared", minutes=60)
    assert (alex.episodes(), alerts(alex.services)) == ([], set())

    for _ in range(GIVEN_UP_AFTER):
        alex.fall_silent(minutes=61)

    assert "bats" in alex.episode.summary
    assert alex.unsummarised() == 0
    assert alerts(alex.services) == {ALERT_BROKEN}


def test_a_draft_that_breaks_what_is_made_of_it_is_asked_for_anew(alex: Talk, claude: ClaudeServer) -> None:
    claude.queue(keep(SUMMARY, facts=1))
    tell_of_the_exam(alex)
    alex.fall_silent()

    assert alex.episode.summary == SUMMARY
