"""What a tool knows of the turn that called it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

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
    call: str
    """Which call this is, as `turn:ordinal:tool`."""
    is_again: bool
    """Whether an earlier attempt at the turn may have made this call already."""
    texts: Sequence[Message]
    """The person's own texts of this turn, oldest first."""
    memory_on: bool

    def origin_of(self, sentence: str) -> Origin:
        """Where a sentence comes from: told in this turn's texts when they share its words, else inferred."""
        words = subjects(sentence)
        shared = {text.id: len(words & subjects(text.body)) for text in self.texts}
        nearest = max(self.texts, key=lambda text: shared[text.id], default=None)
        if nearest is None:
            return Origin("assistant", "inferred", self.turn_id, call=self.call)
        telling = [text.body for text in self.texts if shared[text.id]] or [nearest.body]
        source = "explicit" if shared[nearest.id] else "inferred"
        return Origin("assistant", source, self.turn_id, nearest.id, _quoted("\n".join(telling), words), self.call)

    def correction(self, sentence: str) -> Origin:
        """The origin of a fact that corrects another."""
        found = self.origin_of(sentence)
        return replace(found, source="corrected")


def _quoted(told: str, words: frozenset[str]) -> str:
    """What was told, or of a long text the sentences that share most words, in `MAX_QUOTE_CHARS` at most."""
    if len(told) <= MAX_QUOTE_CHARS:
        return told
    sentences = re.split(r"(?<=[.!?])\s+|\n+", told)
    room = MAX_QUOTE_CHARS
    kept = set()
    for place in sorted(range(len(sentences)), key=lambda place: -len(words & subjects(sentences[place]))):
        if words & subjects(sentences[place]) and len(sentences[place]) + len(" … ") <= room:
            room -= len(sentences[place]) + len(" … ")
            kept.add(place)
    return " … ".join(sentences[place] for place in sorted(kept)) or told[:MAX_QUOTE_CHARS]
