"""Whom this process has just answered: noted as a reply is queued, taken by the job that looks at replies afterwards.

A hint, and never the truth: it is gone with the process, and what nobody was told of stands in the rows all the same.
"""

import threading
from dataclasses import dataclass

AT_MOST = 10_000  # Where nobody takes them, as in a terminal, they are not to grow; the rows know of all others.


@dataclass(frozen=True)
class Noted:
    """Ids, each once, in the order in which they were noted."""

    conversations: tuple[int, ...]
    people: tuple[int, ...]


class JustAnswered:
    """Noted by many lanes, taken by one job."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._conversations: dict[int, None] = {}
        self._people: dict[int, None] = {}

    def in_conversation(self, conversation_id: int) -> None:
        """More was said in it."""
        self._note(self._conversations, conversation_id)

    def by_person(self, person_id: int) -> None:
        """Somebody has said what may be a habit of theirs."""
        self._note(self._people, person_id)

    def take(self) -> Noted:
        """All that was noted since the last time."""
        with self._guard:
            noted = Noted(tuple(self._conversations), tuple(self._people))
            self._conversations.clear()
            self._people.clear()
        return noted

    def _note(self, ids: dict[int, None], one: int) -> None:
        with self._guard:
            if len(ids) < AT_MOST:
                ids[one] = None
