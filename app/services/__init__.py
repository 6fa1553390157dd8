"""All that Keepsake needs from outside, on one page.

`build_services` in `wiring.py` chooses an implementation for each; doors hand the record to everything below them.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from sqlalchemy.orm import Session

from app.services.feature import Feature
from app.services.model import Model, Summariser
from app.settings import Settings
from app.store.db import Database, Shared
from app.store.locks import Process

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")
Value = str | int | float | None  # What a span may note: codes, names and counts, never what was said.

_MAKING = RLock()

logger = logging.getLogger(__name__)


class Clock(Protocol):
    def now(self) -> datetime: ...

    def monotonic(self) -> float: ...

    def wait(self, seconds: float) -> None: ...


@dataclass(frozen=True)
class OutgoingText:
    """One text on its way to one phone."""

    to: str  # The address in the carrier's form: `+1…`, `whatsapp:+1…`.
    body: str
    key: str  # Ours, opaque, in the status callback's address: ties what the carrier says later to the row.
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
    sender: str  # Empty while a pool of numbers has not chosen one yet.
    recipient: str
    body: str
    status: str  # The carrier's word: `queued`, `sent`, `delivered`, `received` …
    created_at: datetime  # By the carrier's clock, to the second.
    error_code: int | None = None
    cost_cents: float | None = None  # US cents, once the carrier has charged them in dollars.
    media_count: int = 0


class Ledger(Protocol):
    """A carrier's own books: what it took from us and for us, to be asked when its calls did not say.

    Each look raises `CarrierBusy` where they cannot be read now, `CarrierError` where the carrier will not show them.
    """

    carrier: str  # The name of the carrier whose books they are.

    def sent_to(self, address: str, since: datetime) -> Sequence[LedgerEntry]:
        """What we sent to the address at or after `since`, the oldest first."""
        ...

    def received(self, since: datetime) -> Sequence[LedgerEntry]:
        """What came for us at or after `since`, the oldest first, also what the webhook never brought."""
        ...

    def look_up(self, sid: str) -> LedgerEntry | None:
        """The text with that id, or None where the carrier knows none."""
        ...


class Embedder(Protocol):
    """What tells how near texts are in meaning: a vector for each."""

    name: str
    """The identity of its vectors, provider and model: vectors under another name are never compared with them."""
    dimension: int  # Numbers in each vector.
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


@dataclass(frozen=True)
class Event:
    """One entry of a calendar; one that recurs, as it comes at this time."""

    title: str
    place: str
    starts: datetime  # Aware, on the clocks of the zone that was asked for.
    ends: datetime
    all_day: bool
    free: bool  # Whether the calendar says that it takes no time of theirs.


class Calendars(Protocol):
    """Who reads calendars."""

    def events(self, address: str, first: datetime, last: datetime, zone: str, seconds: float) -> Sequence[Event]:
        """What reaches into the span of two aware instants, in order, at the latest after `seconds`.

        Raises:
            SourceError: it cannot be read now; the sentence does not hold the address.
        """
        ...


class Span:
    """One step of a turn, while it lasts. Of this one, which stands where no spans are wanted, nothing is kept."""

    def note(self, **attributes: Value) -> None:
        """Add what shows only now; what is None is left out."""


class Tracer(Protocol):
    """Where spans go."""

    def span(self, name: str, **attributes: Value) -> AbstractContextManager[Span]:
        """The block as a span, a part of the one that it stands in on this thread.

        Nothing waits for it to be told, and nothing fails where it cannot be.
        """
        ...

    def close(self) -> None:
        """Tell what was not told yet, for a moment at the most."""
        ...


@dataclass(frozen=True)
class Services:
    """Made once by `build_services`; an argument everywhere below the doors."""

    settings: Settings
    store: Database
    clock: Clock
    model: Model
    carriers: Mapping[str, Carrier]  # By the name kept on each message: `twilio`, `phone`, `terminal`.
    background: Background
    process: Process  # This one, among those that share the database: the owner of what it claims.
    ledger: Ledger | None = None  # The books of the carrier that keeps some; none without Twilio.
    summariser: Summariser | None = None  # None where no episodes are made.
    embedder: Embedder | None = None  # None where memory is searched by words alone.
    hooks: tuple[ModuleType, ...] = ()
    """The operator's own modules that join each turn, in their order: docs/hooks.md says how to write one."""
    calendars: Calendars | None = None
    features: tuple[Feature, ...] = ()  # Those that are there, in the order of `FEATURES`.
    made: dict[Callable[["Services"], object], object] = field(default_factory=dict)  # By `once`.
    tracer: Tracer | None = None  # None where no spans are wanted.

    def transaction(
        self, person_id: int | None = None, shared: Shared | None = None
    ) -> AbstractContextManager[Session]:
        """The only commit: one writing transaction, alone or for one person, committed at its end or rolled back."""
        return self.store.transaction(person_id, shared)

    def reading(self) -> AbstractContextManager[Session]:
        """One consistent view of the database, never held while something outside is waited for."""
        return self.store.reading()

    def span(self, name: str, **attributes: Value) -> AbstractContextManager[Span]:
        """The block as a span: `Tracer.span` where they are wanted."""
        return nullcontext(Span()) if self.tracer is None else self.tracer.span(name, **attributes)

    def passed_on(self, turn: Any, name: str, given: T) -> T:
        """What the hooks of that name make of what they are given, one after the other, each by itself.

        With `before_prompt` that is a prompt, with `on_tool_result` a call, as the model is told of it and as it is
        kept. With `after_reply` it is a reply that is queued, of which they have nothing to give back: they are told
        once at most, and not where the process dies then. So ours only say where to look soon.
        """
        for hook in (getattr(module, name) for module in self.hooks if hasattr(module, name)):
            called = f"{hook.__module__}.{getattr(hook, '__name__', '')}"
            try:
                after = hook(self, turn, given)
            except Exception:  # The person gets an answer, whatever an operator's code does.
                logger.exception("Hook %s failed in turn %s and was passed over", called, turn.id)
                continue
            if isinstance(after, type(given)):
                given = after
            elif name != "after_reply":
                logger.error("Hook %s gave back %s, and was passed over", called, type(after).__name__)
        return given

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
        # Last: what they would still answer can be kept no more.
        for partner in (*self.made.values(), self.model, self.summariser):
            getattr(partner, "close", lambda: None)()
