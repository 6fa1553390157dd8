"""Cases C: notices to people while the model is down, and times without notices; models that are retired, about to be,
or weak; and a second model in place of the first.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from app.clients.claude import ClaudeModel
from app.clients.fallback import AWAY_SECONDS, FallbackModel
from app.conversation.turn import answer
from app.jobs import check_model, tell_of_outage
from app.text import kind_words
from tests.claude_server import ClaudeServer, Reply, model_at, overloaded, rate_limited, say, several, text, tool
from tests.conftest import MakeServices
from tests.fakes import FrozenClock
from tests.faults.outages import COFFEE, Scene
from tests.stores import Meanwhile
from tests.tables import rows


def test_t9_they_are_told_after_a_minute_not_before_and_not_again_in_the_outage_within_the_hour(scene: Scene) -> None:
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


def test_t9_nobody_is_told_when_the_model_comes_back_while_they_are_looked_for(scene: Scene) -> None:
    def come_back() -> None:
        scene.claude.otherwise = say("Here I am.")
        answer(scene.blair.services, scene.blair.person_id)

    scene.claude.otherwise = overloaded()
    scene.alex.text("Hello")
    scene.blair.text("Hello")
    scene.clock.advance(seconds=61)
    store: Any = Meanwhile(scene.services.store, come_back)
    tell_of_outage.run(replace(scene.services, store=store))
    scene.background.run()
    assert [text.body for text in scene.alex.messages("out")] == ["Here I am."]


def test_r67_they_are_told_of_an_outage_after_a_notice_of_a_clock_that_ran_a_day_ahead(scene: Scene) -> None:
    for _ in range(2):
        scene.claude.otherwise = overloaded()
        scene.alex.text("Hello")
        scene.pass_time(minutes=2)
        scene.claude.otherwise = say("Here I am.")
        scene.pass_time(minutes=5)
        scene.clock.set_back(days=1)
    assert scene.alex.received() == [kind_words.MODEL_DOWN, "Here I am."] * 2


def test_t9_at_night_nobody_is_told_of_a_text_that_they_sent_long_ago(scene: Scene) -> None:
    scene.clock.advance(hours=14)  # 23:00 in Seattle.
    scene.alex.send("Hello")
    scene.background.woken.clear()
    scene.clock.advance(minutes=11)  # The process was down in these minutes.
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


@pytest.fixture
def fallback(
    claude_model: ClaudeModel, claude: ClaudeServer, clock: FrozenClock, make_services: MakeServices
) -> Iterator[FallbackModel]:
    """A second model, which answers everybody while the first is down."""
    with closing(FallbackModel(claude_model, model_at(claude, clock, "claude-haiku-5-5"), clock)) as model:
        make_services(model=model)
        yield model


def test_r47_a_second_model_answers_while_the_first_is_down_and_is_noted(scene: Scene, fallback: FallbackModel) -> None:
    replies = {"claude-haiku-5-5": say("I am the second.")}
    scene.claude.otherwise = lambda request: replies.get(request["model"], overloaded())
    assert scene.alex.text("Hello") == ["I am the second."]
    assert scene.alex.text("And now?") == ["I am the second."]
    asked = [request["model"][7:12] for request in scene.claude.requests]
    assert asked == ["sonne"] * 3 + ["haiku"] * 2  # The second turn did not wait for the first model.
    assert [turn.model for turn in scene.alex.turns()] == ["claude-haiku-5-5"] * 2
    scene.clock.advance(seconds=AWAY_SECONDS)
    replies["claude-sonnet-5-5"] = say("I am back.")
    assert scene.alex.text("Hello?") == ["I am back."]
    first, _, last = scene.alex.turns()
    assert last.model == "claude-sonnet-5-5"
    assert 0 < first.cost_cents < last.cost_cents


def test_r47_the_second_model_goes_on_with_calls_and_sees_no_thoughts(scene: Scene, fallback: FallbackModel) -> None:
    thought = {"type": "thinking", "thinking": "They like coffee.", "signature": "c2ln"}
    scene.claude.queue(several([thought, tool("extract_memory", COFFEE)]), *[overloaded()] * 3, say("Noted."))
    assert scene.alex.text("I like black coffee") == ["Noted."]
    first, second = scene.claude.requests[-2]["messages"][-2], scene.claude.requests[-1]["messages"][-2]
    assert [block["type"] for block in first["content"]] == ["thinking", "tool_use"]
    assert [block["type"] for block in second["content"]] == ["tool_use"]
    assert scene.claude.refused == []


@pytest.mark.parametrize(("fate", "kind"), rows("fates_of_a_model.jsonl"))
def test_r47_the_start_looks_whether_the_model_is_there(scene: Scene, fate: dict[str, str], kind: str | None) -> None:
    scene.claude.fates["claude-sonnet-5-5"] = fate
    check_model.run(scene.services)
    assert list(scene.alerts()) == ([kind] if kind else [])
    assert scene.claude.requests == []


def test_r47_a_model_that_nobody_knows_and_a_refused_key_are_told_at_the_start(scene: Scene) -> None:
    with closing(model_at(scene.claude, scene.clock, "claude-misspelt")) as gone:
        check_model.run(replace(scene.services, model=gone))
    assert "CLAUDE_MODEL" in scene.alerts()["model_gone"]
    refused = ClaudeModel(
        api_key="sk-ant-revoked", model="claude-sonnet-5-5", base_url=scene.claude.url, clock=scene.clock
    )
    with closing(refused):
        check_model.run(replace(scene.services, model=refused))
    assert list(scene.alerts()) == ["model_key"]


def test_r47_r49_a_server_without_a_list_of_models_is_taken_as_it_is(scene: Scene) -> None:
    scene.claude.has_list = False
    check_model.run(scene.services)
    assert scene.alerts() == {}


def test_r49_a_local_server_without_usage_cache_or_ids_and_with_odd_input_is_degraded_but_works(scene: Scene) -> None:
    odd = {"type": "tool_use", "name": "extract_memory", "input": "{'facts': [oops"}
    scene.claude.queue(Reply(content=[odd], stop_reason="tool_use", without=("usage", "id", "model")))
    scene.claude.queue(Reply(content=[text("Still here.")], without=("usage", "model")))
    assert scene.alex.text("I like black coffee") == ["Still here."]
    [made] = scene.alex.tool_calls()
    assert made.is_error
    assert scene.alex.turns()[0].input_tokens > 0
