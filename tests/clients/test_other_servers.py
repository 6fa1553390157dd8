"""Servers that speak `/v1/messages` beside Anthropic's, with what each leaves out or does otherwise.

Source: the documentation and issues of Ollama, llama.cpp, vLLM, LM Studio, LiteLLM and OpenRouter, November 2026.
"""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import select

from app.conversation.turn import hold
from app.models import Fact, Turn
from app.settings import Settings
from app.wiring import build_services
from tests.claude_server import ClaudeServer, Reply, Script, call, raw, say

COFFEE = {"facts": [{"fact": "Likes black coffee"}]}
OPENROUTERS = "anthropic/claude-sonnet-5.5"
AS_TEXT = {"facts": '[{"fact": "Likes black coffee", "category": null}]'}


def without_usage(reply: Reply) -> Reply:
    return Reply(content=reply.content, stop_reason=reply.stop_reason, without=("usage", "stop_sequence"))


def stopped(reply: Reply, reason: str | None) -> Reply:
    return replace(reply, stop_reason=reason)


def calls_once_more(request: dict[str, Any]) -> Reply:
    """It ignores `tool_choice`, and calls a tool in the last answer too."""
    return call("list_memories", {}) if "tool_choice" in request else call("extract_memory", COFFEE)


@pytest.mark.parametrize(
    ("server", "script"),
    [
        ("ollama", [call("extract_memory", COFFEE), say("Noted, I'll remember.")]),
        ("llama.cpp", [without_usage(call("extract_memory", COFFEE)), without_usage(say("Noted, I'll remember."))]),
        ("vllm", [call("extract_memory", AS_TEXT), say("Noted, I'll remember.")]),
        ("lm studio", [call("extract_memory", {**COFFEE, "note": None}), say("Noted, I'll remember.")]),
        ("litellm", [call("extract_memory", COFFEE), say("Noted, I'll remember.", stop_reason="stop_sequence")]),
    ],
    ids=["ollama", "llama.cpp", "vllm", "lm studio", "litellm"],
)
def test_a_fact_is_learned_without_a_key_and_costs_nothing(server: str, script: list[Script]) -> None:
    with ClaudeServer(*script, models=frozenset({"qwen3:8b"})) as stand_in:
        stand_in.key = "none"
        stand_in.has_list = False
        settings = Settings(anthropic_base_url=stand_in.url, claude_model="qwen3:8b", embeddings="none")
        services = build_services(settings)
        said = hold(services, "+12065550100", "I like black coffee")
        assert said.text == "Noted, I'll remember.", server
        assert stand_in.refused == []
    for request in stand_in.requests:
        assert request["model"] == "qwen3:8b"
        assert "output_config" not in request
        assert not any("type" in tool for tool in request["tools"])
    with services.reading() as db:
        assert db.scalars(select(Turn.cost_cents)).all() == [0.0]
        assert db.scalars(select(Fact.sentence)).all() == ["Likes black coffee"]


def test_openrouter_takes_its_own_name_of_a_claude_and_the_key_as_a_bearer() -> None:
    with ClaudeServer(
        call("extract_memory", COFFEE), say("Noted, I'll remember."), models=frozenset({OPENROUTERS})
    ) as stand_in:
        stand_in.key = "sk-or-v1-0123456789"
        stand_in.has_list = False
        settings = Settings(
            anthropic_base_url=stand_in.url,
            anthropic_api_key=SecretStr(stand_in.key),
            claude_model=OPENROUTERS,
            embeddings="none",
        )
        services = build_services(settings)
        said = hold(services, "+12065550100", "I like black coffee")
        assert (said.text, stand_in.refused) == ("Noted, I'll remember.", [])
    assert settings.small_model == OPENROUTERS
    for asked in stand_in.asked:
        assert asked.headers["authorization"] == f"Bearer {stand_in.key}"
        assert "x-api-key" not in asked.headers
        assert asked.json["model"] == OPENROUTERS
        assert "output_config" not in asked.json
        assert not any("type" in tool for tool in asked.json["tools"])
    with services.reading() as db:
        assert db.scalars(select(Turn.cost_cents)).all() == [0.0]
        assert db.scalars(select(Fact.sentence)).all() == ["Likes black coffee"]


