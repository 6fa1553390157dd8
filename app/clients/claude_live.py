"""The real Claude under test: checks that it accepts each request made, and refuses those that break a rule."""

import base64
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from anthropic.types import Message
from PIL import Image

from app.clients.claude import ClaudeModel, id_of
from app.clients.prices import most_cents, tokens_at_most
from app.errors import ModelDown, ModelError, OverBudget, RequestRefused, ThinkingRefused
from app.services import Clock
from app.services.model import ModelRequest, ServerTool

LEAST_TOKENS = 512  # With less room an answer may be thinking alone, so none is asked for.
SHORT_TOKENS = 16
SHORT_SECONDS = 60.0
COUNT_MARGIN = 1.1  # A request may take this factor more tokens than earlier ones, relative to its length.
THINKS_ALWAYS = re.compile(r"claude-(?:sonnet|opus)-5-5|claude-fable-5-1")
"""Models that accept neither `disabled` nor forced tools. Source: platform.claude.com, Sonnet 5.5 migration guide, and
"What's new in Claude Opus 5.5"."""
NO_PREFILL = re.compile(r"(?!claude-(?:haiku|sonnet|opus)-(?:3|4-[0-5]))")
"""Models, from 4.6 on, that accept no prefilled answer. Source: QwenLM/qwen-code issue 8039."""
HI: dict[str, Any] = {"role": "user", "content": "Hi"}
LOOK: dict[str, Any] = {"name": "look", "input_schema": {"type": "object", "properties": {}}}


@dataclass(frozen=True)
class RuleProbe:
    """A short request that tests one rule."""

    what: str
    fields: dict[str, Any] = field(default_factory=dict)
    """Fields added to the model, `max_tokens` and a greeting."""
    says: str = ""  # Words of the sentence that must refuse it; empty if it must be accepted.


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


def _tried(model: str) -> tuple[RuleProbe, ...]:
    always, begun = THINKS_ALWAYS.match(model), [HI, {"role": "assistant", "content": "I"}]
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "done"}
    return (
        RuleProbe("a picture", _user(_picture("image/png"))),
        RuleProbe("tools that may not be called", {"tools": [LOOK], "tool_choice": {"type": "none"}}),
        RuleProbe("four cache marks", _marks(4)),
        RuleProbe("five cache marks", _marks(5), "maximum of 4"),
        RuleProbe("a picture under another type", _user(_picture("image/svg+xml")), "media_type"),
        RuleProbe("an empty text", _user({"type": "text", "text": ""}), "non-empty"),
        RuleProbe("a result without its call", {**_user(result), "tools": [LOOK]}, "tool_use_id"),
        RuleProbe("another field in a message", {"messages": [{**HI, "model": "x"}]}, "Extra inputs"),
        RuleProbe("the beginning of the answer", {"messages": begun}, "prefill" if NO_PREFILL.match(model) else ""),
        RuleProbe("a temperature", {"temperature": 1.0}, "temperature"),
        RuleProbe("a forced tool", {"tools": [LOOK], "tool_choice": {"type": "any"}}, "tool_choice" if always else ""),
        RuleProbe("thinking switched off", {"thinking": {"type": "disabled"}}, "thinking" if always else ""),
        RuleProbe("anyOf at the top of a schema", _schema(anyOf=[{}]), "top level"),
        RuleProbe("a blank in a parameter's name", _schema(properties={"a b": {}}), "pattern"),
        RuleProbe("a blank in a tool's name", {"tools": [{**LOOK, "name": "a b"}]}, "pattern"),
        RuleProbe("two tools of one name", {"tools": [LOOK, LOOK]}, "unique"),
    )


