"""Models, which write replies and episodes: what they are asked, and what they answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from anthropic.types import Message


@dataclass(frozen=True)
class ModelRequest:
    """One question to the model: everything it may see, in the form of Claude's Messages API."""

    system: list[dict[str, Any]]  # Text blocks: the standing instructions, then the person's memory.
    messages: list[dict[str, Any]]  # In the API's form; answers that go back carry `model`, which is not sent.
    tools: list[dict[str, Any]]
    max_tokens: int
    deadline: float  # The instant of `Clock.monotonic`, in seconds, after which an answer is of no use.
    person_key: str  # Opaque and stable for one person: never a number or a name.
    tools_allowed: bool = True  # False asks for words alone: the last call that a turn may make.
    server_tool: "ServerTool | None" = None  # One that the model's own server runs within its answer.
    effort: str | None = None  # How hard the model thinks, `low` to `max`; None leaves it to the model.
    first_of_day: bool = False  # Whether the reply will be the first of the person's day.
    may_ask_again: Callable[[], bool] = lambda: True
    """Asked before every further attempt that follows one whose answer was lost but may be charged: whether the day's
    budget has room for another."""


THOUGHTS = frozenset({"thinking", "redacted_thinking"})
"""Kinds of blocks. Each is bound to the model and to all that stood before it, and goes back whole or not at all."""


def without_thoughts(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages without any thought; leaving out some between others would be refused."""
    kept = [
        {**one, "content": [block for block in one["content"] if block.get("type") not in THOUGHTS]}
        if isinstance(one.get("content"), list)
        else one
        for one in messages
    ]
    return [one for one in kept if one.get("content") != []]  # Of a message of thoughts alone nothing is left.


@dataclass(frozen=True)
class ModelTrouble:
    """Something about the model that the operator has to mend."""

    kind: str  # `model_gone`, `model_key`, `model_retires` or `web_search_off`.
    sentence: str


@dataclass(frozen=True)
class ServerTool:
    """A tool that the model's own server runs within its answer, as often as `definition` lets it."""

    definition: Mapping[str, Any]  # As a request has it: with its `type`, `name` and `max_uses`.
    cents: float  # What each use costs, in US cents, beside the tokens.
    tokens: int  # What each use adds to the prompt, at most.
    refused: ModelTrouble  # The server takes no request that offers it.

    @property
    def max_uses(self) -> int:
        return int(self.definition["max_uses"])


class Model(Protocol):
    """What writes replies."""

    name: str

    def complete(self, request: ModelRequest) -> "Message":
        """A whole message with a known stop reason.

        Raises:
            ModelError: no such answer came before the deadline.
            ContextTooLong: the request is longer than the model accepts.
            ModelDown: nobody would be answered now.
        """
        ...

    def troubles(self) -> "Sequence[ModelTrouble] | None":
        """What its vendor says against relying on it, now or within a month; None where nobody can tell."""
        ...

    def cost_cents(self, message: "Message") -> float:
        """What the call cost, in US cents; 0.0 where nothing is charged."""
        ...

    def reserve_cents(self, request: ModelRequest) -> float:
        """The most that one attempt at the request may cost, in US cents; 0.0 where nothing is charged."""
        ...


@dataclass(frozen=True)
class DatedPhrase:
    """A day word in a text, such as `tomorrow`, and what it means there."""

    start: int
    end: int
    means: str  # `22 Nov 2026`.


@dataclass(frozen=True)
class SaidText:
    """One text of a conversation, as a summariser is shown it."""

    at: datetime  # On the person's own clock.
    by_person: bool
    words: str
    dates: tuple[DatedPhrase, ...] = ()  # Its day words, in order.


@dataclass(frozen=True)
class ToSummarise:
    """A conversation, or a part of one, that is to become an episode."""

    texts: tuple[SaidText, ...]
    person_key: str  # Opaque and stable for one person: never a number or a name.
    person_name: str | None
    importance: float  # 0 to 1: what the person's words weigh by themselves.
    deadline: float  # The instant of `Clock.monotonic`, in seconds, after which a draft is of no use.
    before: str = ""  # What the part before this one came to, where there is one.
    problem: str = ""  # What was wrong with the draft before; empty at first.
    may_ask_again: Callable[[], bool] = lambda: True  # As `ModelRequest.may_ask_again`.


@dataclass(frozen=True)
class Draft:
    """What a summariser wrote: as it came, and not yet checked."""

    fields: Mapping[str, Any]
    """`summary`, `narrative`, `topics`, `key_facts`, `importance`, and `facts`: `fact`, `category`, `quote` of each."""
    written_by: str
    cents: float = 0.0  # What it cost, in US cents.
    problem: str = ""  # Why there is nothing in it that could be used.
    is_final: bool = False  # Whether asking again would come to the same, as after a refusal.


class Summariser(Protocol):
    """What makes an episode of a conversation."""

    name: str
    otherwise: "Summariser | None"  # Who writes when this one cannot, however often it is asked.

    def summarise(self, conversation: ToSummarise) -> Draft:
        """A draft of the episode.

        Raises:
            ModelError: no answer came before the deadline.
            ModelDown: nobody would be answered now.
        """
        ...

    def reserve_cents(self, conversation: ToSummarise) -> float:
        """The most that one attempt may cost, in US cents; 0.0 where nothing is charged."""
        ...