@pytest.mark.parametrize("model", ["qwen3:8b", OPENROUTERS])
@pytest.mark.parametrize(
    ("calls", "ends"), [("tool_calls", "stop"), ("stop", "stop"), ("function_call", "eos"), (None, None)]
)
def test_another_reason_to_stop_is_taken_for_what_the_answer_holds(
    model: str, calls: str | None, ends: str | None
) -> None:
    script = [stopped(call("extract_memory", COFFEE), calls), stopped(say("Noted, I'll remember."), ends)]
    with ClaudeServer(*script, models=frozenset({model})) as stand_in:
        stand_in.key = "none"
        settings = Settings(anthropic_base_url=stand_in.url, claude_model=model, embeddings="none")
        services = build_services(settings)
        said = hold(services, "+12065550100", "I like black coffee")
    assert said.text == "Noted, I'll remember."
    assert len(stand_in.requests) == 2
    with services.reading() as db:
        assert db.scalars(select(Fact.sentence)).all() == ["Likes black coffee"]


def test_an_answer_cut_at_its_length_is_asked_to_be_shorter() -> None:
    cut = stopped(say("First, you take the bus to"), "length")
    with ClaudeServer(cut, say("Take bus 12."), models=frozenset({"qwen3:8b"})) as stand_in:
        stand_in.key = "none"
        settings = Settings(anthropic_base_url=stand_in.url, claude_model="qwen3:8b", embeddings="none")
        said = hold(build_services(settings), "+12065550100", "How do I get to you?")
    assert said.text == "Take bus 12."


def test_an_answer_without_a_reason_to_stop_and_without_the_field_is_taken_too() -> None:
    bare = replace(say("Good morning!"), without=("stop_reason",))
    with ClaudeServer(bare, models=frozenset({"qwen3:8b"})) as stand_in:
        stand_in.key = "none"
        settings = Settings(anthropic_base_url=stand_in.url, claude_model="qwen3:8b", embeddings="none")
        said = hold(build_services(settings), "+12065550100", "Good morning")
    assert said.text == "Good morning!"


@pytest.mark.parametrize("reason", ["stop", "length", None])
def test_r36_anthropics_own_model_has_no_other_reason_to_stop(reason: str | None) -> None:
    with ClaudeServer(*[say("Half a sen", stop_reason=reason)] * 3) as stand_in:
        settings = Settings(
            anthropic_base_url=stand_in.url, anthropic_api_key=SecretStr(stand_in.key), embeddings="none"
        )
        said = hold(build_services(settings), "+12065550100", "Good morning")
    assert "Half a sen" not in said.text
    assert len(stand_in.requests) == 3


def test_a_model_that_calls_tools_for_ever_ends_in_a_kind_sentence() -> None:
    with ClaudeServer(otherwise=calls_once_more, models=frozenset({"qwen3:8b"})) as stand_in:
        stand_in.key = "none"
        settings = Settings(anthropic_base_url=stand_in.url, claude_model="qwen3:8b", embeddings="none")
        said = hold(build_services(settings), "+12065550100", "I like black coffee")
    assert said.outcome == "too_many_calls"
    assert len(stand_in.requests) <= 6


def test_the_small_model_follows_the_large_one() -> None:
    assert Settings(claude_model="qwen3:8b").small_model == "qwen3:8b"
    assert Settings(claude_model="qwen3:8b", claude_small_model="qwen3:1b").small_model == "qwen3:1b"
    assert Settings().small_model == "claude-haiku-5-5"


def test_an_answer_that_is_no_message_ends_in_a_kind_sentence() -> None:
    page = raw(200, b"<html>", {"content-type": "text/html"})
    with ClaudeServer(*[page] * 3, models=frozenset({"qwen3:8b"})) as stand_in:
        stand_in.key = "none"
        settings = Settings(anthropic_base_url=stand_in.url, claude_model="qwen3:8b", embeddings="none")
        said = hold(build_services(settings), "+12065550100", "Hello")
    assert "I can't think straight" in said.text
