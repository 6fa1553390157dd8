"""What episodes cost: set aside before each call, never more than the background's share, and replies keep the rest."""

from dataclasses import replace

import pytest

from app.conversation import turn
from app.jobs import summarise_quiet
from app.memory.episodes.summarise import GIVEN_UP_AFTER
from tests.claude_server import ClaudeServer, Reply, several, truncated
from tests.conversation.spendings import alerts, already_spent, spendings, spent
from tests.keeping import EXAM, SUMMARY, keep, tell_of_the_exam
from tests.memory.remembering import BEN
from tests.memory.talking import Talk

RAISED = {"person_daily_budget_cents": 1000, "daily_budget_cents": 5000}


def test_what_an_episode_costs_is_set_aside_before_and_true_after(alex: Talk, claude: ClaudeServer) -> None:
    aside: list[float] = []

    def look(_: object) -> Reply:
        [under_way] = spendings(alex.services)
        assert not under_way.is_settled
        aside.append(under_way.cents)
        return keep(SUMMARY)

    claude.queue(look)
    tell_of_the_exam(alex)
    alex.fall_silent()
    [settled] = spendings(alex.services)
    assert settled.is_settled
    assert 0 < settled.cents < aside[0] < 1
    assert (settled.person_id, settled.turn_id) == (alex.person_id, None)


def costing(cents: float) -> Reply:
    """An episode with so much thinking before it."""
    thought = {"type": "thinking", "thinking": "x" * int(cents * 75_000), "signature": "c2ln"}
    return several([thought, *keep(SUMMARY).content])


@pytest.mark.parametrize(
    "settings",
    [{"person_daily_budget_cents": 8}, {"daily_budget_cents": 8, "person_daily_budget_cents": 100}],
    indirect=True,
)
def test_a_backlog_takes_a_quarter_of_a_days_money_at_most_and_the_rest_of_it_the_next_days(
    alex: Talk, claude: ClaudeServer, settings: object
) -> None:
    for number in range(12):
        alex.say(f"{EXAM}, and it is number {number}. My father will be there too")
        alex.clock.advance(minutes=31)
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


@pytest.mark.parametrize(
    ("cents", "is_made"), [(0, True), (70, True), (76, False)], ids=["none", "most", "all but the replies' own part"]
)
def test_what_replies_have_cost_counts_against_the_whole_and_not_against_the_backgrounds_share(
    alex: Talk, claude: ClaudeServer, cents: float, is_made: bool
) -> None:
    claude.otherwise = keep(SUMMARY)
    tell_of_the_exam(alex)
    already_spent(alex.services, alex.person_id, cents)
    alex.fall_silent()
    assert bool(alex.episodes()) == is_made


@pytest.mark.parametrize("settings", [{"person_daily_budget_cents": 1}], indirect=True)
def test_of_a_budget_whose_quarter_is_less_than_one_call_one_episode_a_day_is_made(
    alex: Talk, claude: ClaudeServer
) -> None:
    claude.otherwise = costing(0.2)
    for number in range(3):
        alex.say(f"{EXAM}, and it is number {number}. My father will be there too")
        alex.fall_silent()
    assert len(alex.episodes()) == 1
    alex.clock.advance(days=1)
    alex.look()
    assert len(alex.episodes()) == 2


def test_a_call_whose_end_nobody_saw_stays_counted(alex: Talk, claude: ClaudeServer) -> None:
    claude.queue(truncated(), keep(SUMMARY))
    tell_of_the_exam(alex)
    alex.fall_silent()
    lost, came = spendings(alex.services)
    assert (lost.is_settled, came.is_settled) == (False, True)
    assert alex.episode.summary == SUMMARY


@pytest.mark.parametrize("replies_cost", [100, 500])
def test_what_there_is_no_money_for_waits_for_the_next_day_and_is_nobodys_failure(
    alex: Talk, claude: ClaudeServer, replies_cost: float
) -> None:
    claude.otherwise = keep(SUMMARY)
    tell_of_the_exam(alex)
    for _ in range(GIVEN_UP_AFTER + 1):
        already_spent(alex.services, alex.person_id, replies_cost)
        for _ in range(5):
            alex.fall_silent(minutes=61)
        alex.clock.advance(hours=24 - 5.1)
    [batch] = alex.batches()
    assert (batch.failures, batch.attempts) == (0, GIVEN_UP_AFTER + 1), "one look a day"
    assert (claude.requests, alerts(alex.services)) == ([], set())
    alex.look()
    assert (alex.episode.summary, alex.unsummarised()) == (SUMMARY, 0)


def test_one_whose_money_is_spent_holds_back_nobody_else(alex: Talk, claude: ClaudeServer) -> None:
    claude.otherwise = keep(SUMMARY)
    ben = Talk(alex.services, BEN)
    for one in (alex, ben):
        tell_of_the_exam(one)
    already_spent(alex.services, alex.person_id, 100)
    alex.fall_silent()
    assert (alex.episodes(), ben.episode.summary) == ([], SUMMARY)


def test_after_a_start_with_more_money_it_is_looked_at_on_the_same_day(alex: Talk, claude: ClaudeServer) -> None:
    claude.otherwise = keep(SUMMARY)
    tell_of_the_exam(alex)
    already_spent(alex.services, alex.person_id, 100)
    alex.fall_silent()
    assert alex.episodes() == []
    raised = replace(alex.services, settings=alex.services.settings.model_copy(update=RAISED))
    turn.start(raised)
    summarise_quiet.run(raised)
    assert alex.episode.summary == SUMMARY
