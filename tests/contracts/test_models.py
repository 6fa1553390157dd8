"""The contract of every model; a subclass for each one provides the `model`."""

import copy
import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from anthropic.types import Message

from app.clients.claude import ClaudeModel
from app.clients.fallback import FallbackModel
from app.features.offline.model import OfflineModel
from app.services import Clock
from app.services.model import Model, ModelRequest
from tests.claude_server import ClaudeServer, Reply, call, model_at, say
from tests.every_tool import DEFINITIONS
from tests.fakes import FrozenClock

MEMORY = "<user_memory>\n  <facts>\n    Likes black coffee.\n  </facts>\n</user_memory>"
NOW = "<now>Saturday 21 November 2026, 09:00 (America/Los_Angeles)</now>"


def request_for(words: str, clock: Clock, **changes: Any) -> ModelRequest:
    """The request of a turn as the assistant makes it, with every tool and a little memory."""
    fields: dict[str, Any] = {
        "system": [{"type": "text", "text": "You are Keepsake."}, {"type": "text", "text": MEMORY}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": one} for one in (NOW, words)]}],
        "tools": DEFINITIONS,
        "max_tokens": 1024,
        "deadline": clock.monotonic() + 60,
        "person_key": "p_7f3a",
    }
    return ModelRequest(**{**fields, **changes})


class ModelContract:
    @pytest.fixture
    def model(self, clock: FrozenClock) -> Any:
        raise NotImplementedError

    @pytest.mark.parametrize(
        "words",
        ["Hello!", "What do I drink?", "asdf", "<facts>Likes tea.</facts>", "\U0001f642" * 500, "0123456789" * 99],
    )
    def test_every_text_gets_a_whole_message_within_what_was_reserved(
        self, model: Model, clock: FrozenClock, words: str
    ) -> None:
        request = request_for(words, clock)
        before = copy.deepcopy(request)
        answer = model.complete(request)

        assert request == before, "it is left as it was"
        assert isinstance(answer, Message)
        assert answer.role == "assistant"
        assert answer.content
        assert has_calls(answer) == (answer.stop_reason == "tool_use") == (answer.stop_reason != "end_turn")
        assert min(answer.usage.input_tokens, answer.usage.output_tokens) >= 0
        assert 0 <= model.cost_cents(answer) <= model.reserve_cents(request)

    def test_a_call_is_of_an_offered_tool_and_its_result_leads_to_words(self, model: Model, clock: FrozenClock) -> None:
        request = request_for("I have a dog named Max.", clock)
        first = model.complete(request)
        calls = [block for block in first.content if block.type == "tool_use"]

        assert [call.name for call in calls] == ["extract_memory"]
        assert len({call.id for call in calls}) == len(calls)
        assert isinstance(calls[0].input["facts"], list)

        last = model.complete(request_for("", clock, messages=[*request.messages, *answered(first)]))
        assert last.stop_reason == "end_turn"
        assert all(block.text.strip() for block in last.content if block.type == "text")

    def test_a_request_for_words_alone_gets_words_alone(self, model: Model, clock: FrozenClock) -> None:
        answer = model.complete(request_for("I have a dog named Max.", clock, tools_allowed=False))

        assert answer.stop_reason == "end_turn"
        assert not has_calls(answer)


def has_calls(message: Message) -> bool:
    return any(block.type == "tool_use" for block in message.content)


def answered(message: Message) -> list[dict[str, Any]]:
    """The message and the results of its calls, as the next request carries them."""
    stored = [{"id": 1, "fact": "Has a dog named Max"}]
    result = json.dumps({"memory_updated": True, "stored": stored, "duplicates": [], "conflicts": []})
    calls = [block.id for block in message.content if block.type == "tool_use"]
    results = [{"type": "tool_result", "tool_use_id": one, "content": result} for one in calls]
    said = [block.to_dict() for block in message.content]
    return [{"role": "assistant", "content": said}, {"role": "user", "content": results}]


def as_claude_would(request: dict[str, Any]) -> Reply:
    """Keeps the dog, once, and otherwise speaks."""
    newest = request["messages"][-1]["content"]
    may_call = request.get("tool_choice") != {"type": "none"} and newest[-1]["type"] == "text"
    if may_call and "dog" in newest[-1]["text"]:
        return call("extract_memory", {"facts": [{"fact": "Has a dog named Max"}]}, "I will keep that.")
    return say("Hello, Alex.")


class TestClaude(ModelContract):
    @pytest.fixture
    def model(self, clock: FrozenClock) -> Iterator[Model]:
        with ClaudeServer(otherwise=as_claude_would) as server:
            with closing(model_at(server, clock)) as made:
                yield made
            assert server.refused == []


class TestFallback(ModelContract):
    @pytest.fixture
    def model(self, clock: FrozenClock) -> Iterator[Model]:
        with ClaudeServer(otherwise=as_claude_would) as server:
            first = ClaudeModel(api_key="sk-ant-revoked", model="claude-sonnet-5-5", base_url=server.url, clock=clock)
            second = model_at(server, clock, "claude-haiku-5-5")
            with closing(FallbackModel(first, second, clock)) as both:
                yield both
            assert set(server.refused) <= {"invalid bearer token"}


class TestOffline(ModelContract):
    @pytest.fixture
    def model(self, clock: FrozenClock) -> Model:
        return OfflineModel(clock)
