"""What tests put in the place of time and of the threads; everything else in them is real."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta


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

    def advance(self, **span: float) -> None:
        delta = timedelta(**span)
        self._now += delta
        self._monotonic += delta.total_seconds()


class InlineBackground:
    """Keeps who was woken, and works when the test says so, in the test's own thread."""

    def __init__(self) -> None:
        self.woken: list[int] = []
        self._work: Callable[[int], None] | None = None

    def start(self, work: Callable[[int], None]) -> None:
        self._work = work

    def wake(self, person_id: int, *, at_once: bool = False) -> None:
        self.woken.append(person_id)

    def stop(self, grace_seconds: float) -> None:
        self._work = None

    def run(self) -> None:
        """Answer everyone who was woken, in order, until nobody is left."""
        assert self._work is not None
        while self.woken:
            self._work(self.woken.pop(0))
