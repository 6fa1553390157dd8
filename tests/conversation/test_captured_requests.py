"""Every kind of request to Claude, kept as data, and compared with the API's rules and with today's requests.

`KEEPSAKE_CAPTURE=1 pytest tests/conversation/test_captured_requests.py` writes the data anew. Read the difference.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from app.clients.claude import ClaudeModel
from app.clients.fallback import FallbackModel
from app.clients.summariser import ModelSummariser
from app.clock import SystemClock
from app.conversation import budget, claim
from app.conversation.loop import MAX_MODEL_CALLS
from app.conversation.turn import start
from app.features import FEATURES
from app.features.calendars.ics import IcsCalendars
from app.features.mcp_tools.servers import McpServers
from app.features.mcp_tools.tools import connected_servers
from app.features.pictures.files import picture_source
from app.features.pictures.twilio_media import TwilioMedia
from app.features.weather.open_meteo import OpenMeteo
from app.features.weather.tool import weather_source
from app.operations.checks.settings import check_model
from app.services.model import SaidText, ToSummarise
from app.settings.validators import ToolServer
from bench import requests
from tests.claude_rules import BOUND
from tests.claude_server import (
    CHARS_PER_TOKEN,
    ClaudeServer,
    call,
    error,
    model_at,
    overloaded,
    say,
    several,
    text,
    tool,
)
from tests.conftest import MakeServices
from tests.every_tool import EVERY_TOOL
from tests.fakes import InlineBackground
from tests.file_servers import File, MediaServer, picture
from tests.mcp_server import TOKEN, McpServer
from tests.phoning import DyingAfter, Killed, Phone
from tests.routines.routine_line import Coming
from tests.twilio_server import twilio_settings
from tests.web_searches import searched

DATA = Path(__file__).parent.parent / "data" / "claude_requests"
THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": ""}
COFFEE = {"facts": [{"fact": "Likes black coffee"}]}


class Scene:
    """One person, Claude's stand-in, and services that a test may change."""

    def __init__(
        self, make: MakeServices, background: InlineBackground, model: ClaudeModel, claude: ClaudeServer
    ) -> None:
        self.make = make
        self.background = background
        self.model = model
        self.claude = claude

        self.clock = make().clock
        self.weather = OpenMeteo(self.clock)
        self.calendars = IcsCalendars()

    def phone(self, **services: Any) -> Phone:
        usual = {"model": self.model, "calendars": self.calendars, "features": FEATURES}
        made = {weather_source: self.weather, **services.pop("made", {})}
        return Phone(self.make(**usual | services, made=made), self.background)

    def searching(self) -> Phone:
        """A phone on services with Claude's own web search."""
        return self.phone(settings=self.make().settings.model_copy(update={"web_search": "claude"}))


@pytest.fixture
def scene(
    make_services: MakeServices, background: InlineBackground, claude_model: ClaudeModel, claude: ClaudeServer
) -> Iterator[Scene]:
    scene = Scene(make_services, background, claude_model, claude)
    with closing(scene.weather), closing(scene.calendars):
        yield scene


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
        alex = scene.phone(made={picture_source: pictures})
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
    scene.claude.queue(
        several([*searched("opening hours"), *call("extract_memory", COFFEE).content]), say("It is open until 6.")
    )
    scene.searching().text("I like black coffee. When does the shop close?")


def servers_tools(scene: Scene) -> None:
    with McpServer() as server:
        alex = scene.phone(made={connected_servers: McpServers(scene.clock, [ToolServer("home", server.url, TOKEN)])})
        scene.claude.queue(call("home_list_lights", {}), say("The kitchen's light is on."))
        alex.text("Which lights are on?")


def second_model(scene: Scene) -> None:
    with closing(model_at(scene.claude, scene.clock, "claude-haiku-5-5")) as second:
        alex = scene.phone(model=FallbackModel(scene.model, second, scene.clock))
        scene.claude.queue(call("extract_memory", COFFEE), *[overloaded()] * 3, say("I'll remember that."))
        alex.text("I like black coffee")


def summary(scene: Scene, problem: str = "") -> None:
    with closing(model_at(scene.claude, scene.clock, "claude-haiku-5-5")) as small:
        scene.claude.queue(say("{}"))
        texts = (SaidText(scene.clock.now(), by_person=True, words="I have an exam tomorrow"),)
        conversation = ToSummarise(texts, "p_1", None, 0.5, scene.clock.monotonic() + 60, problem=problem)
        ModelSummariser(small, None).summarise(conversation)


def the_small_question(scene: Scene) -> None:
    scene.claude.queue(say("Yes."))
    alex = scene.phone()
    alex.send("Hello")
    turn = claim.claim(alex.services, alex.person_id)
    assert turn is not None
    assert budget.is_model_there(alex.services, turn)


def resumed_turn(scene: Scene) -> None:
    """The process dies after the first answer, and another one continues."""
    alex = scene.phone(model=DyingAfter(scene.model, 1))
    scene.claude.queue(call("extract_memory", COFFEE), say("I'll remember that."))
    alex.send("I like black coffee")
    with pytest.raises(Killed):
        scene.background.run()
    scene.clock.wait(300)
    start(scene.phone().services)
    scene.background.run()


