"""What a tool knows of the turn that called it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.errors import Refused
from app.memory import Origin
from app.memory.gates import to_write
from app.memory.wording import subjects
from app.models import Message
from app.services import Services

TOLD_SHARE = 0.5  # Of a fact's words: one that is shared by chance ("look", "my") does not make it the person's.
# Asked for by the person's own text, what a picture shows may be kept ("remember this label"): broad, for it only opens
# what the model's instructions allow as well.
_ASKS_TO_KEEP = re.compile(
    r"\b(remember|memori[sz]e|save|keep|note|write (this|that|it) down|(don['’]?t|never) forget|"
    r"add (this|that|it|them)|recuerda|recuérdalo|guarda|guárdalo|anota|anótalo|apunta|apúntalo|souviens|retiens|"
    r"mémorise|enregistre|merk|merken?|speicher[en]*|notiere?|lembre|guarde|anote|ricorda|ricordati|onthoud|bewaar)\b",
    re.IGNORECASE,
)
_ASKS_TO_FORGET = re.compile(
    r"\b(forget|delete|remove|erase|no longer|not (true|right|any ?more)|isn['’]?t|wrong|olvid|borra|elimina|"
    r"oublie|supprime|efface|vergiss|l[oö]sch|entfern|esque[cç]|apag|remov|dimentica|cancella|vergeet|verwijder)",
    re.IGNORECASE,
)
_LINK = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)

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
    deadline: float | None = None
    """The instant of the clock, in seconds, after which the turn's answer is of no use."""
    brought_back: Sequence[str] = ()
    """What of the past the model was shown in this turn, unasked or by a search."""

    def check_told(self, sentence: str) -> None:
        """Let nothing be kept from a picture or another file that the person did not say or ask for themselves.

        Raises:
            Refused: files came in this turn, and the person's own texts neither say the sentence nor ask to keep it;
                or it holds a link that is not theirs: nobody asks for that, and whatever is recalled could send it on.
        """
        own = self._own_words()
        if own is None:
            return
        words = subjects(sentence)
        told = bool(words) and len(words & subjects(own)) >= len(words) * TOLD_SHARE
        foreign_link = any(link not in own for link in _LINK.findall(sentence))
        if foreign_link or not (told or _ASKS_TO_KEEP.search(own)):
            raise Refused(
                f"Nothing was saved: '{sentence[:60]}' is not what the person wrote, and a file came with their text. "
                "Send again only what their own words say. For the rest, ask them whether you should keep it."
            )

    def check_no_echo(self, sentence: str) -> None:
        """Let nothing be learned from what was brought back from memory: it was learned already, or was not to be.

        Raises:
            Refused: the sentence says what the model was shown of the past, and the person's own texts neither say it
                nor ask to keep it.
        """
        own = "\n".join(text.body for text in self.texts)
        if not to_write(sentence, own, self.brought_back).allowed and not _ASKS_TO_KEEP.search(own):
            raise Refused(
                f"Nothing was saved: '{sentence[:60]}' is what memory brought back, and not what the person says now. "
                "Send again only what their newest texts say."
            )

    def check_asked_to_forget(self) -> None:
        """Let nothing be forgotten because a picture or another file says so.

        Raises:
            Refused: files came in this turn, and the person's own texts do not ask for it.
        """
        own = self._own_words()
        if own is not None and not _ASKS_TO_FORGET.search(own):
            raise Refused(
                "Nothing was forgotten: a file came with the person's text, and their own words do not ask for it. "
                "Ask them whether you should."
            )

    def _own_words(self) -> str | None:
        """What the person wrote in this turn, where files came with it; else None: then all of it is their own."""
        if not any(text.media_count for text in self.texts):
            return None
        return "\n".join(text.body for text in self.texts)

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
