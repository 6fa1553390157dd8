import pytest

from tests import claude_server
from tests.claude_server import ClaudeServer, Reply, call, say
from tests.clients.asking_claude import SECRET_WORDS, TOOL, ask, claude
from tests.fakes import FrozenClock


def test_the_request_is_what_the_contract_says_and_nothing_more() -> None:
    clock = FrozenClock()
    with ClaudeServer(say("Hello.")) as server, claude(server, clock) as model:
        answer = model.complete(ask(clock))

    assert [block.to_dict()["text"] for block in answer.content] == ["Hello."]
    assert answer.stop_reason == "end_turn"
    assert server.requests == [
        {
            "model": "claude-sonnet-5-5",
            "max_tokens": 1024,
            "system": [{"type": "text", "text": "You are kind.", "cache_control": {"type": "ephemeral"}}],
            "messages": [{"role": "user", "content": SECRET_WORDS}],
            "tools": [TOOL],
            "metadata": {"user_id": "p_7f3a"},
        }
    ]
    assert server.asked[0].headers["authorization"] == f"Bearer {server.key}"
    assert server.refused == []
    assert clock.waits == []


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("claude-sonnet-5-5", {"effort": "low"}),
        ("claude-haiku-5-5", {"effort": "low"}),
        ("claude-haiku-4-5-20251001", None),
        ("qwen3:8b", None),
    ],
)
def test_models_that_take_an_effort_are_told_it_and_others_are_not(name: str, sent: object) -> None:
    clock = FrozenClock()
    with ClaudeServer(say("Hello."), models=frozenset({name})) as server, claude(server, clock, model=name) as model:
        model.complete(ask(clock, effort="low"))

    assert server.requests[0].get("output_config") == sent
    assert server.refused == []


def test_a_tool_call_comes_back_with_its_id_and_input() -> None:
    clock = FrozenClock()
    with (
        ClaudeServer(call("list_memories", {"category": "food"}, "Let me look.")) as server,
        claude(server, clock) as model,
    ):
        answer = model.complete(ask(clock))

    assert answer.stop_reason == "tool_use"
    _thought, words, tool_call = answer.content
    assert words.type == "text"
    assert tool_call.type == "tool_use"
    assert (tool_call.name, tool_call.input) == ("list_memories", {"category": "food"})
    assert tool_call.id


def test_the_last_call_of_a_turn_keeps_its_tools_and_forbids_their_use() -> None:
    clock = FrozenClock()
    with ClaudeServer(say("1"), say("2")) as server, claude(server, clock) as model:
        model.complete(ask(clock, tools_allowed=False))
        model.complete(ask(clock, tools_allowed=False, tools=[]))

    assert server.requests[0]["tool_choice"] == {"type": "none"}
    assert server.requests[0]["tools"] == [TOOL]
    assert not {"tools", "tool_choice"} & server.requests[1].keys()
    assert server.refused == []


def test_a_second_request_reads_the_instructions_from_the_cache_and_costs_less() -> None:
    clock = FrozenClock()
    with ClaudeServer(otherwise=say("Hello.")) as server, claude(server, clock) as model:
        first = model.complete(ask(clock, system=[{**ask(clock).system[0], "text": "You are kind. " * 400}]))
        second = model.complete(ask(clock, system=[{**ask(clock).system[0], "text": "You are kind. " * 400}]))

    assert first.usage.cache_read_input_tokens == 0
    assert second.usage.cache_read_input_tokens == first.usage.cache_creation_input_tokens
    assert 0 < model.cost_cents(second) < model.cost_cents(first)


def test_r51_lone_surrogates_and_nul_are_cleaned_wherever_they_stand() -> None:
    clock = FrozenClock()
    dirty = {"type": "text", "text": "half \ud83d, nul \x00, pair \ud83d\ude00"}
    tool_use = {"type": "tool_use", "id": "t1", "name": "list_memories", "input": {"a\x00": ["\udc00"]}}
    request = ask(
        clock,
        system=[dirty],
        messages=[
            {"role": "user", "content": [dirty]},
            {"role": "assistant", "content": [tool_use]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "x\ud800"}]},
        ],
        tools=[{**TOOL, "description": "a\x00b"}],
    )
    with ClaudeServer(say("Clean.")) as server, claude(server, clock) as model:
        model.complete(request)

    sent = server.requests[0]
    assert sent["system"][0]["text"] == "half \ufffd, nul , pair \U0001f600"
    assert sent["messages"][0]["content"][0]["text"] == "half \ufffd, nul , pair \U0001f600"
    assert sent["messages"][1]["content"][0]["input"] == {"a": ["\ufffd"]}
    assert sent["messages"][2]["content"][0]["content"] == "x\ufffd"
    assert sent["tools"][0]["description"] == "ab"
    assert server.refused == []


def test_r51_what_the_model_itself_writes_is_cleaned_too() -> None:
    clock = FrozenClock()
    with ClaudeServer(call("remember", {"fact": "half \ud83d"}, "nul \x00.")) as server, claude(server, clock) as model:
        _thought, words, tool_call = model.complete(ask(clock)).content

    assert words.type == "text"
    assert words.text == "nul ."
    assert tool_call.type == "tool_use"
    assert tool_call.input == {"fact": "half \ufffd"}


@pytest.mark.parametrize("without", [("usage",), ("id", "model", "usage", "stop_sequence", "type", "role")], ids=str)
def test_r109_tokens_that_a_local_server_does_not_count_are_estimated(without: tuple[str, ...]) -> None:
    clock = FrozenClock()
    with (
        ClaudeServer(Reply(content=[claude_server.text("Hi. " * 100)], without=without)) as server,
        claude(server, clock) as model,
    ):
        answer = model.complete(ask(clock))

    assert answer.usage.input_tokens > 50
    assert 100 <= answer.usage.output_tokens < 300
    assert model.cost_cents(answer) > 0