def untrue_claim(scene: Scene) -> None:
    scene.claude.queue(several([THOUGHT, text("I've saved that.")]), say("I can keep that if you like."))
    scene.phone().text("I like tea")


def thoughts_alone(scene: Scene) -> None:
    scene.claude.queue(several([THOUGHT], "max_tokens"), say("Good morning!"))
    scene.phone().text("Hello")


def too_long(scene: Scene) -> None:
    scene.claude.queue(several([THOUGHT, text("Once upon a")], "max_tokens"), say("A short story."))
    scene.phone().text("Tell me a story")


def thoughts_refused(scene: Scene) -> None:
    bound = error(400, "invalid_request_error", f"messages.1.content.0: {BOUND}")
    scene.claude.queue(call("extract_memory", COFFEE), bound, say("I'll remember that."))
    scene.phone().text("I like black coffee")


def paused_turn(scene: Scene) -> None:
    scene.claude.queue(several(searched("opening hours"), "pause_turn"), say("It is open until 6."))
    scene.searching().text("When does the shop close?")


def last_answer(scene: Scene) -> None:
    """All calls but one are used up, so only words may follow."""
    scene.claude.queue(*[call("list_memories", {})] * (MAX_MODEL_CALLS - 1), say("I know nothing of you yet."))
    scene.phone().text("What do you know of me?")


def too_much_to_read(scene: Scene) -> None:
    too_long = error(400, "invalid_request_error", "prompt is too long: 205000 tokens > 200000 maximum")
    scene.claude.queue(say("Hi."), too_long, say("Fine, and you?"))
    alex = scene.phone()
    alex.text("Hello")
    alex.text("How are you?")


def web_search_switched_off(scene: Scene) -> None:
    off = error(400, "invalid_request_error", "tools.12: web_search is not enabled for this organization")
    scene.claude.queue(off, say("I can't look that up."))
    scene.searching().text("When does the shop close?")


def summary_asked_again(scene: Scene) -> None:
    summary(scene, "There was no call of keep_episode. Call it once, with all fields.")


def the_doctors_call(scene: Scene) -> None:
    settings = scene.make().settings.model_copy(update={"anthropic_api_key": SecretStr(scene.claude.key)})
    scene.claude.queue(call("remember", {"fact": "Likes black coffee"}))
    with closing(model_at(scene.claude, SystemClock())) as model:  # The doctor's deadline is by the machine's clock.
        assert [one.level for one in check_model(settings, model, tries=True)] == ["ok", "ok"]


TURNS: tuple[Callable[[Scene], None], ...] = (
    plain_turn, tool_loop, picture_turn, routine_turn, web_search, servers_tools, second_model, resumed_turn,
    untrue_claim, thoughts_alone, too_long, thoughts_refused, paused_turn, last_answer, too_much_to_read,
    web_search_switched_off,
)  # fmt: skip
KINDS = {one.__name__: one for one in (*TURNS, summary, summary_asked_again, the_small_question, the_doctors_call)}


def without_chance(request: dict[str, Any]) -> dict[str, Any]:
    """The request without its random part, the person's key."""
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
    assert sent == captured(kind)


@pytest.mark.parametrize(
    "kind", ["tool_loop", "web_search", "servers_tools", "untrue_claim", "paused_turn", "last_answer"]
)
def test_in_a_captured_turn_each_request_goes_on_from_the_one_before(kind: str) -> None:
    turn = captured(kind)
    assert len(turn) > 1
    for before, after in pairwise(turn):
        assert (before["system"], before["tools"]) == (after["system"], after["tools"])
        assert unmarked(after["messages"])[: len(before["messages"])] == unmarked(before["messages"])


@pytest.mark.parametrize("kind", ["resumed_turn", "thoughts_refused"])
def test_a_captured_turn_that_cannot_go_on_as_it_was_has_no_thought(kind: str) -> None:
    assert '"type": "thinking"' not in json.dumps(captured(kind)[-1])


def test_every_captured_turn_has_the_same_twelve_tools_and_instructions() -> None:
    [tools] = {json.dumps(one["tools"][:12]) for turn in TURNS for one in captured(turn.__name__)}
    [instructions] = {json.dumps(one["system"][0]) for turn in TURNS for one in captured(turn.__name__)}
    assert [one["name"] for one in json.loads(tools)] == list(EVERY_TOOL)
    assert len(tools) / CHARS_PER_TOKEN < 3200
    assert '"cache_control"' in instructions
    plain, routine = captured("plain_turn")[1], captured("routine_turn")[1]
    assert (plain["system"], plain["tools"]) == (routine["system"], routine["tools"])


def test_a_turn_of_three_calls_costs_at_most_half_of_what_it_did() -> None:
    now, before = requests.in_a_conversation()[requests.THREE_CALLS], requests.BEFORE[requests.THREE_CALLS]
    assert (now.requests, now.tools) == (3, 12)
    assert now.weighted <= before.weighted / 2


def captured(kind: str) -> list[dict[str, Any]]:
    return list(json.loads((DATA / f"{kind}.json").read_text()))


def unmarked(value: Any) -> Any:
    if isinstance(value, list):
        return [unmarked(one) for one in value]
    if isinstance(value, dict):
        return {name: unmarked(one) for name, one in value.items() if name != "cache_control"}
    return value