class LiveClaude(ClaudeModel):
    """A Claude that reports where the real one differs from the rules, and that costs at most `most_cents`.

    The cost of each call is bounded in advance: by its prompt, uncached and at the token ratio that Claude counted in
    earlier requests, and by the tokens that its answer may have.
    """

    def __init__(self, *, api_key: str, model: str, clock: Clock, base_url: str | None, most_cents: float) -> None:
        super().__init__(api_key=api_key, model=model, clock=clock, base_url=base_url)
        self.most_cents = most_cents
        self.cents = 0.0
        """Cost of all calls so far; a call whose answer was lost counts at its highest possible cost."""
        self.answers = 0
        self.ended = ""
        """A sentence that says why no more requests are made: too little money, or no answer. Empty until then."""
        self.tokens_share = 0.0
        """The highest ratio so far of Claude's own token count, times `COUNT_MARGIN`, to `tokens_at_most`."""
        self.is_away = False
        self._with_thought: dict[str, Any] | None = None
        self._differences: list[str] = []

    def complete(self, request: ModelRequest) -> Message:
        """A message as from `ClaudeModel`, with as much room for the answer as the money left can pay.

        Raises:
            OverBudget: too little money is left for any answer.
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
        except ModelDown as error:
            self.is_away, self.ended = True, str(error)
            raise

    def differences(self) -> list[str]:
        """Differences found since the last call of this method."""
        found, self._differences = self._differences, []
        return found

    def of_single_rules(self, tool: ServerTool | None) -> Iterator[str]:
        """Differences from the rules: one request changes the text before a thinking block; short ones test one rule.

        The server's own `tool` is tested too, since Anthropic's console can switch it off.
        """
        tried = list(_tried(self.name))
        if self._with_thought is not None:
            fields = {**self._with_thought, "system": [{"type": "text", "text": "Be brief."}]}
            tried.insert(0, RuleProbe("another beginning before a thought", fields, "bound to another conversation"))
        if tool is not None:
            tried.append(RuleProbe("the server's own tool", {"tools": [{**tool.definition, "max_uses": 1}]}))
        for one in tried:
            yield from self._try(one)

    def _try(self, tried: RuleProbe) -> Iterator[str]:
        params = {"messages": [HI], **tried.fields, "model": self.name, "max_tokens": SHORT_TOKENS}
        tokens = tokens_at_most(params) * (self.tokens_share or 1.0)
        if self.is_away or most_cents(self.name, int(tokens), SHORT_TOKENS) > self.most_cents - self.cents:
            self.ended = self.ended or self._too_dear()
            return
        # The SDK accepts only fields that it knows; `extra_body` replaces them all.
        known = {name: params[name] for name in ("model", "max_tokens", "messages")}
        deadline = self._clock.monotonic() + SHORT_SECONDS
        request = ModelRequest([], [], [], SHORT_TOKENS, deadline, person_key="", may_ask_again=lambda: False)
        outcome = self._asked({**known, "extra_body": params}, request)
        if isinstance(outcome, Message):
            if tried.says:
                says = f"although the rules refuse it ({tried.says}), {id_of(outcome)}"
                yield f"A request with {tried.what} was taken, {says}."
        elif not _is_different(outcome):
            self.is_away, self.ended = True, str(outcome)
        elif not tried.says:
            yield f"A request with {tried.what}, which the rules allow, got: {outcome}"
        elif tried.says not in str(outcome):
            says = f"{outcome} The rules say: {tried.says}"
            yield f"A request with {tried.what} was refused in other words: {says}"

    def _attempt(self, params: dict[str, Any], seconds: float) -> Message | ModelError:
        outcome = super()._attempt(params, seconds)
        asked = params.get("extra_body", params)
        if isinstance(outcome, ModelError):
            if outcome.may_be_charged:
                self.cents += most_cents(self.name, tokens_at_most(asked), asked["max_tokens"])
            if _is_different(outcome):
                self._differences.append(f"A request that the rules allow got: {outcome}")
            return outcome
        self.answers += 1
        self.cents += self.cost_cents(outcome)
        used = outcome.usage
        counted = used.input_tokens + (used.cache_read_input_tokens or 0) + (used.cache_creation_input_tokens or 0)
        self.tokens_share = max(self.tokens_share, COUNT_MARGIN * counted / tokens_at_most(asked))
        if asked is params and '"signature"' in json.dumps(params["messages"]):
            self._with_thought = params
        return outcome

    def _too_dear(self) -> str:
        return f"The rest might have cost more than {self.most_cents:.1f} cents."


def _is_different(fault: ModelError) -> bool:
    """True if the fault lies in the form of the request or the answer, and not in reaching the server."""
    return fault.is_unusable or isinstance(fault, RequestRefused | ThinkingRefused)
