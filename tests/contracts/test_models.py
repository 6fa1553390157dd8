from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from app.clients.claude import ClaudeModel
from app.clients.fallback import FallbackModel
from app.features.offline.model import OfflineModel
from app.services import Model
from tests.claude_server import ClaudeServer, Reply, call, model_at, say
from tests.contracts.model import ModelContract
from tests.fakes import FrozenClock


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
