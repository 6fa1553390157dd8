"""A tool that the model may call: a typed function with all that the turn has to know of it."""

import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy.orm import Session

if TYPE_CHECKING:
    from app.services import Services

Function = Callable[..., dict[str, Any]]
Answer = Callable[[Session, Any], dict[str, Any]]  # What a call answered, read from the `Change` that it made.


@dataclass(frozen=True)
class CallMade:
    """One tool that the model called, and what came back."""

    name: str
    input: dict[str, Any]
    result: str  # What the model is told.
    is_error: bool
    answered: dict[str, Any] = field(default_factory=dict)
    """What the tool itself said, whatever a hook has made of the result; empty where it is known no more."""

    def __post_init__(self) -> None:
        if not isinstance(self.result, str):  # Hooks make calls, too.
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
    """Kinds of claims that a call makes true."""

    deeds: frozenset[str] = frozenset()
    """Done in this turn: `saved`, `forgotten`, `scheduled`, `cancelled`, `connected`; `name`: it is forgotten."""
    states: frozenset[str] = frozenset()  # So already, as was looked up.

    def bears_out(self, deed: str, *, is_state: bool) -> bool:
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
    """A function whose docstring is read by Claude; its first parameter, the context, is hidden from it.

    With its flags alone it makes the function under it one: `@tool(writes=True, …)`.
    """

    proves: Proof | Callable[[CallMade], Proof]  # What an answer of it bears out: only that may the reply claim.
    writes: bool = False
    reading_actions: tuple[str, ...] = ()
    """Of a tool that writes, the values of `action` with which it changes nothing."""
    needs_memory: bool = True  # Whether it is refused while the person has memory off.
    brings_others_words: bool = False
    """Whether it brings words of anybody into a turn: from then on only what the person's own words say is kept."""
    answered_before: Answer | None = None  # The answer of a call that an earlier attempt at the turn has made.
    is_there: "Callable[[Services], bool]" = lambda _: True
    """Whether there is somebody to ask; else the tool is not offered."""
    function: Function = dict  # In the place of the function that it will be.
    name: str = ""
    description: str = ""
    input_schema: dict[str, Any] | None = None
    """Of a tool that takes its input as it comes; else it is read from the function's signature."""

    def __call__(self, function: Function) -> "Tool":
        return replace(self, function=function, name=function.__name__, description=inspect.getdoc(function) or "")

    def proof(self, call: CallMade) -> Proof:
        return self.proves if isinstance(self.proves, Proof) else self.proves(call)

    def only_reads(self, given: object) -> bool:
        return not self.writes or (isinstance(given, dict) and str(given.get("action")) in self.reading_actions)


tool = Tool


def _object_in(result: str) -> dict[str, Any]:
    try:
        told = json.loads(result)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}
