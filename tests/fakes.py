"""Fakes of the clock, the threads, the embedder and the model; everything else in tests is real."""

import heapq
import zlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime, timedelta
from typing import Protocol

import numpy as np
from anthropic.types import Message as ModelMessage
from anthropic.types import TextBlock, Usage
from numpy.typing import NDArray

from app.errors import EmbeddingError
from app.features import FEATURES
from app.services import Clock
from app.services.feature import first_result
from app.services.model import Model, ModelRequest


class FrozenClock:
    """A clock that moves only if a test moves it, or if code waits."""

    def __init__(self, now: datetime = datetime(2026, 11, 21, 17, 0, tzinfo=UTC)) -> None:
        self._now = now
        self._monotonic = 1000.0
        self.waits: list[float] = []

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._monotonic

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.advance(seconds=seconds)

    def set(self, instant: datetime) -> None:
        self.advance(seconds=(instant - self._now).total_seconds())

    def set_back(self, **span: float) -> None:
        """Set the wall clock back; the monotonic clock does not change."""
        self._now -= timedelta(**span)

    def advance(self, **span: float) -> None:
        delta = timedelta(**span)
        self._now += delta
        self._monotonic += delta.total_seconds()


class MovingClock(Protocol):
    """A clock that a background advances to the next person due."""

    def monotonic(self) -> float: ...

    def advance(self, *, seconds: float) -> None: ...


class InlineBackground:
    """A background that stores wake-ups, and works them off in the test's thread when the test calls `run`.

    With a clock, a wake-up for later is worked off when the clock shows that time; without one, at once.
    """

    def __init__(self, clock: MovingClock | None = None) -> None:
        self.woken: list[int] = []
        self.later: list[tuple[float, int]] = []
        """A heap of wake-ups for later: the value of `FrozenClock.monotonic`, and the person."""
        self.delays: list[float] = []
        """Delay of each wake-up in seconds, in the order of the calls."""
        self.times_away = 0
        """Number of waits for something outside."""
        self.silent_seconds = 0.0
        """The value that `alive_seconds` returns."""
        self._work: Callable[[int], None] | None = None
        self._clock = clock

    def start(self, work: Callable[[int], None]) -> None:
        self._work = work

    def wake(self, person_id: int, *, at_once: bool = False) -> None:
        self.wake_within(person_id, 0.0)

    def wake_within(self, person_id: int, seconds: float) -> None:
        if seconds and self._clock is not None:
            due = self._clock.monotonic() + seconds
            if any(person == person_id and at <= due for at, person in self.later):
                return  # As in `LocalBackground`: an earlier wake-up covers this one.
            heapq.heappush(self.later, (due, person_id))
        else:
            self.woken.append(person_id)
        self.delays.append(seconds)

    def at_a_desk(self) -> AbstractContextManager[None]:
        return nullcontext()

    def leave_desk(self) -> AbstractContextManager[None]:
        self.times_away += 1
        return nullcontext()

    def alive_seconds(self) -> float:
        return self.silent_seconds

    def stop(self, grace_seconds: float) -> None:
        self._work = None

    def run(self, *, within_seconds: float | None = None) -> None:
        """Answer everyone who was woken, in order, until nobody is left; the clock advances to later wake-ups.

        With `within_seconds` the clock advances by exactly that, and later wake-ups stay.
        """
        assert self._work is not None
        end = None if within_seconds is None or self._clock is None else self._clock.monotonic() + within_seconds
        while self.woken or self._next_is_due(end):
            self._work(self.woken.pop(0))
        if end is not None and self._clock is not None:
            self._clock.advance(seconds=max(0.0, end - self._clock.monotonic()))

    def _next_is_due(self, end: float | None) -> bool:
        """Advance the clock to the next wake-up for later, if it is due by `end`, and return True."""
        if not self.later or (end is not None and self.later[0][0] > end):
            return False
        due, person_id = heapq.heappop(self.later)
        assert self._clock is not None
        self._clock.advance(seconds=max(0.0, due - self._clock.monotonic()))
        self.woken.append(person_id)
        return True


class WordEmbedder:
    """An embedder that needs no model: it adds up a direction for each word, so texts with common words are near."""

    is_outside = False

    def __init__(self, name: str = "words:one", dimension: int = 64) -> None:
        self.name = name
        self.dimension = dimension
        self.seen: list[str] = []
        """All embedded texts, in order."""
        self.refuses: Callable[[str], bool] = lambda text: False
        """True for texts that it refuses; a batch with one of them fails as a whole, as with real embedders."""
        self.error: Exception = EmbeddingError("The embedder is away.")
        """The error raised then."""
        self.meanwhile: Callable[[], object] = lambda: None
        """Called at the start of each `embed`."""

    def embed(
        self, texts: Sequence[str], *, is_query: bool = False, deadline: float | None = None
    ) -> NDArray[np.float32]:
        self.meanwhile()
        if any(self.refuses(text) for text in texts):
            raise self.error
        self.seen += texts
        rows = [sum((self._direction(word) for word in text.split()), self._direction("")) for text in texts]
        matrix: NDArray[np.float32] = np.array(rows, np.float32).reshape(-1, self.dimension)
        matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
        return matrix

    def _direction(self, word: str) -> NDArray[np.float64]:
        return np.random.default_rng(zlib.crc32(f"{self.name} {word.casefold()}".encode())).normal(size=self.dimension)


class Terse:
    """A model that answers every text with the same sentence and calls no tool."""

    name = "terse"

    def complete(self, request: ModelRequest) -> ModelMessage:
        return ModelMessage(
            id="msg",
            content=[TextBlock(type="text", text="I see.")],
            model=self.name,
            role="assistant",
            stop_reason="end_turn",
            type="message",
            usage=Usage(input_tokens=1, output_tokens=1),
        )

    def cost_cents(self, message: ModelMessage) -> float:
        return 0.0

    def reserve_cents(self, request: ModelRequest) -> float:
        return 0.0

    def troubles(self) -> None:
        """No troubles: there is no list of models to check."""


def plain_model(clock: Clock) -> Model:
    """The default model of tests: that of a feature if one has a model, otherwise `Terse`."""
    return first_result(FEATURES, lambda feature: feature.model(clock, None)) or Terse()
