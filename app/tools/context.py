"""What a tool knows of the turn that called it."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.memory import Origin
from app.memory.wording import subjects
from app.models import Message
from app.services import Services

MAX_QUOTE_CHARS = 300  # As long as the longest fact: enough to recognise where it came from.


@dataclass(frozen=True)
class ToolContext:
    """The person, the turn and the texts that a tool call belongs to."""

    services: Services
    person_id: int
    turn_id: int
    texts: Sequence[Message]
    """The person's own texts of this turn, oldest first."""
    memory_on: bool

    def origin_of(self, sentence: str) -> Origin:
        """Where a sentence comes from: told in this turn's texts when they share its words, else inferred."""
        words = subjects(sentence)
        nearest = max(self.texts, key=lambda text: len(words & subjects(text.body)), default=None)
        if nearest is None:
            return Origin("assistant", "inferred", self.turn_id)
        source = "explicit" if words & subjects(nearest.body) else "inferred"
        return Origin("assistant", source, self.turn_id, nearest.id, nearest.body[:MAX_QUOTE_CHARS])

    def correction(self, sentence: str) -> Origin:
        """The origin of a fact that corrects another."""
        found = self.origin_of(sentence)
        return Origin(found.actor, "corrected", found.turn_id, found.message_id, found.quote)
