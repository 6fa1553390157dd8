"""A tool that the model may call: a typed function, with the flags by which a turn handles it."""

import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy.orm import Session

if TYPE_CHECKING:
    from app.services import Services

Function = Callable[..., dict[str, Any]]
Answer = Callable[[Session, Any], dict[str, Any]]  # The answer of a call, read from the `Change` that it made.


@dataclass(frozen=True)
class CallMade:
    """One call of a tool by the model, with its result."""

    name: str
    input: dict[str, Any]
    result: str  # The text that the model gets.
    is_error: bool
    answered: dict[str, Any] = field(default_factory=dict)
    """The tool's own answer, even if a hook has changed `result`; empty if it is no longer known."""

    def __post_init__(self) -> None:
        if not isinstance(self.result, str):  # Hooks build calls too.
            raise TypeError("A tool's result is a str, such as JSON.")
        if not self.answered and not self.is_error:
            object.__setattr__(self, "answered", _object_in(self.result))

    @property
    def memory_updated(self) -> bool:
        return self.answered.get("memory_updated") is True

    def columns(self) -> dict[str, Any]:
        return {"name": self.name, "input": self.input, "result": self.result, "is_error": self.is_error}


@dataclass(frozen=True)
class Proof:
    """Kinds of claims that a call proves."""

    deeds: frozenset[str] = frozenset()
    """Done in this turn: `saved`, `forgotten`, `scheduled`, `cancelled`, `connected`, or `name` (forgotten)."""
    states: frozenset[str] = frozenset()  # True already before this turn, as the call has found.

    def proves_claim(self, deed: str, *, is_state: bool) -> bool:
        if deed == "done":
            return bool(self.deeds)
        return deed in self.deeds or (is_state and deed in self.states)


NOTHING = Proof()
ANYTHING = Proof(frozenset({"saved", "forgotten", "scheduled", "cancelled", "connected"}))
KEPT = Proof(frozenset({"saved"}))
KNOWN = Proof(states=frozenset({"saved"}))
REPLACED = Proof(frozenset({"saved", "forgotten"}))
ENDED = Proof(frozenset({"saved", "forgotten", "cancelled"}))


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A function whose docstring Claude reads; its first parameter, the context, is hidden from Claude.

    Used as a decorator with flags alone, it turns the function into a tool: `@tool(writes=True, …)`.
    """

    proves: Proof | Callable[[CallMade], Proof]  # The proof in an answer: the reply may claim nothing else.
    writes: bool = False
    reading_actions: tuple[str, ...] = ()
    """Values of `action` with which a tool that writes changes nothing."""
    needs_memory: bool = True  # True if it is refused while the person has memory off.
    brings_others_words: bool = False
    """True if it brings other people's words into a turn: from then on only the person's own words are kept."""
    answered_before: Answer | None = None  # Returns the answer of a call made by an earlier attempt at the turn.
    is_there: "Callable[[Services], bool]" = lambda _: True
    """False if the source that the tool needs is missing; the tool is then not offered."""
    function: Function = dict  # A placeholder until the decorator is applied.
    name: str = ""
    description: str = ""
    input_schema: dict[str, Any] | None = None
    """Schema of a tool that takes its input unparsed; otherwise the function's signature gives it."""

    def __call__(self, function: Function) -> "Tool":
        return replace(self, function=function, name=function.__name__, description=inspect.getdoc(function) or "")

    def proof(self, call: CallMade) -> Proof:
        return self.proves if isinstance(self.proves, Proof) else self.proves(call)

    def only_reads(self, given: object) -> bool:
        return not self.writes or (isinstance(given, dict) and str(given.get("action")) in self.reading_actions)


tool = Tool


def _object_in(result: str) -> dict[str, Any]:
    try:
        parsed = json.loads(result)
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}
