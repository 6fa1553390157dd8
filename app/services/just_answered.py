"""The people this process has just answered: noted as a reply is queued, taken by the jobs that look at replies.

A hint, and never the truth: it is gone with the process, and what nobody was told of stands in the rows all the same.
"""

import threading
from dataclasses import dataclass, field

AT_MOST = 10_000  # Where nobody takes them, as in a terminal, they are not to grow; the rows know of all others.


class Noted:
    """Ids noted by many lanes and taken by one job."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._ids: dict[int, None] = {}

    def note(self, one: int) -> None:
        with self._guard:
            if len(self._ids) < AT_MOST:
                self._ids[one] = None

    def take(self) -> tuple[int, ...]:
        """All that was noted since the last time, each once, in the order in which they were noted."""
        with self._guard:
            taken = tuple(self._ids)
            self._ids.clear()
        return taken


@dataclass(frozen=True)
class JustAnswered:
    """Ids of rows that changed with a reply."""

    conversations: Noted = field(default_factory=Noted)
    """More was said in them."""
    people: Noted = field(default_factory=Noted)
    """They have said what may be a habit of theirs."""
