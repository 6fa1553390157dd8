"""Cases C: what people are told while the model is down, and when nobody is told."""

from dataclasses import replace
from functools import partial
from itertools import pairwise

import pytest

from app.conversation.turn import answer
from app.jobs import tell_of_outage
from app.store.db import Database
from app.text import kind_words
from tests.claude_server import overloaded, rate_limited, say
from tests.faults.outages import Scene
from tests.stores import Meanwhile


def test_t9_the_person_is_told_after_a_minute_not_before_and_not_again_in_the_same_outage_within_the_hour(
    scene: Scene,
) -> None:
    scene.claude.otherwise = overloaded()
    scene.alex.text("Hello")
    scene.pass_time(minutes=0.8)
    assert scene.alex.received() == []
    scene.pass_time(minutes=0.3)
    assert scene.alex.received() == [kind_words.MODEL_DOWN]
    [notice] = scene.alex.messages("out")
    assert (notice.purpose, notice.segments, notice.turn_id) == ("notice", 1, None)
    scene.pass_time(minutes=4)
    scene.alex.text("Still there?")
    scene.pass_time(minutes=10)
    assert scene.alex.received() == [kind_words.MODEL_DOWN]


def test_t9_nobody_is_told_when_the_answer_went_out_meanwhile(scene: Scene) -> None:
    scene.claude.queue(*[overloaded()] * 3, say("Here I am."))
    scene.alex.text("Hello")
    scene.pass_time(minutes=5)
    assert scene.alex.received() == ["Here I am."]


def test_t9_a_round_that_finds_nobody_to_tell_writes_nothing(scene: Scene, database: Database) -> None:
    scene.claude.otherwise = overloaded()
    scene.alex.text("Hello")
    scene.clock.advance(seconds=61)
    commits = [database.wait_for_change(-1, 0)]
    for _ in range(3):
        tell_of_outage.run(scene.services)
        commits.append(database.wait_for_change(-1, 0))
    assert [after - before for before, after in pairwise(commits)] == [1, 0, 0]
    scene.background.run()
    assert scene.alex.received() == [kind_words.MODEL_DOWN]


def test_t9_nobody_is_told_when_the_model_comes_back_while_they_are_looked_for(scene: Scene) -> None:
    def come_back() -> None:
        scene.claude.otherwise = say("Here I am.")
        answer(scene.blair.services, scene.blair.person_id)

    scene.claude.otherwise = overloaded()
    scene.alex.text("Hello")
    scene.blair.text("Hello")
    scene.clock.advance(seconds=61)
    tell_of_outage.run(replace(scene.services, store=Meanwhile(scene.services.store, come_back)))
    scene.background.run()
    assert [text.body for text in scene.alex.messages("out")] == ["Here I am."]


def test_t9_of_two_processes_that_find_somebody_to_tell_one_does(scene: Scene) -> None:
    scene.claude.otherwise = overloaded()
    scene.alex.text("Hello")
    scene.clock.advance(seconds=61)
    other = partial(tell_of_outage.run, scene.services)
    tell_of_outage.run(replace(scene.services, store=Meanwhile(scene.services.store, other)))
    scene.background.run()
    assert [text.body for text in scene.alex.messages("out")] == [kind_words.MODEL_DOWN]


@pytest.mark.parametrize("minutes", [779, 1080])  # 21:59 in Seattle, and 3:00: they are up, they have just texted.
def test_t9_at_night_whoever_texted_just_now_is_told(scene: Scene, minutes: float) -> None:
    scene.clock.advance(minutes=minutes)
    scene.claude.otherwise = overloaded()
    scene.alex.text("Hello")
    scene.pass_time(minutes=2)
    assert scene.alex.received() == [kind_words.MODEL_DOWN]


def test_t9_at_night_nobody_is_told_of_a_text_that_they_sent_long_ago(scene: Scene) -> None:
    scene.clock.advance(hours=14)  # 23:00 in Seattle.
    scene.alex.send("Hello")
    scene.background.woken.clear()
    scene.clock.advance(minutes=11)  # The process was down meanwhile.
    scene.claude.otherwise = overloaded()
    scene.pass_time(minutes=30)
    assert scene.alex.received() == []
    scene.clock.advance(hours=7)
    scene.pass_time(minutes=10)  # It is 6:51, and somewhat more.
    assert scene.alex.received() == []
    scene.pass_time(minutes=10)
    assert scene.alex.received() == [kind_words.MODEL_DOWN]


def test_r38_a_spend_limit_of_three_days_is_told_at_most_once_a_day_and_only_to_who_texts(scene: Scene) -> None:
    scene.claude.otherwise = rate_limited(retry_after="1", code="enforced_spend_limit_reached")
    scene.alex.text("Hello")
    scene.pass_time(minutes=2)
    for _ in range(3):
        scene.clock.advance(hours=6)
        scene.alex.text("Hello?")
        scene.pass_time(minutes=2)
    assert scene.alex.received() == [kind_words.MODEL_DOWN]
    scene.clock.advance(hours=6)
    scene.pass_time(minutes=2)
    assert scene.alex.received() == [kind_words.MODEL_DOWN] * 2
    scene.clock.advance(hours=48)
    scene.pass_time(minutes=2)
    assert scene.alex.received() == [kind_words.MODEL_DOWN] * 2
    scene.claude.otherwise = say("Here I am.")
    scene.pass_time(minutes=20)
    assert scene.alex.received()[2:] == ["Here I am.", "Here I am."]
