"""All that Keepsake needs from outside, on one page.

`build_services` in `wiring.py` chooses an implementation for each; doors hand the record to everything below them.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from sqlalchemy.orm import Session

from app.services.feature import Feature
from app.services.just_answered import JustAnswered
from app.services.sources import Calendars
from app.services.summaries import Summariser
from app.services.tracing import UNTRACED, Span, Tracer, Value
from app.settings import Settings
from app.store.dialect import Spelt
from app.store.process import Process

if TYPE_CHECKING:
    import numpy as np
    from anthropic.types import Message as ModelMessage
    from numpy.typing import NDArray

T = TypeVar("T")

_MAKING = RLock()


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
    """In the API's form; answers that go back carry `model`, which is not sent."""
    tools: list[dict[str, Any]]
    max_tokens: int
    deadline: float
    """The instant of `Clock.monotonic`, in seconds, after which an answer is of no use."""
    person_key: str  # Opaque and stable for one person: never a number or a name.
    tools_allowed: bool = True
    """False asks for words alone: the last call that a turn may make."""
    server_tool: "ServerTool | None" = None
    """One that the model's own server runs within its answer."""
    effort: str | None = None  # How hard the model thinks, `low` to `max`; None leaves it to the model.
    first_of_day: bool = False
    """Whether the reply will be the first of the person's day."""
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

    kind: str
    """`model_gone`, `model_key`, `model_retires` or `web_search_off`."""
    sentence: str


@dataclass(frozen=True)
class ServerTool:
    """A tool that the model's own server runs within its answer, as often as `definition` lets it."""

    definition: Mapping[str, Any]
    """As a request has it: with its `type`, `name` and `max_uses`."""
    cents: float
    """What each use costs, in US cents, beside the tokens."""
    tokens: int
    """What each use adds to the prompt, at most."""
    refused: ModelTrouble
    """The server takes no request that offers it."""

    @property
    def max_uses(self) -> int:
        return int(self.definition["max_uses"])


class Model(Protocol):
    """What writes replies."""

    name: str

    def complete(self, request: ModelRequest) -> "ModelMessage":
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

    def cost_cents(self, message: "ModelMessage") -> float:
        """What the call cost, in US cents; 0.0 where nothing is charged."""
        ...

    def reserve_cents(self, request: ModelRequest) -> float:
        """The most that one attempt at the request may cost, in US cents; 0.0 where nothing is charged."""
        ...


@dataclass(frozen=True)
class OutgoingText:
    """One text on its way to one phone."""

    to: str
    """The address in the carrier's form: `+1…`, `whatsapp:+1…`."""
    body: str
    key: str
    """Ours, opaque, in the status callback's address: ties what the carrier says later to the row."""
    valid_seconds: int | None = None
    """How long the text is of use: what has not gone out by then never should. None leaves it to the carrier."""


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


@dataclass(frozen=True)
class LedgerEntry:
    """One text as the carrier's own books show it."""

    sid: str
    sender: str
    """Empty while a pool of numbers has not chosen one yet."""
    recipient: str
    body: str
    status: str
    """The carrier's word: `queued`, `sent`, `delivered`, `received` …"""
    created_at: datetime
    """By the carrier's clock, to the second."""
    error_code: int | None = None
    cost_cents: float | None = None
    """US cents, once the carrier has charged them in dollars."""
    media_count: int = 0


class Ledger(Protocol):
    """A carrier's own books: what it took from us and for us, to be asked when its calls did not say."""

    carrier: str
    """The name of the carrier whose books they are."""

    def sent_to(self, address: str, since: datetime) -> Sequence[LedgerEntry]:
        """What we sent to the address at or after `since`, the oldest first.

        Raises:
            CarrierBusy: the books could not be read now.
            CarrierError: the carrier will not show them.

        """
        ...

    def received(self, since: datetime) -> Sequence[LedgerEntry]:
        """What came for us at or after `since`, the oldest first, also what the webhook never brought.

        Raises:
            CarrierBusy: the books could not be read now.
            CarrierError: the carrier will not show them.

        """
        ...

    def look_up(self, sid: str) -> LedgerEntry | None:
        """The text with that id, or None where the carrier knows none.

        Raises:
            CarrierBusy: the books could not be read now.
            CarrierError: the carrier will not show them.

        """
        ...


