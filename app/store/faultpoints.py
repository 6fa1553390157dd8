"""Named points between a step and its record, where tests kill or stall the process. They do nothing in production."""

from collections.abc import Callable

_watchers: list[Callable[[str], None]] = []


def reach(name: str) -> None:
    """Report that the point `name` is reached."""
    for met in _watchers:
        met(name)


def watch(met: Callable[[str], None]) -> None:
    """Call `met` with the name of each point that this process reaches from now on."""
    _watchers.append(met)
