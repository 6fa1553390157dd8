"""Named places between a step and its record, where tests have the process die or stall. In production: nothing."""

from collections.abc import Callable

_watchers: list[Callable[[str], None]] = []


def reach(name: str) -> None:
    """Say that the place `name` is reached."""
    for met in _watchers:
        met(name)


def watch(met: Callable[[str], None]) -> None:
    """Have `met` called with the name of each place that this process reaches from now on."""
    _watchers.append(met)
