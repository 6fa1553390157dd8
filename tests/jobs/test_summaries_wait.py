"""Conversations wait to be summarised, for the model or for money, and nobody summarises one twice."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from app.clients.claude import ClaudeModel
from app.conversation import turn
from app.errors import ModelDown
from app.features.offline.extract import ExtractiveSummariser
from app.jobs import beat, summarise_quiet
from app.memory import forget
from app.memory.episodes.summarise import ALERT_BROKEN, GIVEN_UP_AFTER
from app.models import Person
from app.services.model import Draft, Summariser, ToSummarise
from tests.claude_server import ClaudeServer, Reply, error, html, overloaded, rate_limited, several, truncated
from tests.conftest import MakeServices
from tests.conversation.spendings import alerts, already_spent, spendings, spent
from tests.keeping import EXAM, SMALL, SUMMARY, fact, keep, tell_of_the_exam
from tests.memory.remembering import BEN, TOLD, tell
from tests.memory.talking import Talk
from tests.stores import Meanwhile


class Breaks(ExtractiveSummariser):
    """A summariser that fails on one conversation every time."""

    def __init__(self, at: str, error: Exception) -> None:
        super().__init__()
        self._at, self._error = at, error

    def summarise(self, conversation: ToSummarise) -> Draft:
        if any(self._at in text.words for text in conversation.texts):
            raise self._error
        return super().summarise(conversation)


def costing(cents: float) -> Reply:
    """An episode with so much thinking before it."""
    thought = {"type": "thinking", "thinking": "x" * int(cents * 75_000), "signature": "c2ln"}
    return several([thought, *keep(SUMMARY).content])


def then(does: Callable[[], object], reply: Reply) -> Callable[[object], Reply]:
    """A script that runs `does` while the model writes, and then gives its answer."""

    def meanwhile(_: object) -> Reply:
        does()
        return reply

    return meanwhile


def tell_of_exams(alex: Talk, count: int) -> None:
    for number in range(count):
        alex.say(f"{EXAM}, and it is number {number}. My father will be there too")
        alex.clock.advance(minutes=31)


@pytest.mark.parametrize("fault", [overloaded(), rate_limited(), html(), truncated(), error(500, "api_error")])
def test_in_an_outage_texts_wait_and_are_summarised_once_after(fault: Reply, alex: Talk, claude: ClaudeServer) -> None:
    claude.otherwise = fault
    tell_of_the_exam(alex)
    alex.fall_silent()
    assert (alex.episodes(), alex.unsummarised(), alex.batches()[0].failures) == ([], 1, 1)
    before = len(claude.requests)
    alex.look()
    assert len(claude.requests) == before, "it rests a while"
    claude.otherwise = keep(SUMMARY)
    alex.fall_silent(minutes=2)
    alex.fall_silent()
    assert (alex.episode.version, alex.episode.written_by, alex.unsummarised()) == (1, SMALL, 0)


def test_r89_after_a_day_without_the_model_all_is_summarised_once_in_order(alex: Talk, claude: ClaudeServer) -> None:
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
        told = one.episodes()
        assert [(episode.name, episode.version) for episode in told] == [(f"ep{number}", 1) for number in range(1, 7)]
        assert all(f"number {hour}" in one.covered(episode)[0] for hour, episode in enumerate(told))
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
    assert (alerts(alex.services), alex.episode.summary) == (set(), SUMMARY)


def test_one_that_always_takes_too_long_is_written_without_the_model_in_the_end(alex: Talk) -> None:
    class Slow(Breaks):
        name = "slow"
        otherwise: Summariser | None = ExtractiveSummariser()

    slow = Talk(replace(alex.services, summariser=Slow("", ModelDown("It took too long.", timed_out=True))))
    tell_of_the_exam(slow)
    for _ in range(12):
        slow.fall_silent(minutes=61)
        assert slow.episodes() == []
    slow.fall_silent(minutes=61)
    assert slow.episode.written_by == "extractive"
    assert "took too long 13 times" in str(slow.episode.note)


def test_in_an_outage_nothing_else_asks_the_model(alex: Talk, claude: ClaudeServer, claude_model: ClaudeModel) -> None:
    tell_of_the_exam(alex)
    services = replace(alex.services, model=claude_model)
    alex.background.start(lambda person_id: turn.answer(services, person_id))
    alex.clock.advance(minutes=31)
    claude.otherwise = overloaded()
    alex.text("Hello?")
    before = len(claude.requests)
    alex.look()
    assert (len(claude.requests), alex.unsummarised()) == (before, 2)


@pytest.mark.parametrize(("minutes", "by"), [(0, SMALL), (10, "extractive")], ids=["in hand", "lease over"])
def test_nobody_else_takes_what_is_in_hand_and_whoever_was_overtaken_keeps_nothing(
    alex: Talk, claude: ClaudeServer, minutes: float, by: str
) -> None:
    elsewhere = Talk(replace(alex.services, summariser=ExtractiveSummariser()))
    learned = fact("Sister is named Ana", "My sister Ana")
    claude.queue(then(lambda: elsewhere.fall_silent(minutes=minutes), keep(SUMMARY, learned)))
    tell_of_the_exam(alex)
    known = alex.facts()
    alex.fall_silent()
    assert (alex.episode.version, alex.episode.written_by, alex.batches()) == (1, by, [])
    assert alex.facts() == [*known, *([learned["fact"]] if by == SMALL else [])]


STEPS = ("taken", "paid for", "charged", "kept")  # Each is a writing transaction of its own.


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
    store: Any = Meanwhile(alex.services.store, lambda: alex.text(words), after=STEPS.index(step))
    summarise_quiet.run(replace(alex.services, store=store))
    assert (alex.episodes(), alex.facts()) == ([], known)
    alex.fall_silent()
    assert (alex.episodes(), alex.batches(), alex.unsummarised()) == ([], [], 0)


@pytest.mark.parametrize("step", STEPS[1:])
def test_what_is_forgotten_at_any_moment_before_an_episode_is_kept_is_neither_told_nor_learned(
    alex: Talk, claude: ClaudeServer, step: str
) -> None:
    alex.say("hello")
    tell(alex.services, alex.person_id, "Has a sister named Ana")
    claude.queue(keep("Alex and the sister Ana spoke.", fact("Sister is named Ana", "My sister Ana says")))
    tell_of_the_exam(alex)
    known = [one for one in alex.facts() if one != "Has a sister named Ana"]
    alex.clock.advance(minutes=31)
    forgetting = partial(forget, alex.services, alex.person_id, [1], TOLD)
    store: Any = Meanwhile(alex.services.store, forgetting, after=STEPS.index(step))
    summarise_quiet.run(replace(alex.services, store=store))
    assert (alex.episodes(), alex.unsummarised(), alex.facts()) == ([], 1, known)
    claude.queue(keep(SUMMARY))
    alex.look()
    assert "Ana" not in str(claude.requests[-1]["messages"])
    assert (alex.episode.summary, alex.unsummarised(), alex.facts()) == (SUMMARY, 0, known)


def test_one_that_breaks_stops_no_other(alex: Talk, claude: ClaudeServer, caplog: pytest.LogCaptureFixture) -> None:
    claude.otherwise = keep(SUMMARY)
    ben = Talk(alex.services, BEN)
    for one in (alex, ben):
        tell_of_the_exam(one)
    for zone, told in (("Nowhere/Gone", []), ("America/New_York", [SUMMARY])):
        with alex.services.transaction() as db:
            db.get_one(Person, alex.person_id).timezone = zone
        alex.fall_silent()
        assert [one.summary for one in alex.episodes()] == told
        assert ben.episode.summary == SUMMARY
    assert "could not be summarised" in caplog.text
    assert "exam" not in caplog.text.replace("keep_episode", "")


def test_a_run_ends_before_the_next_begins(alex: Talk, claude: ClaudeServer) -> None:
    claude.otherwise = then(lambda: alex.clock.advance(seconds=20), keep(SUMMARY))
    for number in range(4):
        tell_of_the_exam(Talk(alex.services, f"+1206555020{number}"))
    alex.fall_silent()
    assert len(claude.requests) == 2


def test_a_conversation_that_breaks_its_summariser_holds_back_none_after_it(make_services: MakeServices) -> None:
    alex = Talk(make_services(summariser=Breaks("exam", KeyError("exam"))))
    tell_of_the_exam(alex)
    alex.fall_silent()
    alex.say("We saw hundreds of bats leave a cave in Austin, under the bridge. I was scared", minutes=60)
    assert (alex.episodes(), alerts(alex.services)) == ([], set())
    for _ in range(GIVEN_UP_AFTER):
        alex.fall_silent(minutes=61)
    assert "bats" in alex.episode.summary
    assert (alex.unsummarised(), alerts(alex.services)) == (0, {ALERT_BROKEN})
    alex.clock.advance(days=1, minutes=1)
    beat.run(alex.services)
    assert alerts(alex.services) == set(), "nothing else ends it"


def test_what_an_episode_costs_is_set_aside_before_and_true_after_but_where_nobody_saw_the_end_of_its_call(
    alex: Talk, claude: ClaudeServer
) -> None:
    aside: list[Any] = []
    claude.queue(truncated(), then(lambda: aside.extend(spendings(alex.services)), keep(SUMMARY)))
    tell_of_the_exam(alex)
    alex.fall_silent()
    [_, under_way], [lost, settled] = aside, spendings(alex.services)
    assert (under_way.is_settled, lost.is_settled, settled.is_settled) == (False, False, True)
    assert 0 < settled.cents < under_way.cents < 1
    assert (settled.person_id, settled.turn_id, alex.episode.summary) == (alex.person_id, None, SUMMARY)


@pytest.mark.parametrize(
    "settings",
    [{"person_daily_budget_cents": 8}, {"daily_budget_cents": 8, "person_daily_budget_cents": 100}],
    indirect=True,
)
def test_a_backlog_takes_a_quarter_of_a_days_money_at_most_and_the_rest_of_it_the_next_days(
    alex: Talk, claude: ClaudeServer, settings: object
) -> None:
    tell_of_exams(alex, 12)
    claude.otherwise = costing(0.4)
    alex.clock.advance(hours=12)  # Noon, by the budget's day.
    made = [0]
    while made[-1] < 12:
        for _ in range(3):
            alex.fall_silent()
        assert spent(alex.services) <= 2
        made.append(len(alex.episodes()))
        alex.clock.advance(days=1)
    assert made == sorted(set(made)), "more of it each day"
    assert len(made) == 4, "in three days"


@pytest.mark.parametrize("settings", [{"person_daily_budget_cents": 1}], indirect=True)
def test_of_a_budget_with_a_quarter_below_one_call_an_episode_a_day_is_made(alex: Talk, claude: ClaudeServer) -> None:
    claude.otherwise = costing(0.2)
    tell_of_exams(alex, 3)
    for made in (1, 2):
        for _ in range(3):
            alex.look()
        assert len(alex.episodes()) == made
        alex.clock.advance(days=1)


@pytest.mark.parametrize("replies_cost", [100, 500])
def test_without_money_it_waits_for_tomorrow(alex: Talk, claude: ClaudeServer, replies_cost: float) -> None:
    claude.otherwise = keep(SUMMARY)
    tell_of_the_exam(alex)
    already_spent(alex.services, alex.person_id, replies_cost)
    for _ in range(12):
        alex.fall_silent(minutes=31)
    [batch] = alex.batches()
    assert (batch.failures, batch.attempts) == (0, 6), "one look an hour"
    assert (claude.requests, alerts(alex.services)) == ([], set())
    alex.clock.advance(hours=24)
    alex.look()
    assert (alex.episode.summary, alex.unsummarised()) == (SUMMARY, 0)


def test_one_whose_money_is_spent_holds_back_nobody(alex: Talk, claude: ClaudeServer) -> None:
    claude.otherwise = keep(SUMMARY)
    ben = Talk(alex.services, BEN)
    for one in (alex, ben):
        tell_of_the_exam(one)
    already_spent(alex.services, alex.person_id, 100)
    alex.fall_silent()
    assert (alex.episodes(), ben.episode.summary) == ([], SUMMARY)