class Embedder(Protocol):
    """What tells how near texts are in meaning: a vector for each."""

    name: str
    """The identity of its vectors, provider and model: vectors under another name are never compared with them."""
    dimension: int
    """Numbers in each vector."""
    is_outside: bool
    """Whether it is waited for, as all that is outside; else it works on this machine's own processors."""

    def embed(
        self, texts: Sequence[str], *, is_query: bool = False, deadline: float | None = None
    ) -> "NDArray[np.float32]":
        """float32, shape (len(texts), dimension), unit rows; a query may be embedded otherwise than what is searched.

        `deadline` is an instant of `Clock.monotonic`, in seconds.

        Raises:
            EmbeddingError: there is no vector for them now.
        """
        ...


class Background(Protocol):
    """What answers texts behind the doors: one lane for each person."""

    def start(self, work: Callable[[int], None]) -> None:
        """Begin to call `work(person_id)` for everyone who is woken."""
        ...

    def wake(self, person_id: int, *, at_once: bool = False, after_seconds: float | None = None) -> None:
        """Have the person looked at once their quiet window is over, or now, or at the latest after so long."""
        ...

    def at_a_desk(self) -> AbstractContextManager[None]:
        """The block is work that nobody waits for: it is one of the few things that are done at one moment."""
        ...

    def away(self) -> AbstractContextManager[None]:
        """While the block waits for something outside, another person's turn may be worked on in its place."""
        ...

    def alive_seconds(self) -> float:
        """For how long no lane has looked for work: while all are busy, since the last of them began."""
        ...

    def stop(self, grace_seconds: float) -> None:
        """Take no more work, and wait for what is under way."""
        ...


class Store(Protocol):
    """The database. `app.store.db.Database`: SQLite or PostgreSQL."""

    def transaction(self, person_id: int | None = None) -> AbstractContextManager[Session]: ...

    def reading(self) -> AbstractContextManager[Session]: ...

    def together(self, statement: Spelt, row: Sequence[object]) -> Any: ...

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
    process: Process
    """This one, among those that share the database: the owner of what it claims."""
    ledger: Ledger | None = None
    """The books of the carrier that keeps some; none without Twilio."""
    summariser: Summariser | None = None
    """None where no episodes are made."""
    embedder: Embedder | None = None
    """None where memory is searched by words alone."""
    hooks: tuple[ModuleType, ...] = ()
    """The operator's own modules that join each turn, in their order: `assistant/hooks.py`."""
    calendars: Calendars | None = None
    features: tuple[Feature, ...] = ()
    """Those that are there, in the order of `FEATURES`."""
    made: dict[Callable[["Services"], object], object] = field(default_factory=dict)
    """By `once`."""
    just_answered: JustAnswered = field(default_factory=JustAnswered)
    """What the process has just been told, for those that look at it afterwards."""
    tracer: Tracer | None = None
    """None where no spans are wanted."""

    def transaction(self, person_id: int | None = None) -> AbstractContextManager[Session]:
        """The only commit: one writing transaction, alone or for one person, committed at its end or rolled back."""
        return self.store.transaction(person_id)

    def reading(self) -> AbstractContextManager[Session]:
        """One consistent view of the database, never held while something outside is waited for."""
        return self.store.reading()

    def span(self, name: str, **attributes: Value) -> AbstractContextManager[Span]:
        """The block as a span: `Tracer.span` where they are wanted."""
        return UNTRACED if self.tracer is None else self.tracer.span(name, **attributes)

    def once(self, make: Callable[["Services"], T]) -> T:
        """What `make` makes of these services: made when it is first asked for, and kept as long as they are."""
        with _MAKING:
            if make not in self.made:
                self.made[make] = make(self)
        return self.made[make]  # type: ignore[return-value]  # It is what `make` made.

    def close(self) -> None:
        if self.tracer is not None:
            self.tracer.close()
        self.process.close()
        self.store.close()
        for partner in (
            *self.made.values(),
            self.model,
            self.summariser,
        ):  # Last: what it would still answer can be kept no more.
            getattr(partner, "close", lambda: None)()
