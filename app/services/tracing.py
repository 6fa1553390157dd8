"""Spans: what each step of a turn took, told to whoever collects them. Codes, names and counts; never what was said."""

from contextlib import AbstractContextManager
from types import TracebackType
from typing import Protocol, Self

Value = str | int | float | None


class Span(Protocol):
    """One step, while it lasts."""

    def note(self, **attributes: Value) -> None:
        """Add what shows only now; what is None is left out."""
        ...


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


class Untraced:
    """A span that nobody is told of."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is kept of it."""

    def note(self, **attributes: Value) -> None:
        """Nothing is kept of it."""


UNTRACED = Untraced()
