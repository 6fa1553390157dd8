"""All that Keepsake needs from outside, on one page.

`build_services` in `wiring.py` chooses an implementation for each; doors hand the record to everything below them.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from sqlalchemy.orm import Session

from app.settings import Settings

if TYPE_CHECKING:
    from anthropic.types import Message as ModelMessage


T = TypeVar("T")


class Clock(Protocol):
    def now(self) -> datetime: ...

    def monotonic(self) -> float: ...

    def wait(self, seconds: float) -> None: ...


@dataclass(frozen=True)
class ModelRequest:
    """One question to the model: everything it may see, in the form of Claude's Messages API."""

    system: list[dict[str, Any]]
    """Text blocks: the standing instructions, then the person's memory."""
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]]
    max_tokens: int
    deadline: float
    """The instant of `Clock.monotonic`, in seconds, after which an answer is of no use."""
    person_key: str
    """Opaque and stable for one person: never a number or a name."""
    tools_allowed: bool = True
    """False asks for words alone: the last call that a turn may make."""
    first_of_day: bool = False
    """Whether the reply will be the first of the person's day."""


class Model(Protocol):
    """What writes replies."""

    name: str

    def complete(self, request: ModelRequest) -> "ModelMessage":
        """A whole message with a known stop reason.

        Raises:
            ModelError: no such answer came before the deadline.
            ContextTooLong: the request is longer than the model accepts.

        """
        ...

    def cost_cents(self, message: "ModelMessage") -> float:
        """What the call cost, in US cents; 0.0 where nothing is charged."""
        ...


@dataclass(frozen=True)
class OutgoingText:
    """One text on its way to one phone."""

    to: str
    """The address in the carrier's form: `+1…`, `whatsapp:+1…`."""
    body: str
    key: str
    """Ours, opaque, in the status callback's address: ties what the carrier says later to the row."""


class Carrier(Protocol):
    """What takes texts to a phone."""

    name: str

    def send(self, text: OutgoingText) -> str:
        """The carrier's id for the accepted text.

        Raises:
            CarrierError: refused; sending it again would be refused again.
            CarrierBusy: nothing was sent; it may be tried again.
            CarrierUnknown: it may have been sent.

        """
        ...


class Background(Protocol):
    """What answers texts behind the doors: one lane for each person."""

    def start(self, work: Callable[[int], None]) -> None:
        """Begin to call `work(person_id)` for everyone who is woken."""
        ...

    def wake(self, person_id: int, *, at_once: bool = False) -> None:
        """Have the person's texts looked at once their quiet window is over, or now."""
        ...

    def stop(self, grace_seconds: float) -> None:
        """Take no more work, and wait for what is under way."""
        ...


class Statements(Protocol):
    """Plain statements within one writing transaction."""

    def first_row(self, statement: str, values: Sequence[object] = ()) -> Sequence[Any] | None: ...


class Store(Protocol):
    """The database. `app.db.Database` is the one implementation."""

    def transaction(self) -> AbstractContextManager[Session]: ...

    def reading(self) -> AbstractContextManager[Session]: ...

    def together(self, work: Callable[[Statements], T]) -> T: ...

    def wait_for_change(self, seen: int, seconds: float) -> int: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Services:
    """Made once by `build_services`; an argument everywhere below the doors."""

    settings: Settings
    store: Store
    clock: Clock
    model: Model
    carriers: Mapping[str, Carrier]
    """By the name kept on each message: `twilio`, `phone`, `terminal`."""
    background: Background

    def transaction(self) -> AbstractContextManager[Session]:
        """The only commit: one writing transaction, begun IMMEDIATE, committed at the end or rolled back."""
        return self.store.transaction()

    def reading(self) -> AbstractContextManager[Session]:
        """One consistent view of the database, never held while something outside is waited for."""
        return self.store.reading()
