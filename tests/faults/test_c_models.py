"""Cases C: the model that is set is gone, or going, or a weak one; and a second one in its place."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.clients.claude import ClaudeModel
from app.clients.fallback import AWAY_SECONDS, FallbackModel
from app.jobs import check_model
from app.services import Services
from tests.claude_server import ClaudeServer, Reply, overloaded, say, several, text, tool
from tests.conftest import MakeServices
from tests.fakes import FrozenClock
from tests.faults.outages import COFFEE, alerts, model_at, pass_time
from tests.phoning import Phone

MORNING = datetime(2026, 11, 21, 17, 0, tzinfo=UTC)


@pytest.fixture
def fallback(
    claude_model: ClaudeModel, claude: ClaudeServer, clock: FrozenClock, make_services: MakeServices
) -> Iterator[FallbackModel]:
    """A second model, which answers everybody while the first is down."""
    with closing(FallbackModel(claude_model, model_at(claude, clock, "claude-haiku-5-5"), clock)) as model:
        make_services(model=model)
        yield model


def test_r47_a_second_model_answers_while_the_first_is_down_and_the_turn_keeps_which(
    alex: Phone, fallback: FallbackModel, claude: ClaudeServer, clock: FrozenClock
) -> None:
    replies = {"claude-haiku-5-5": say("I am the second.")}
    claude.otherwise = lambda request: replies.get(request["model"], overloaded())
    assert alex.text("Hello") == ["I am the second."]
    assert alex.text("And now?") == ["I am the second."]
    asked = [request["model"][7:12] for request in claude.requests]
    assert asked == ["sonne"] * 3 + ["haiku"] * 2  # The second turn did not wait for the first model.
    assert [turn.model for turn in alex.turns()] == ["claude-haiku-5-5"] * 2
    clock.advance(seconds=AWAY_SECONDS)
    replies["claude-sonnet-5-5"] = say("I am back.")
    assert alex.text("Hello?") == ["I am back."]
    first, _, last = alex.turns()
    assert last.model == "claude-sonnet-5-5"
    assert 0 < first.cost_cents < last.cost_cents


def test_r47_the_second_model_goes_on_with_the_calls_of_the_first_and_is_not_shown_its_thoughts(
    alex: Phone, fallback: FallbackModel, claude: ClaudeServer, clock: FrozenClock
) -> None:
    thought = {"type": "thinking", "thinking": "They like coffee.", "signature": "c2ln"}
    claude.queue(several([thought, tool("extract_memory", COFFEE)]), *[overloaded()] * 3, say("Noted."))
    assert alex.text("I like black coffee") == ["Noted."]
    first, second = claude.requests[-2]["messages"][-2], claude.requests[-1]["messages"][-2]
    assert [block["type"] for block in first["content"]] == ["thinking", "tool_use"]
    assert [block["type"] for block in second["content"]] == ["tool_use"]
    assert claude.refused == []


def test_r47_with_both_models_down_the_text_is_kept(
    alex: Phone, fallback: FallbackModel, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.otherwise = overloaded()
    assert alex.text("Hello") == []
    claude.otherwise = say("Here I am.")
    pass_time(alex, clock, minutes=0.5)
    assert alex.received() == ["Here I am."]


@pytest.mark.parametrize(
    ("fate", "kind"),
    [
        ({}, None),
        ({"lifecycle": "deprecated", "retires_at": "2026-12-01T00:00:00Z"}, "model_retires"),
        ({"lifecycle": "deprecated", "retires_at": "2027-06-01T00:00:00Z"}, "model_retires"),
        ({"lifecycle": "active", "retires_at": "2026-12-20T00:00:00Z"}, "model_retires"),
        ({"lifecycle": "active", "retires_at": "2027-03-01T00:00:00Z"}, None),
        ({"lifecycle": "retired", "retires_at": "2026-11-01T00:00:00Z"}, "model_gone"),
    ],
)
def test_r47_the_start_looks_whether_the_model_is_still_offered(
    fate: dict[str, str], kind: str | None, claude_services: Services, claude: ClaudeServer
) -> None:
    claude.fates["claude-sonnet-5-5"] = fate
    check_model.run(claude_services)
    assert list(alerts(claude_services)) == ([kind] if kind else [])
    assert claude.requests == []


def test_r47_the_date_on_which_a_model_ends_is_named_and_the_alert_ends_with_another_model(
    claude_services: Services, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.fates["claude-sonnet-5-5"] = {"lifecycle": "deprecated", "retires_at": "2026-12-01T00:00:00Z"}
    check_model.run(claude_services)
    assert "claude-sonnet-5-5 retires on 01 Dec 2026" in alerts(claude_services)["model_retires"]
    with closing(model_at(claude, clock, "claude-haiku-5-5")) as newer:
        check_model.run(replace(claude_services, model=newer))
    assert alerts(claude_services) == {}


def test_r47_a_model_that_nobody_knows_and_a_refused_key_are_told_at_the_start(
    claude_services: Services, claude: ClaudeServer, clock: FrozenClock
) -> None:
    with closing(model_at(claude, clock, "claude-misspelt")) as gone:
        check_model.run(replace(claude_services, model=gone))
    assert "CLAUDE_MODEL" in alerts(claude_services)["model_gone"]
    refused = ClaudeModel(api_key="sk-ant-revoked", model="claude-sonnet-5-5", base_url=claude.url, clock=clock)
    with closing(refused):
        check_model.run(replace(claude_services, model=refused))
    assert list(alerts(claude_services)) == ["model_key"]


def test_r47_r49_a_server_without_a_list_of_models_is_taken_as_it_is(
    claude_services: Services, claude: ClaudeServer
) -> None:
    claude.has_list = False
    check_model.run(claude_services)
    assert alerts(claude_services) == {}


def test_r47_the_look_is_taken_at_once_and_then_daily() -> None:
    first = check_model.SCHEDULE.get_next_fire_time(None, MORNING)
    assert first == MORNING
    assert check_model.SCHEDULE.get_next_fire_time(first, MORNING) == MORNING + timedelta(days=1)


def test_r49_a_local_server_without_usage_cache_or_ids_and_with_odd_input_is_degraded_but_works(
    alex: Phone, claude: ClaudeServer
) -> None:
    odd = {"type": "tool_use", "name": "extract_memory", "input": "{'facts': [oops"}
    claude.queue(Reply(content=[odd], stop_reason="tool_use", without=("usage", "id", "model")))
    claude.queue(Reply(content=[text("Still here.")], without=("usage", "model")))
    assert alex.text("I like black coffee") == ["Still here."]
    [made] = alex.tool_calls()
    assert made.is_error
    assert alex.turns()[0].input_tokens > 0
