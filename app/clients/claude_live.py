"""The rules held against what the real API does: each request that a model makes, and some that break a rule each."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from anthropic.types import Message

from app.clients.claude import ClaudeModel
from app.clients.claude_faults import Fault
from app.clients.claude_rules import refusal


@dataclass(frozen=True)
class Broken:
    """A request that breaks one rule: what is changed of a good one, and a word of the API's sentence."""

    changes: dict[str, Any]
    says: str


BROKEN = (
    Broken({"temperature": 1.0}, "temperature"),
    Broken({"tool_choice": {"type": "any"}}, "tool_choice"),
    Broken({"thinking": {"type": "disabled"}}, "thinking"),
    Broken({"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "I"}]}, "prefill"),
    Broken({"messages": [{"role": "user", "content": "Hi", "model": "x"}]}, "Extra inputs"),
    Broken({"tools": [{"name": "look", "input_schema": {"type": "object", "anyOf": [{}]}}]}, "top level"),
    Broken({"tools": [{"name": "a b", "input_schema": {"type": "object"}}]}, "pattern"),
)
LEAST_TOKENS = 16


class Comparison:
    """Watches a model, and tells where the API does not do what the rules say."""

    def __init__(self, model: ClaudeModel) -> None:
        self._model = model
        self._good: dict[str, Any] | None = None
        self._differences: list[str] = []
        self.cents = 0.0
        """What the calls have cost so far."""
        model.observe = self._look

    def differences(self) -> list[str]:
        """What differed since it was asked last."""
        told, self._differences = self._differences, []
        return told

    def of_broken_requests(self) -> Iterator[str]:
        """Each request that breaks a rule, made of a good one, has to be refused with the sentence of the rule."""
        for broken in BROKEN if self._good is not None else ():
            params = {**(self._good or {}), "max_tokens": LEAST_TOKENS, **broken.changes}
            rule, outcome = refusal(params), self._model.ask_as_it_is(params)
            if isinstance(outcome, Message):
                yield f"taken, though the rules refuse it: {rule} Request {outcome._request_id}."  # noqa: SLF001
            elif broken.says not in outcome.sentence:
                yield f"refused in other words: {outcome.sentence} The rules say: {rule}"

    def _look(self, params: dict[str, Any], outcome: Message | Fault) -> None:
        rule = refusal(params)
        if isinstance(outcome, Fault):
            if rule is None:
                self._differences.append(f"a request that the rules allow got: {outcome.sentence}")
            return
        self.cents += self._model.cost_cents(outcome)
        self._good = self._good or params
        if rule is not None:
            at = outcome._request_id  # noqa: SLF001  (the SDK has no other name for it)
            self._differences.append(f"a request was taken that the rules refuse ({rule}), request {at}")
