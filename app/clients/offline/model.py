"""The offline model: a request in, a message out, by rules alone."""

from typing import Any

from anthropic.types import Message

from app.clients.offline import lookups, routines
from app.clients.offline.danger import danger
from app.clients.offline.plan import Call, facts_before, next_calls
from app.clients.offline.reading import read
from app.clients.offline.reminders import wishes
from app.clients.offline.reply import reply
from app.clients.offline.scene import Scene, scene_of
from app.services import Clock, ModelRequest, ModelTrouble

_NO_EYES = "I can't see or hear what you sent with it, so I went by your words alone."


class OfflineModel:
    """Answers as Claude would, as far as rules can, from nothing but the request."""

    name = "offline"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def complete(self, request: ModelRequest) -> Message:
        """Tool calls while there is something to look up or to change, then the reply."""
        scene = scene_of(request)
        if wanted_outside := lookups.calls(scene):
            return _looked_up(wanted_outside, scene)
        if scene.is_routine:
            return _message([{"type": "text", "text": routines.at_its_time(scene.words)}], "end_turn")
        # The request tells the person's date; without it the clock's is near enough to give "tomorrow" a date.
        today = scene.today or self._clock.now().date()
        wanted, rest = wishes(scene.words, today, scene.earlier, scene.asked, waits=scene.waits)
        if asked := routines.calls(wanted, scene):
            return _message(_tool_uses(asked, len(scene.steps)), "tool_use")
        wanted, others = routines.named(wanted, scene)
        if danger(scene.words) == "life":
            rest, others = scene.words, []  # Also what somebody asks to be reminded of may say it.
        told = routines.said(wanted, scene) if wanted else []
        if wanted and not (rest or others):
            return _message([{"type": "text", "text": " ".join(told)}], "end_turn")
        done = len(scene.steps)
        scene = routines.aside(scene, " ".join(filter(None, (rest, *others))) if wanted else scene.words)
        reading = read(scene.words, today, facts_before(scene), scene.earlier, scene.name)
        calls = next_calls(reading, scene)
        if calls:
            return _message(_tool_uses(calls, done), "tool_use")
        said = [*told, reply(reading, scene), *([_NO_EYES] if scene.unseen else [])]
        return _message([{"type": "text", "text": "\n".join(said)}], "end_turn")

    def cost_cents(self, message: Message) -> float:  # noqa: ARG002 (the protocol's shape; rules cost nothing)
        return 0.0

    def troubles(self) -> list[ModelTrouble]:
        """Nothing: it is part of the product."""
        return []

    def reserve_cents(self, request: ModelRequest) -> float:  # noqa: ARG002 (the protocol's shape; rules cost nothing)
        return 0.0


def _looked_up(wanted: list[Call], scene: Scene) -> Message:
    if calls := lookups.not_made(wanted, scene):
        return _message(_tool_uses(calls, len(scene.steps)), "tool_use")
    return _message([{"type": "text", "text": lookups.said(scene)}], "end_turn")


def _tool_uses(calls: list[Call], before: int) -> list[dict[str, Any]]:
    return [
        {"type": "tool_use", "id": f"toolu_offline_{number}", "name": call.tool, "input": call.input}
        for number, call in enumerate(calls, before + 1)
    ]


def _message(content: list[dict[str, Any]], stop_reason: str) -> Message:
    return Message.model_validate(
        {
            "id": "msg_offline",
            "type": "message",
            "role": "assistant",
            "model": "offline",
            "content": content,
            "stop_reason": stop_reason,
            "stop_sequence": None,
            "usage": {"input_tokens": 0, "output_tokens": 0},
        }
    )
