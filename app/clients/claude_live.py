"""The real Claude held against the rules: each request that is made of it, and some that try one rule each."""

import base64
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from anthropic.types import Message
from PIL import Image

from app.clients.claude import ATTEMPTS, ClaudeModel, id_of
from app.clients.claude_faults import Fault
from app.clients.claude_rules import BOUND, refusal
from app.clients.prices import most_cents, tokens_at_most
from app.errors import ModelError, OverBudget, RequestRefused, ThinkingRefused
from app.services import Clock
from app.services.model import ModelRequest, ServerTool

LEAST_TOKENS = 512  # With less room an answer may be all thought, and none is asked for.
SHORT_TOKENS = 16
SHORT_SECONDS = 60.0
COUNT_MARGIN = 1.1  # A request may take so many more tokens than those before it did, as its length goes.
HI: dict[str, Any] = {"role": "user", "content": "Hi"}
LOOK: dict[str, Any] = {"name": "look", "input_schema": {"type": "object", "properties": {}}}
KNOWN_TO_THE_SDK = frozenset({"model", "max_tokens", "messages", "system", "tools", "tool_choice"})


@dataclass(frozen=True)
class Tried:
    """A short request that tries one rule."""

    what: str
    fields: dict[str, Any] = field(default_factory=dict)
    """What it has beside the model, the room for the answer and a greeting."""
    says: str = ""
    """A word of the sentence that refuses it."""


def _optional(name: str, count: int) -> dict[str, Any]:
    properties = {f"p{number}": {"type": "string"} for number in range(count)}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {"name": name, "strict": True, "input_schema": schema}


def _schema(**words: Any) -> dict[str, Any]:
    return {"tools": [{**LOOK, "input_schema": {"type": "object", **words}}]}


