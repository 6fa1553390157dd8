"""What tests put in the place of time, of the threads and of what embeds; everything else in them is real."""

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
from app.services.feature import first_of
from app.services.model import Model, ModelRequest


class FrozenClock:
    """A clock that moves only when it is told to, or when somebody waits."""

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
        """The clock on the wall is set; what counts seconds goes on as it did."""
        self._now -= timedelta(**span)

    def advance(self, **span: float) -> None:
        delta = timedelta(**span)
        self._now += delta
        self._monotonic += delta.total_seconds()


class MovingClock(Protocol):
    """A clock that a background moves on to whoever is due later."""

    def monotonic(self) -> float: ...

    def advance(self, *, seconds: float) -> None: ...


class InlineBackground:
    """Keeps who was woken, and works when the test says so, in the test's own thread.

    With a clock, whoever is woken for later is looked at when it shows that time; without one, at once.
    """

    def __init__(self, clock: MovingClock | None = None) -> None:
        self.woken: list[int] = []
        self.later: list[tuple[float, int]] = []
        """Who is to be looked at later, and at which instant of `FrozenClock.monotonic`: a heap."""
        self.delays: list[float] = []
        """After how many seconds each was to be looked at, in the order of the calls."""
        self.times_away = 0
        """How often something outside was waited for."""
        self.silent_seconds = 0.0
        """What it says of how long no lane has looked for work."""
        self._work: Callable[[int], None] | None = None
        self._clock = clock

    def start(self, work: Callable[[int], None]) -> None:
        self._work = work

    def wake(self, person_id: int, *, at_once: bool = False, after_seconds: float | None = None) -> None:
        if after_seconds and self._clock is not None:
            due = self._clock.monotonic() + after_seconds
            if any(person == person_id and at <= due for at, person in self.later):
                return  # As in `LocalBackground`: they are looked at sooner anyway.
            heapq.heappush(self.later, (due, person_id))
        else:
            self.woken.append(person_id)
        self.delays.append(after_seconds or 0.0)

    def at_a_desk(self) -> AbstractContextManager[None]:
        return nullcontext()

    def away(self) -> AbstractContextManager[None]:
        self.times_away += 1
        return nullcontext()

    def alive_seconds(self) -> float:
        return self.silent_seconds

    def stop(self, grace_seconds: float) -> None:
        self._work = None

    def run(self, *, within_seconds: float | None = None) -> None:
        """Answer everyone who was woken, in order, until nobody is left; the clock moves on to whoever is due later.

        With `within_seconds` it moves on by just so much, and whoever is due after that is left.
        """
        assert self._work is not None
        end = None if within_seconds is None or self._clock is None else self._clock.monotonic() + within_seconds
        while self.woken or self._next_is_due(end):
            self._work(self.woken.pop(0))
        if end is not None and self._clock is not None:
            self._clock.advance(seconds=max(0.0, end - self._clock.monotonic()))

    def _next_is_due(self, end: float | None) -> bool:
        """Whether somebody was to be looked at later, and now is."""
        if not self.later or (end is not None and self.later[0][0] > end):
            return False
        due, person_id = heapq.heappop(self.later)
        assert self._clock is not None
        self._clock.advance(seconds=max(0.0, due - self._clock.monotonic()))
        self.woken.append(person_id)
        return True


class WordEmbedder:
    """Texts that share words are near each other, and nothing has to be loaded: a direction for each word, added up."""

    is_outside = False

    def __init__(self, name: str = "words:one", dimension: int = 64) -> None:
        self.name = name
        self.dimension = dimension
        self.seen: list[str] = []
        """All texts that it made vectors of, in order."""
        self.refuses: Callable[[str], bool] = lambda text: False
        """Which texts it takes none of: a batch with one of them fails whole, as with real ones."""
        self.error: Exception = EmbeddingError("The embedder is away.")
        """How that fails."""
        self.meanwhile: Callable[[], object] = lambda: None
        """What happens while it is at work."""

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
    """A model that answers every text with one sentence, and calls no tool."""

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
        """Nobody's list of models is looked at."""


def plain_model(clock: Clock) -> Model:
    """What answers where no test says otherwise: the model of a feature, where one has it."""
    return first_of(FEATURES, lambda feature: feature.model(clock)) or Terse()
