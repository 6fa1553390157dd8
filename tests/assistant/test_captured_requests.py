"""Every kind of request that Claude is sent, kept as data, held to the API's rules and to what is sent today.

`KEEPSAKE_CAPTURE=1 pytest tests/assistant/test_captured_requests.py` writes the data anew. Read the difference.
"""

import json
import os
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from app.assistant import lane, small_question
from app.clients.claude import ClaudeModel
from app.clients.claude_rules import refusal
from app.clients.fallback import FallbackModel
from app.clients.mcp_servers import McpServers
from app.clients.media import TwilioMedia
from app.clients.summariser import ModelSummariser
from app.services import SaidText, ToSummarise
from app.setting_values import ToolServer
from tests.assistant.conftest import Phone
from tests.claude_server import ClaudeServer, call, model_at, overloaded, say, several, text, tool
from tests.conftest import MakeServices
from tests.fakes import InlineBackground
from tests.mcp_server import TOKEN, McpServer
from tests.media_server import File, MediaServer, picture
from tests.routines.routine_line import Coming
from tests.twilio_server import twilio_settings
from tests.web_searches import searched

DATA = Path(__file__).parent.parent / "data" / "claude_requests"
COFFEE = {"facts": [{"fact": "Likes black coffee"}]}


class Scene:
    """One person, Claude's stand-in, and services to be put together."""

    def __init__(
        self, make: MakeServices, background: InlineBackground, model: ClaudeModel, claude: ClaudeServer
    ) -> None:
        self.make = make
        self.background = background
        self.model = model
        self.claude = claude

    def phone(self, **services: Any) -> Phone:
        return Phone(self.make(**{"model": self.model, **services}), self.background)


@pytest.fixture
def scene(
    make_services: MakeServices, background: InlineBackground, claude_model: ClaudeModel, claude: ClaudeServer
) -> Scene:
    return Scene(make_services, background, claude_model, claude)


def plain_turn(scene: Scene) -> None:
    scene.claude.queue(say("Hi!"), say("Fine, and you?"))
    alex = scene.phone()
    alex.text("Hello")
    alex.text("How are you?", "It rains here.")


def tool_loop(scene: Scene) -> None:
    both = several([text("One moment."), tool("extract_memory", COFFEE), tool("list_memories", {"query": "coffee"})])
    scene.claude.queue(both, call("update_profile", {"name": "Alex"}), say("I'll remember that, Alex."))
    scene.phone().text("I'm Alex and I like black coffee")


def picture_turn(scene: Scene) -> None:
    with MediaServer() as files, closing(TwilioMedia(twilio_settings(twilio_api_url=files.url))) as pictures:
        alex = scene.phone(pictures=pictures)
        scene.claude.queue(say("Hi."), say("A red square."))
        alex.text("Hello")
        alex.send_files("What is this?", (files.put(File(picture())), "image/jpeg"))
        scene.background.run()


def routine_turn(scene: Scene) -> None:
    scene.claude.queue(say("Hi."), say("Drink some water."))
    alex = scene.phone()
    alex.text("Hello")
    coming = Coming(alex)
    coming.run("tell them to drink water", repeat="once", in_minutes=20)
    coming.pass_time(minutes=20)


def web_search(scene: Scene) -> None:
    alex = scene.phone()
    settings = alex.services.settings.model_copy(update={"web_search": "claude"})
    alex = scene.phone(settings=settings)
    scene.claude.queue(
        several([*searched("opening hours"), *call("extract_memory", COFFEE).content]), say("It is open until 6.")
    )
    alex.text("I like black coffee. When does the shop close?")


def servers_tools(scene: Scene) -> None:
    with McpServer() as server:
        clock = scene.phone().services.clock
        alex = scene.phone(tool_servers=McpServers(clock, [ToolServer("home", server.url, TOKEN)]))
        scene.claude.queue(call("home_list_lights", {}), say("The kitchen's light is on."))
        alex.text("Which lights are on?")


def second_model(scene: Scene) -> None:
    clock = scene.phone().services.clock
    with closing(model_at(scene.claude, clock, "claude-haiku-5-5")) as second:
        alex = scene.phone(model=FallbackModel(scene.model, second, clock))
        scene.claude.queue(call("extract_memory", COFFEE), *[overloaded()] * 3, say("I'll remember that."))
        alex.text("I like black coffee")


def summary(scene: Scene) -> None:
    clock = scene.phone().services.clock
    with closing(model_at(scene.claude, clock, "claude-haiku-5-5")) as small:
        scene.claude.queue(say("{}"))
        texts = (SaidText(clock.now(), by_person=True, words="I have an exam tomorrow"),)
        summariser = ModelSummariser(small, None)
        summariser.summarise(ToSummarise(texts, "p_1", None, 0.5, clock.monotonic() + 60))


def the_small_question(scene: Scene) -> None:
    scene.claude.queue(say("Yes."))
    alex = scene.phone()
    alex.send("Hello")
    turn = lane.claim(alex.services, alex.person_id)
    assert turn is not None
    assert small_question.is_answered(alex.services, turn)


KINDS: dict[str, Callable[[Scene], None]] = {
    one.__name__: one
    for one in (
        plain_turn,
        tool_loop,
        picture_turn,
        routine_turn,
        web_search,
        servers_tools,
        second_model,
        summary,
        the_small_question,
    )
}


def without_chance(request: dict[str, Any]) -> dict[str, Any]:
    """The request without what is drawn at random: the person's key, and what a signature stands over it."""
    plain = json.loads(json.dumps(request))
    plain["metadata"] = {"user_id": "…"}
    return dict(plain)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_sent_is_what_was_captured_and_breaks_no_rule(kind: str, scene: Scene) -> None:
    KINDS[kind](scene)
    sent = [without_chance(request) for request in scene.claude.requests]
    assert scene.claude.refused == []
    kept = DATA / f"{kind}.json"
    if os.environ.get("KEEPSAKE_CAPTURE"):
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps(sent, indent=1, ensure_ascii=False) + "\n")
    assert sent == json.loads(kept.read_text())


@pytest.mark.parametrize("kind", KINDS)
def test_each_captured_request_is_one_that_the_api_takes(kind: str) -> None:
    for request in json.loads((DATA / f"{kind}.json").read_text()):
        assert refusal(request) is None
        assert request["max_tokens"] >= 4096
        assert not any(one.get("strict") for one in request.get("tools", []))
        assert json.dumps(request).count('"cache_control"') <= 4


def test_in_a_captured_turn_each_request_goes_on_from_the_one_before() -> None:
    for kind in ("tool_loop", "web_search", "servers_tools"):
        requests = json.loads((DATA / f"{kind}.json").read_text())
        for before, after in pairwise(requests):
            assert (before["system"], before["tools"]) == (after["system"], after["tools"])
            assert unmarked(after["messages"])[: len(before["messages"])] == unmarked(before["messages"])


def unmarked(value: Any) -> Any:
    if isinstance(value, list):
        return [unmarked(one) for one in value]
    if isinstance(value, dict):
        return {name: unmarked(one) for name, one in value.items() if name != "cache_control"}
    return value
