"""Servers that speak `/v1/messages` beside Anthropic's, with what each leaves out or does otherwise.

Source: the documentation and issues of Ollama, llama.cpp, vLLM, LM Studio, LiteLLM and OpenRouter, November 2026.
"""

from dataclasses import replace

import pytest
from pydantic import SecretStr
from sqlalchemy import select

from app.conversation import finish
from app.conversation.turn import run_turn
from app.models import Fact, Turn
from app.services import Services
from app.settings import Settings
from app.wiring import build_services
from tests.claude_server import ClaudeServer, Reply, Script, call, say
from tests.tables import rows

QWEN, OPENROUTERS = "qwen3:8b", "anthropic/claude-sonnet-5.5"
LEARN = call("extract_memory", {"facts": [{"fact": "Likes black coffee"}]})
NOTED = say("Noted, I'll remember.")
AS_TEXT = {"facts": '[{"fact": "Likes black coffee", "category": null}]'}
WITH_NOTE = {"facts": [{"fact": "Likes black coffee"}], "note": None}


def told(
    *script: Script, model: str = QWEN, key: str | None = None, otherwise: Script | None = None
) -> tuple[finish.Reply, ClaudeServer, Services]:
    """The reply to a person who says that they like black coffee, the server, and the services with the rows."""
    with ClaudeServer(*script, otherwise=otherwise, models=frozenset({model})) as server:
        server.key, server.has_list = key or "none", False
        secret = None if key is None else SecretStr(key)
        settings = Settings(
            anthropic_base_url=server.url, anthropic_api_key=secret, claude_model=model, embeddings="none"
        )
        services = build_services(settings)
        return run_turn(services, "+12065550100", "I like black coffee"), server, services


def bare(reply: Reply, *without: str) -> Reply:
    return replace(reply, without=without)


def stopped(reply: Reply, reason: str | None) -> Reply:
    return replace(reply, stop_reason=reason)


@pytest.mark.parametrize(
    ("model", "key", "script"),
    [
        (QWEN, None, [LEARN, NOTED]),
        (QWEN, None, [bare(LEARN, "usage", "stop_sequence"), bare(NOTED, "usage", "stop_sequence")]),
        (QWEN, None, [call("extract_memory", AS_TEXT), NOTED]),
        (QWEN, None, [call("extract_memory", WITH_NOTE), NOTED]),
        *((QWEN, None, [LEARN, stopped(NOTED, reason)]) for reason in ("stop_sequence", "tool_use")),
        (OPENROUTERS, "sk-or-v1-0123456789", [LEARN, NOTED]),
        *(
            (model, None, [stopped(LEARN, calls), stopped(NOTED, ends)])
            for model in (QWEN, OPENROUTERS)
            for calls, ends in [("tool_calls", "stop"), ("stop", "stop"), ("function_call", "eos"), (None, None)]
        ),
        (QWEN, None, [LEARN, bare(NOTED, "stop_reason")]),
        (QWEN, None, [LEARN, say("<think>They like it.</think>\n\nNoted, I'll remember.")]),
        *((QWEN, None, [say(called), LEARN, NOTED]) for called in rows("calls_as_text.txt")),
    ],
    ids=["ollama", "llama.cpp", "vllm", "lm studio", "litellm", "openrouter", *map(str, range(19))],
)
def test_a_fact_is_learned_costs_nothing_and_nothing_is_asked_that_only_anthropics_server_knows(
    model: str, key: str | None, script: list[Script]
) -> None:
    said, server, services = told(*script, model=model, key=key)
    assert (said.text, server.refused) == ("Noted, I'll remember.", [])
    for asked in server.asked:
        assert asked.headers["authorization"] == f"Bearer {server.key}"
        assert "x-api-key" not in asked.headers
        assert asked.json["model"] == services.settings.small_model == model
        assert "output_config" not in asked.json
        assert not any("type" in tool for tool in asked.json["tools"])
    with services.reading() as db:
        assert db.scalars(select(Turn.cost_cents)).all() == [0.0]
        assert db.scalars(select(Fact.sentence)).all() == ["Likes black coffee"]


@pytest.mark.parametrize("words", rows("words_on_calls.txt"))
def test_an_answer_cut_at_its_length_is_asked_to_be_shorter_and_may_speak_of_calls(words: str) -> None:
    said, _, services = told(stopped(say("First, you take the bus to"), "length"), say(words))
    services.close()
    assert said.text == words


def test_a_model_that_ignores_tool_choice_and_calls_tools_for_ever_ends_in_a_kind_sentence() -> None:
    said, server, _ = told(otherwise=lambda asked: call("list_memories", {}) if "tool_choice" in asked else LEARN)
    assert said.outcome == "too_many_calls"
    assert len(server.requests) <= 6


def test_the_small_model_follows_the_large_one() -> None:
    assert Settings(claude_model=QWEN).small_model == QWEN
    assert Settings(claude_model=QWEN, claude_small_model="qwen3:1b").small_model == "qwen3:1b"
    assert Settings().small_model == "claude-haiku-5-5"
