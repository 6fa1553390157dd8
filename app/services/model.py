"""Models and summarisers, which write replies and episodes: their requests and answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from anthropic.types import Message


@dataclass(frozen=True)
class ModelRequest:
    """One request to the model: everything it may see, in the form of Claude's Messages API."""

    system: list[dict[str, Any]]  # Text blocks: the standing instructions, then the person's memory.
    messages: list[dict[str, Any]]  # In the API's form; answers that go back carry `model`, which is not sent.
    tools: list[dict[str, Any]]
    max_tokens: int
    deadline: float  # The instant of `Clock.monotonic`, in seconds, after which an answer is of no use.
    person_key: str  # Opaque and stable for one person: never a number or a name.
    tools_allowed: bool = True  # False asks for words alone, in the last call that a turn may make.
    server_tool: "ServerTool | None" = None  # A tool that the model's own server runs within its answer.
    effort: str | None = None  # The model's thinking effort, `low` to `max`; None leaves it to the model.
    first_of_day: bool = False  # True if the reply will be the first of the person's day.
    may_ask_again: Callable[[], bool] = lambda: True
    """True if the day's budget has room for another attempt; called before each one that follows an attempt whose
    answer was lost but may be charged."""


THOUGHTS = frozenset({"thinking", "redacted_thinking"})
"""Kinds of thinking blocks. Each is bound to the model and everything before it: send all back unchanged, or none."""


def without_thoughts(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages without any thinking blocks; the API refuses messages that lack only some of them."""
    kept = [
        {**one, "content": [block for block in one["content"] if block.get("type") not in THOUGHTS]}
        if isinstance(one.get("content"), list)
        else one
        for one in messages
    ]
    return [one for one in kept if one.get("content") != []]  # A message of thinking alone is dropped.


@dataclass(frozen=True)
class ModelTrouble:
    """A problem with the model that the operator has to fix."""

    kind: str  # `model_gone`, `model_key`, `model_retires` or `web_search_off`.
    sentence: str


@dataclass(frozen=True)
class ServerTool:
    """A tool that the model's own server runs within its answer, as often as `definition` allows."""

    definition: Mapping[str, Any]  # Its entry in the request, with `type`, `name` and `max_uses`.
    cents: float  # US cents for each use, beside the tokens.
    tokens: int  # Tokens that each use adds to the prompt, at most.
    refused: ModelTrouble  # The trouble to report if the server refuses requests that offer it.

    @property
    def max_uses(self) -> int:
        return int(self.definition["max_uses"])


class Model(Protocol):
    """Writes replies."""

    name: str

    def complete(self, request: ModelRequest) -> "Message":
        """A whole message with a known stop reason.

        Raises:
            ModelError: no such answer came before the deadline.
            ContextTooLong: the request is longer than the model accepts.
            ModelDown: no request would be answered now.
        """

    def troubles(self) -> "Sequence[ModelTrouble] | None":
        """The vendor's reasons not to rely on the model, now or within a month; None if they cannot be known."""

    def cost_cents(self, message: "Message") -> float:
        """Cost of the call in US cents; 0.0 if it is free."""

    def reserve_cents(self, request: ModelRequest) -> float:
        """Highest possible cost of one attempt at the request, in US cents; 0.0 if it is free."""


@dataclass(frozen=True)
class DatedPhrase:
    """A day word in a text, such as `tomorrow`, and its meaning there."""

    start: int
    end: int
    means: str  # `22 Nov 2026`.


@dataclass(frozen=True)
class SaidText:
    """One text of a conversation, as shown to a summariser."""

    at: datetime  # On the person's own clock.
    by_person: bool
    words: str
    dates: tuple[DatedPhrase, ...] = ()  # Its day words, in order.


@dataclass(frozen=True)
class ToSummarise:
    """A conversation, or part of one, that is to become an episode."""

    texts: tuple[SaidText, ...]
    person_key: str  # Opaque and stable for one person: never a number or a name.
    person_name: str | None
    importance: float  # 0 to 1, higher is more important; computed from the person's words alone.
    deadline: float  # The instant of `Clock.monotonic`, in seconds, after which a draft is of no use.
    before: str = ""  # The summary of the part before this one, if there is one.
    problem: str = ""  # The fault of the previous draft; empty at first.
    may_ask_again: Callable[[], bool] = lambda: True  # As `ModelRequest.may_ask_again`.


@dataclass(frozen=True)
class Draft:
    """A summariser's output, not yet checked."""

    fields: Mapping[str, Any]
    """`summary`, `narrative`, `topics`, `key_facts`, `importance`, and `facts`: `fact`, `category`, `quote` of each."""
    written_by: str
    cents: float = 0.0  # Its cost in US cents.
    problem: str = ""  # The reason why nothing in it can be used; empty otherwise.
    is_final: bool = False  # True if another attempt would end the same way, as after a refusal.


class Summariser(Protocol):
    """Makes an episode of a conversation."""

    name: str
    otherwise: "Summariser | None"  # The fallback for conversations that this one cannot summarise.

    def summarise(self, conversation: ToSummarise) -> Draft:
        """A draft of the episode.

        Raises:
            ModelError: no answer came before the deadline.
            ModelDown: no request would be answered now.
        """

    def reserve_cents(self, conversation: ToSummarise) -> float:
        """Highest possible cost of one attempt, in US cents; 0.0 if it is free."""
