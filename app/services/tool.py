"""A tool that the model may call: a typed function with all that the turn has to know of it."""

import inspect
import json
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
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


@dataclass(frozen=True)
class Tool:
    """A function whose docstring is read by Claude; its first parameter, the context, is hidden from it."""

    function: Function
    proves: Callable[[CallMade], Proof]  # What an answer of it bears out: only that may the reply claim.
    writes: bool
    reading_actions: Collection[str]  # Of a tool that writes, the values of `action` with which it changes nothing.
    needs_memory: bool  # Whether it is refused while the person has memory off.
    brings_others_words: bool
    """Whether it brings words of anybody into a turn: from then on only what the person's own words say is kept."""
    answered_before: Answer | None  # The answer of a call that an earlier attempt at the turn has made.
    is_there: "Callable[[Services], bool]"  # Whether there is somebody to ask; else the tool is not offered.
    name: str
    description: str
    input_schema: dict[str, Any] | None = None
    """Of a tool that takes its input as it comes; else it is read from the function's signature."""

    def only_reads(self, given: object) -> bool:
        return not self.writes or (isinstance(given, dict) and str(given.get("action")) in self.reading_actions)


def tool(
    *,
    proves: Proof | Callable[[CallMade], Proof],
    writes: bool = False,
    reading_actions: Collection[str] = (),
    needs_memory: bool = True,
    brings_others_words: bool = False,
    answered_before: Answer | None = None,
    is_there: "Callable[[Services], bool]" = lambda _: True,
) -> Callable[[Function], Tool]:
    """Make a function a tool: `Tool` says what each flag means."""

    def made(function: Function) -> Tool:
        return Tool(
            function=function,
            proves=(lambda _: proves) if isinstance(proves, Proof) else proves,
            writes=writes,
            reading_actions=frozenset(reading_actions),
            needs_memory=needs_memory,
            brings_others_words=brings_others_words,
            answered_before=answered_before,
            is_there=is_there,
            name=function.__name__,
            description=inspect.getdoc(function) or "",
        )

    return made


def _object_in(result: str) -> dict[str, Any]:
    try:
        told = json.loads(result)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}
