"""Everything that Keepsake needs from outside, on one page.

`build_services` in `wiring.py` chooses an implementation of each; doors pass `Services` to everything below them.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from sqlalchemy import Select
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
Value = str | int | float | None  # An attribute of a span: a code, a name or a count, never people's words.

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
    key: str  # Our opaque key in the status callback's URL; it ties later reports of the carrier to the row.
    valid_seconds: int | None = None
    """The text must not go out after this time. None leaves the limit to the carrier."""


class Carrier(Protocol):
    """A service that takes texts to a phone."""

    name: str

    def send(self, text: OutgoingText) -> str:
        """The carrier's id for the accepted text.

        Raises:
            CarrierError: refused; another attempt would be refused too.
            CarrierBusy: nothing was sent; it may be tried again.
            CarrierUnknown: it may have been sent.
        """


@dataclass(frozen=True)
class LedgerEntry:
    """One text as the carrier's ledger shows it."""

    sid: str
    sender: str  # Empty while a pool of numbers has not chosen one yet.
    recipient: str
    body: str
    status: str  # The carrier's own term: `queued`, `sent`, `delivered`, `received` …
    created_at: datetime  # By the carrier's clock, to the second.
    error_code: int | None = None
    cost_cents: float | None = None  # US cents, once the carrier has charged them in dollars.
    media_count: int = 0


class Ledger(Protocol):
    """A carrier's own record of texts from us and to us, read when a call's outcome is in doubt.

    Each method raises `CarrierBusy` if the ledger cannot be read now, `CarrierError` if the carrier refuses to show it.
    """

    carrier: str  # The name of the carrier that keeps the ledger.

    def sent_to(self, address: str, since: datetime) -> Sequence[LedgerEntry]:
        """Texts that we sent to the address at or after `since`, oldest first."""

    def received(self, since: datetime) -> Sequence[LedgerEntry]:
        """Texts to us at or after `since`, oldest first, including those that the webhook never brought."""

    def look_up(self, sid: str) -> LedgerEntry | None:
        """The text with that id; None if the carrier knows none."""


class Embedder(Protocol):
    """Makes vectors of texts, by which they are compared in meaning."""

    name: str
    """Provider and model of its vectors; vectors under different names are never compared."""
    dimension: int  # Numbers in each vector.
    is_outside: bool
    """True if it is a network service to wait for; False if it runs on this machine's processors."""

    def embed(
        self, texts: Sequence[str], *, is_query: bool = False, deadline: float | None = None
    ) -> "NDArray[np.float32]":
        """float32, shape (len(texts), dimension), unit rows; queries may be embedded unlike the texts searched.

        `deadline` is an instant of `Clock.monotonic`, in seconds.

        Raises:
            EmbeddingError: no vectors can be had now.
        """


class Background(Protocol):
    """Answers texts behind the doors, in one lane for each person."""

    def start(self, work: Callable[[int], None]) -> None:
        """Begin to call `work(person_id)` for everyone who is woken."""

    def wake(self, person_id: int, *, at_once: bool = False) -> None:
        """Wake the person's lane for a text of theirs: when their quiet window ends, or at once."""

    def wake_within(self, person_id: int, seconds: float) -> None:
        """Wake the person's lane after so many seconds at the latest, for work that no text of theirs has asked for."""

    def at_a_desk(self) -> AbstractContextManager[None]:
        """Hold a desk during the block, so that background work counts among the few things done at once."""

    def leave_desk(self) -> AbstractContextManager[None]:
        """Give the desk to another person's turn while the block waits for something outside."""

    def alive_seconds(self) -> float:
        """Seconds since a lane last looked for work; while all are busy, since the last of them began."""

    def stop(self, grace_seconds: float) -> None:
        """Take no more work, and wait at most `grace_seconds` for turns under way."""


@dataclass(frozen=True)
class Event:
    """One entry of a calendar, or one occurrence of a recurring entry."""

    title: str
    place: str
    starts: datetime  # Aware, in the zone that was asked for.
    ends: datetime
    all_day: bool
    free: bool  # True if the calendar marks the time as free.


class Calendars(Protocol):
    """Reads calendars."""

    def events(self, address: str, first: datetime, last: datetime, zone: str, seconds: float) -> Sequence[Event]:
        """Events that overlap the time between two aware instants, in order, within `seconds`.

        Raises:
            SourceError: the calendar cannot be read now; the message does not hold the address.
        """