def _user(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": list(blocks)}]}


def _picture(media_type: str) -> dict[str, Any]:
    png = io.BytesIO()
    Image.new("RGB", (64, 64), "red").save(png, "PNG")
    data = base64.b64encode(png.getvalue()).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


def _marks(count: int) -> dict[str, Any]:
    return {"system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}] * count}


def _tried() -> tuple[Tried, ...]:
    return (
        Tried("a picture", _user(_picture("image/png"))),
        Tried("tools that may not be called", {"tools": [LOOK], "tool_choice": {"type": "none"}}),
        Tried("four cache marks", _marks(4)),
        Tried("five cache marks", _marks(5), "maximum of 4"),
        Tried("a picture under another type", _user(_picture("image/svg+xml")), "media_type"),
        Tried("an empty text", _user({"type": "text", "text": ""}), "non-empty"),
        Tried("a result without its call", {
            **_user({"type": "tool_result", "tool_use_id": "toolu_1", "content": "done"}), "tools": [LOOK],
        }, "tool_use_id"),
        Tried("another field in a message", {"messages": [{**HI, "model": "x"}]}, "Extra inputs"),
        Tried("the beginning of the answer", {"messages": [HI, {"role": "assistant", "content": "I"}]}, "prefill"),
        Tried("a temperature", {"temperature": 1.0}, "temperature"),
        Tried("a forced tool", {"tools": [LOOK], "tool_choice": {"type": "any"}}, "tool_choice"),
        Tried("thinking switched off", {"thinking": {"type": "disabled"}}, "thinking"),
        Tried("anyOf at the top of a schema", _schema(anyOf=[{}]), "top level"),
        Tried("a blank in a parameter's name", _schema(properties={"a b": {}}), "pattern"),
        Tried("a blank in a tool's name", {"tools": [{**LOOK, "name": "a b"}]}, "pattern"),
        Tried("two tools of one name", {"tools": [LOOK, LOOK]}, "unique"),
        Tried("25 optional parameters", {"tools": [_optional("a", 13), _optional("b", 12)]}, "optional parameters"),
    )  # fmt: skip


class LiveClaude(ClaudeModel):
    """A Claude that tells where it does not do what the rules say, and that costs at most `most_cents`.

    Each call is bounded before it is made: by what its prompt costs when nothing of it is cached, as Claude counted
    the requests before it, and by the tokens that its answer may have.
    """

    def __init__(self, *, api_key: str, model: str, clock: Clock, base_url: str | None, most_cents: float) -> None:
        super().__init__(api_key=api_key, model=model, clock=clock, base_url=base_url)
        self.most_cents = most_cents
        self.cents = 0.0
        """What the calls have cost so far; one whose answer was lost counts at the most that it may have cost."""
        self.answers = 0
        self.ended = ""
        """Why nothing more is asked, in a sentence: too little money is left, or nobody answers."""
        self.tokens_share = 0.0
        """What Claude counted of its tokens, at most, for each that `tokens_at_most` makes of a request."""
        self.is_away = False
        self._is_unusable = False
        self._with_thought: dict[str, Any] | None = None
        self._differences: list[str] = []

    def complete(self, request: ModelRequest) -> Message:
        """As any Claude does, with as much room for the answer as can be paid.

        Raises:
            OverBudget: too little is left for any answer.
        """
        uncounted = self.reserve_cents(replace(request, max_tokens=0))
        answer = self.reserve_cents(request) - uncounted
        left = self.most_cents - self.cents - uncounted * (self.tokens_share or 1.0)
        tokens = request.max_tokens if left >= answer else int(request.max_tokens * left / answer)
        if tokens < LEAST_TOKENS:
            self.ended = self._too_dear()
            raise OverBudget(self.ended, is_spent=True)
        try:
            return super().complete(replace(request, max_tokens=tokens, may_ask_again=lambda: False))
        except (RequestRefused, ThinkingRefused):
            raise
        except ModelError as error:
            if not self._is_unusable:
                self.is_away, self.ended = True, str(error)
            raise

    def differences(self) -> list[str]:
        """What differed since it was asked last."""
        told, self._differences = self._differences, []
        return told

    def of_single_rules(self, tool: ServerTool | None) -> Iterator[str]:
        """What differs where one request changes what stood before a thought, and short ones try one rule each.

        It also tries the server's own `tool`, which may be switched off in Anthropic's console.
        """
        if self._with_thought is not None:
            other = {"max_tokens": SHORT_TOKENS, "system": [{"type": "text", "text": "Be brief."}]}
            tried = Tried("another beginning before a thought", other, "bound to another conversation")
            yield from self._try({**self._with_thought, **other}, tried, BOUND)
        short = {"model": self.name, "max_tokens": SHORT_TOKENS, "messages": [HI]}
        servers = (
            [] if tool is None else [Tried("the server's own tool", {"tools": [{**tool.definition, "max_uses": 1}]})]
        )
        for tried in (*_tried(), *servers):
            params = {**short, **tried.fields}
            yield from self._try(params, tried, refusal(params))

    def _try(self, params: dict[str, Any], tried: Tried, rule: str | None) -> Iterator[str]:
        tokens = tokens_at_most(params) * (self.tokens_share or 1.0)
        if self.is_away or most_cents(self.name, int(tokens), SHORT_TOKENS) > self.most_cents - self.cents:
            self.ended = self.ended or self._too_dear()
            return
        outcome = self._asked_as_it_is(params)
        if isinstance(outcome, Message):
            if rule is not None:
                yield f"A request with {tried.what} was taken, although the rules refuse it ({rule}), {id_of(outcome)}."
        elif not (outcome.refused or outcome.thinking or outcome.unusable):
            self.is_away, self.ended = True, outcome.sentence
        elif rule is None:
            yield f"A request with {tried.what}, which the rules allow, got: {outcome.sentence}"
        elif tried.says not in outcome.sentence:
            yield f"A request with {tried.what} was refused in other words: {outcome.sentence} The rules say: {rule}"

    def _asked_as_it_is(self, params: dict[str, Any]) -> Message | Fault:
        """What comes of a request whatever rule it breaks; asked again where the server asks for patience."""
        known = {name: value for name, value in params.items() if name in KNOWN_TO_THE_SDK}
        deadline = self._clock.monotonic() + SHORT_SECONDS
        for attempt in range(1, ATTEMPTS + 1):
            outcome = super()._attempt({**known, "extra_body": params}, deadline - self._clock.monotonic())
            self._count(params, outcome)
            if isinstance(outcome, Message) or outcome.unusable:
                break
            pause = self._pause(outcome, attempt, deadline)
            if isinstance(pause, Fault):
                break
            self._clock.wait(pause)
        return outcome

    def _attempt(self, params: dict[str, Any], seconds: float) -> Message | Fault:
        outcome = super()._attempt(params, seconds)
        self._count(params, outcome)
        rule = refusal(params)
        if isinstance(outcome, Fault):
            self._is_unusable = outcome.unusable
            if rule is None and (outcome.refused or outcome.thinking or outcome.unusable):
                self._differences.append(f"A request that the rules allow got: {outcome.sentence}")
            return outcome
        self.answers += 1
        used = outcome.usage
        counted = used.input_tokens + (used.cache_read_input_tokens or 0) + (used.cache_creation_input_tokens or 0)
        self.tokens_share = max(self.tokens_share, COUNT_MARGIN * counted / tokens_at_most(params))
        if '"signature"' in json.dumps(params["messages"]):
            self._with_thought = params
        if rule is not None:
            self._differences.append(f"A request was taken that the rules refuse ({rule}), {id_of(outcome)}.")
        return outcome

    def _too_dear(self) -> str:
        return f"The rest might have cost more than {self.most_cents:.1f} cents."

    def _count(self, params: dict[str, Any], outcome: Message | Fault) -> None:
        if isinstance(outcome, Message):
            self.cents += self.cost_cents(outcome)
        elif outcome.may_be_charged:
            self.cents += most_cents(self.name, tokens_at_most(params), params["max_tokens"])
