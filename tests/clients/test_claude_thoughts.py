"""The stand-in keeps the API's rules of preserved thinking, so that a turn that breaks them fails its test."""

from collections.abc import Callable
from typing import Any

import pytest

from app.services.model import without_thoughts
from tests.claude_server import ClaudeServer, say, several, tool
from tests.claude_thoughts import Thoughts
from tests.line import Line

Request = dict[str, Any]

TOOL = {"name": "look", "input_schema": {"type": "object", "properties": {}}}
USE = {"type": "tool_use", "id": "t1", "name": "look", "input": {}}
RESULT = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "done"}]}
EMPTY = {"type": "thinking", "thinking": "", "signature": ""}
REDACTED = {"type": "redacted_thinking", "data": ""}
FIRST: Request = {
    "model": "claude-sonnet-5-5",
    "max_tokens": 4096,
    "system": [{"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}],
    "tools": [TOOL, {**TOOL, "name": "listen"}],
    "messages": [{"role": "user", "content": "Hello."}],
}


def without(request: Request) -> Request:
    """The request without any thought."""
    return {**request, "messages": without_thoughts(request["messages"])}


@pytest.fixture
def thoughts() -> Thoughts:
    return Thoughts()


@pytest.fixture(params=[[], [EMPTY], [REDACTED]], ids=["thought", "empty", "redacted"])
def second(thoughts: Thoughts, request: pytest.FixtureRequest) -> Request:
    """The second request of a turn, which gives a thought back as it came."""
    answer = {"role": "assistant", "content": thoughts.thought(FIRST, [*request.param, USE])}
    return {**FIRST, "messages": [*FIRST["messages"], answer, RESULT]}


Change = Callable[[Request], Request]
HARMLESS: list[Change] = [
    lambda request: request,
    lambda request: {**request, "max_tokens": 8000, "tool_choice": {"type": "none"}},
    lambda request: {**request, "output_config": {"effort": "low"}},
    lambda request: {**request, "tools": request["tools"][::-1]},
    lambda request: {**request, "system": [{"type": "text", "text": "Be kind."}]},
    lambda request: {**request, "system": "Be kind. "},
    lambda request: {**request, "messages": [*request["messages"], {"role": "user", "content": "And?"}]},
    without,
]
ALTERED: list[Change] = [
    lambda request: {**request, "system": [{"type": "text", "text": "Be short."}]},
    lambda request: {**request, "tools": request["tools"][:1]},
    lambda request: {**request, "model": "claude-haiku-5-5"},
    lambda request: {**request, "messages": [{"role": "user", "content": "Hi."}, *request["messages"][1:]]},
    lambda request: {**request, "messages": request["messages"][1:]},
]


def test_a_thought_is_taken_back_behind_the_same_past_alone(thoughts: Thoughts, second: Request) -> None:
    assert [thoughts.refusal(change(second)) for change in HARMLESS] == [None] * len(HARMLESS)
    for change in ALTERED:
        assert "bound to a different conversation" in str(thoughts.refusal(change(second)))


def test_an_edited_thought_is_refused(thoughts: Thoughts, second: Request) -> None:
    thought = second["messages"][1]["content"][0]
    for name in thought.keys() - {"type"}:
        had, thought[name] = thought[name], "Something else."
        assert "cannot be modified" in str(thoughts.refusal(second)), name
        thought[name] = had
    assert thoughts.refusal(second) is None


def test_empty_and_redacted_thoughts_of_a_text_s_answer_go_back_as_they_came(
    line_to_claude: Line, claude: ClaudeServer
) -> None:
    facts = {"facts": [{"fact": "Likes green tea"}]}
    claude.queue(several([EMPTY, REDACTED, tool("extract_memory", facts)]), several([EMPTY, tool("list_memories", {})]))
    claude.queue(say("Noted."))
    line_to_claude.text("I like green tea")
    assert claude.refused == []
    answers = [one["content"] for one in claude.requests[-1]["messages"] if one["role"] == "assistant"]
    thoughts = [[block for block in answer if "thinking" in block["type"]] for answer in answers]
    assert [[block["type"] for block in had] for had in thoughts] == [["thinking", "redacted_thinking"], ["thinking"]]
    assert [block["thinking"] for had in thoughts for block in had if block["type"] == "thinking"] == ["", ""]


def test_one_thought_left_out_is_refused_and_all_left_out_are_not(thoughts: Thoughts, second: Request) -> None:
    another = {**USE, "id": "t2"}
    answer = {"role": "assistant", "content": thoughts.thought(second, [another])}
    third = {**second, "messages": [*second["messages"], answer, RESULT]}
    assert thoughts.refusal(third) is None
    first_gone = [third["messages"][0], without(second)["messages"][1], *third["messages"][2:]]
    assert "bound to a different conversation" in str(thoughts.refusal({**third, "messages": first_gone}))
    assert thoughts.refusal(without(third)) is None
