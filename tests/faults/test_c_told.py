"""Cases C: what people are told while the model is down, and when nobody is told."""

from dataclasses import replace
from functools import partial
from itertools import pairwise

import pytest

from app.conversation.turn import answer
from app.jobs import tell_of_outage
from app.store.db import Database
from app.text import kind_words
from tests.claude_server import ClaudeServer, overloaded, rate_limited, say
from tests.fakes import FrozenClock
from tests.faults.outages import pass_time
from tests.phoning import Phone
from tests.stores import Meanwhile


def test_t9_the_person_is_told_after_a_minute_not_before_and_not_again_in_the_same_outage_within_the_hour(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.otherwise = overloaded()
    alex.text("Hello")
    pass_time(alex, clock, minutes=0.8)
    assert alex.received() == []
    pass_time(alex, clock, minutes=0.3)
    assert alex.received() == [kind_words.MODEL_DOWN]
    [notice] = alex.messages("out")
    assert (notice.purpose, notice.segments, notice.turn_id) == ("notice", 1, None)
    pass_time(alex, clock, minutes=4)
    alex.text("Still there?")
    pass_time(alex, clock, minutes=10)
    assert alex.received() == [kind_words.MODEL_DOWN]


def test_t9_nobody_is_told_when_the_answer_went_out_meanwhile(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.queue(*[overloaded()] * 3, say("Here I am."))
    alex.text("Hello")
    pass_time(alex, clock, minutes=5)
    assert alex.received() == ["Here I am."]


def test_t9_a_round_that_finds_nobody_to_tell_writes_nothing(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock, database: Database
) -> None:
    claude.otherwise = overloaded()
    alex.text("Hello")
    clock.advance(seconds=61)
    commits = [database.wait_for_change(-1, 0)]
    for _ in range(3):
        tell_of_outage.run(alex.services)
        commits.append(database.wait_for_change(-1, 0))
    assert [after - before for before, after in pairwise(commits)] == [1, 0, 0]
    alex.background.run()
    assert alex.received() == [kind_words.MODEL_DOWN]


def test_t9_nobody_is_told_when_the_model_comes_back_while_they_are_looked_for(
    alex: Phone, blair: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    def come_back() -> None:
        claude.otherwise = say("Here I am.")
        answer(blair.services, blair.person_id)

    claude.otherwise = overloaded()
    alex.text("Hello")
    blair.text("Hello")
    clock.advance(seconds=61)
    tell_of_outage.run(replace(alex.services, store=Meanwhile(alex.services.store, come_back)))
    alex.background.run()
    assert [text.body for text in alex.messages("out")] == ["Here I am."]


def test_t9_of_two_processes_that_find_somebody_to_tell_one_does(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.otherwise = overloaded()
    alex.text("Hello")
    clock.advance(seconds=61)
    other = partial(tell_of_outage.run, alex.services)
    tell_of_outage.run(replace(alex.services, store=Meanwhile(alex.services.store, other)))
    alex.background.run()
    assert [text.body for text in alex.messages("out")] == [kind_words.MODEL_DOWN]


@pytest.mark.parametrize("minutes", [779, 1080])  # 21:59 in Seattle, and 3:00: they are up, they have just texted.
def test_t9_at_night_whoever_texted_just_now_is_told(
    minutes: float, alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    clock.advance(minutes=minutes)
    claude.otherwise = overloaded()
    alex.text("Hello")
    pass_time(alex, clock, minutes=2)
    assert alex.received() == [kind_words.MODEL_DOWN]


def test_t9_at_night_nobody_is_told_of_a_text_that_they_sent_long_ago(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    clock.advance(hours=14)  # 23:00 in Seattle.
    alex.send("Hello")
    alex.background.woken.clear()
    clock.advance(minutes=11)  # The process was down meanwhile.
    claude.otherwise = overloaded()
    pass_time(alex, clock, minutes=30)
    assert alex.received() == []
    clock.advance(hours=7)
    pass_time(alex, clock, minutes=10)  # It is 6:51, and somewhat more.
    assert alex.received() == []
    pass_time(alex, clock, minutes=10)
    assert alex.received() == [kind_words.MODEL_DOWN]


def test_r38_a_spend_limit_of_three_days_is_told_at_most_once_a_day_and_only_to_who_texts(
    alex: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.otherwise = rate_limited(retry_after="1", code="enforced_spend_limit_reached")
    alex.text("Hello")
    pass_time(alex, clock, minutes=2)
    for _ in range(3):
        clock.advance(hours=6)
        alex.text("Hello?")
        pass_time(alex, clock, minutes=2)
    assert alex.received() == [kind_words.MODEL_DOWN]
    clock.advance(hours=6)
    pass_time(alex, clock, minutes=2)
    assert alex.received() == [kind_words.MODEL_DOWN] * 2
    clock.advance(hours=48)
    pass_time(alex, clock, minutes=2)
    assert alex.received() == [kind_words.MODEL_DOWN] * 2
    claude.otherwise = say("Here I am.")
    pass_time(alex, clock, minutes=20)
    assert alex.received()[2:] == ["Here I am.", "Here I am."]