class Span:
    """One step of a turn while it runs. This class records nothing; it is used when tracing is off."""

    def note(self, **attributes: Value) -> None:
        """Add attributes that were not known at the start; None values are left out."""


class Tracer(Protocol):
    """Sends spans to a collector."""

    def span(self, name: str, **attributes: Value) -> AbstractContextManager[Span]:
        """The block as a span, a child of the current span of this thread.

        Nothing waits for its export, and a failed export makes nothing fail.
        """

    def close(self) -> None:
        """Export the remaining spans, for a moment at most."""


@dataclass(frozen=True)
class Services:
    """All implementations in use: made once by `build_services` and passed everywhere below the doors."""

    settings: Settings
    store: Database
    clock: Clock
    model: Model
    carriers: Mapping[str, Carrier]  # By the name kept on each message: `twilio`, `phone`, `terminal`.
    background: Background
    process: Process  # This process, the owner of the turns and texts that it claims in the shared database.
    ledger: Ledger | None = None  # None without Twilio, the only carrier that keeps one.
    summariser: Summariser | None = None  # None if no episodes are made.
    embedder: Embedder | None = None  # None if memory is searched by words alone.
    hooks: tuple[ModuleType, ...] = ()
    """The operator's own modules that join each turn, in order; docs/hooks.md tells how to write one."""
    calendars: Calendars | None = None
    features: tuple[Feature, ...] = ()  # The features present, in the order of `FEATURES`.
    made: dict[Callable[["Services"], object], object] = field(default_factory=dict)  # Filled by `once`.
    tracer: Tracer | None = None  # None if tracing is off.

    def transaction(
        self, person_id: int | None = None, shared: Shared | None = None
    ) -> AbstractContextManager[Session]:
        """The only commit: a writing transaction, exclusive or for one person, committed at its end or rolled back."""
        return self.store.transaction(person_id, shared)

    def reading(self) -> AbstractContextManager[Session]:
        """One consistent view of the database; never hold it while you wait for something outside."""
        return self.store.reading()

    def finds(self, query: Select[Any], values: Mapping[str, object] | None = None) -> bool:
        """True if the query finds a row. Ask it before work that mostly has nothing to do: a read delays no writer."""
        with self.reading() as db:
            return db.execute(query.limit(1), values).first() is not None

    def span(self, name: str, **attributes: Value) -> AbstractContextManager[Span]:
        """The block as a span, as `Tracer.span`; it does nothing if tracing is off."""
        return nullcontext(Span()) if self.tracer is None else self.tracer.span(name, **attributes)

    def apply_hooks(self, turn: Any, name: str, given: T) -> T:
        """The value after each hook of that name, in order, has changed it; a hook that fails is skipped.

        `before_prompt` gets a prompt; `on_tool_result` gets a call, as the model sees it and as it is stored.
        `after_reply` gets a queued reply and returns nothing: it runs at most once, and not at all if the process dies
        first. So a hook should use it only as a hint to look at something soon.
        """
        for hook in (getattr(module, name) for module in self.hooks if hasattr(module, name)):
            called = f"{hook.__module__}.{getattr(hook, '__name__', '')}"
            try:
                after = hook(self, turn, given)
            except Exception:  # The person gets an answer even if an operator's code fails.
                logger.exception("Hook %s failed in turn %s and was passed over", called, turn.id)
                continue
            if isinstance(after, type(given)):
                given = after
            elif name != "after_reply":
                logger.error("Hook %s gave back %s, and was passed over", called, type(after).__name__)
        return given

    def once(self, make: Callable[["Services"], T]) -> T:
        """The result of `make(self)`, made at the first request and kept as long as these services."""
        with _MAKING:
            if make not in self.made:
                self.made[make] = make(self)
        return self.made[make]  # type: ignore[return-value]  # `make` made it.

    def close(self) -> None:
        if self.tracer is not None:
            self.tracer.close()
        self.process.close()
        self.store.close()
        # Last, since the store is closed and no answer of theirs could be kept.
        for partner in (*self.made.values(), self.model, self.summariser):
            getattr(partner, "close", lambda: None)()
