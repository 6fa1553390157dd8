"""Episodes without a model: a selection of the person's own sentences.

A sentence scores higher the more it tells of a change in somebody's life, the more its words recur in the conversation,
if it is about the person, if it has a name or a day, and at the beginning, where people say what they are writing
about. Source: H. P. Luhn, The Automatic Creation of Literature Abstracts, 1958 (significant words), and
P. Baxendale, Machine-made Index, 1958 (place in the text); for the changes see `significance.py`.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from app.clock import MONTHS
from app.features.offline.english import stems
from app.features.offline.reading import talk_of
from app.memory.episodes.significance import weight
from app.services.model import Draft, SaidText, Summariser, ToSummarise
from app.text.secrets import LEFT_OUT, is_despair
from app.text.shown_texts import shown_words
from app.text.telling import tells_something
from app.text.wording import sentences

NAME = "extractive"
IN_SUMMARY, IN_NARRATIVE, IN_KEY_FACTS, TOPICS = 2, 8, 4, 5
SUMMARY_CHARS = 300  # A second sentence is added only if both fit.
SHORT = 3  # Letters: a word this short is rarely a topic, unless it is a name.
LONGEST_SENTENCE = 240  # Characters; a longer one is cut at a word.
FEWEST_WORDS = 2  # With meaning: a sentence with fewer says nothing by itself.
FULL_WORDS = 4  # With meaning: a shorter sentence says less, however often its words recur.
FEWEST_CHARACTERS = 4
MOST_RECURRING = 3.0  # The cap of this part: otherwise anything that recurs fifty times would outweigh a death.
UNITS_OF_A_POINT = 10.0  # Of life changes: a journey outweighs being first, and a diagnosis all the rest together.

_OWN = re.compile(r"\b(?:I|I['’](?:m|ve|ll|d)|me|my|mine|we|we['’](?:re|ve|ll)|us|our)\b", re.IGNORECASE)
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NAME = re.compile(r"(?<=[\w,;:)] )(?!I\b)[A-Z][\w'’-]+")
_ABSOLUTE = re.compile(rf"\b(?:{'|'.join(map(str.capitalize, MONTHS))})\b|\d")
_NO_TOPICS = frozenset(Path(__file__).with_name("no_topics.txt").read_text(encoding="utf-8").split())
"""Words that are never a topic, in several languages."""


@dataclass(frozen=True)
class _Sentence:
    place: int
    at: datetime
    words: str
    stems: tuple[str, ...]


class ExtractiveSummariser:
    """Makes an episode of the person's best sentences; costs nothing and is always available."""

    name = NAME
    otherwise: Summariser | None = None

    def summarise(self, conversation: ToSummarise) -> Draft:
        """The draft; without words if the person wrote no sentence that can be selected."""
        told = _sentences(conversation.texts)
        often = Counter(stem for one in told for stem in set(one.stems))
        best = sorted(told, key=lambda one: (-_score(one, often, len(told)), one.place))
        keys = [one for one in best if _OWN.search(one.words) or weight(one.words) > 0]
        fields = {
            "summary": " ".join(_ended(one.words) for one in _first_fitting(best)),
            "narrative": _narrative(_in_order(best[:IN_NARRATIVE]), conversation.person_name),
            "topics": _topics(told),
            "key_facts": [one.words for one in _in_order(keys[:IN_KEY_FACTS])],
            "importance": conversation.importance,
            "facts": [],  # The offline model keeps facts during the turns.
        }
        return Draft(fields, NAME, is_final=True)

    def reserve_cents(self, conversation: ToSummarise) -> float:  # noqa: ARG002 (the protocol's shape; rules cost nothing)
        return 0.0


def _sentences(texts: Sequence[SaidText]) -> list[_Sentence]:
    """The person's sentences that tell something, each once."""
    found: dict[tuple[str, ...], _Sentence] = {}
    for text in (text for text in texts if text.by_person):
        for piece in sentences(shown_words(text)):
            words = _shortened(" ".join(piece.split()))
            roots = tuple(stems(words))
            is_withheld = LEFT_OUT in words or is_despair(words)
            if not (is_withheld or talk_of(words) or _too_little(words, roots)) and tells_something(words):
                found.setdefault(roots or (words,), _Sentence(len(found), text.at, words, roots))
    return list(found.values())


def _too_little(words: str, roots: Sequence[str]) -> bool:
    """True if too few of its words have meaning; scripts without spaces are judged by their length."""
    if _UNSPACED.search(words):
        return len(_UNSPACED.findall(words)) < FEWEST_CHARACTERS
    return len(roots) < FEWEST_WORDS


def _score(one: _Sentence, often: Counter[str], count: int) -> float:
    recurring = sum(math.log(1 + often[stem]) for stem in set(one.stems)) / math.sqrt(max(len(one.stems), 1))
    recurring = min(recurring * min(1.0, len(one.stems) / FULL_WORDS), MOST_RECURRING)
    score = recurring + 0.6 * bool(_OWN.search(one.words)) + weight(one.words) / UNITS_OF_A_POINT
    score += 0.3 * bool(_ABSOLUTE.search(one.words)) + 0.3 * bool(_NAME.search(one.words))
    score += 0.6 if one.place == 0 else 0.2 if one.place == count - 1 else 0.0
    return score - (0.8 if one.words.endswith("?") else 0.0)


def _first_fitting(best: Sequence[_Sentence]) -> list[_Sentence]:
    chosen: list[_Sentence] = []
    for one in best[: IN_SUMMARY * 2]:
        if len(chosen) < IN_SUMMARY and sum(len(other.words) for other in chosen) + len(one.words) < SUMMARY_CHARS:
            chosen.append(one)
    return _in_order(chosen)


def _in_order(told: Sequence[_Sentence]) -> list[_Sentence]:
    return sorted(told, key=lambda one: one.place)


def _narrative(chosen: Sequence[_Sentence], name: str | None) -> str:
    """The chosen sentences by day, in the person's own words and quoted as such."""
    told: list[str] = []
    day = None
    for one in chosen:
        wrote = f"On {one.at.day} {one.at:%B %Y} {name or 'they'} wrote: " if one.at.date() != day else ""
        told.append(f"{wrote}“{_ended(one.words)}”")
        day = one.at.date()
    return " ".join(told)


def _ended(words: str) -> str:
    return words if words.endswith((".", "!", "?", "…", "。", "！", "？")) else f"{words}."


def _topics(told: Sequence[_Sentence]) -> list[str]:
    """The words that recur most, as they were first written; names count twice."""
    often, written = Counter[str](), dict[str, str]()
    for one in told:
        for word in re.findall(r"(?<![^\W_])[^\W\d_]{3,}(?:-[^\W\d_]+)*(?![\w'’])", one.words):
            is_name = word[0].isupper() and not one.words.startswith(word)
            is_short = len(word) <= SHORT and not word[0].isupper()
            if is_short or _UNSPACED.search(word) or _ABSOLUTE.fullmatch(word) or word.casefold() in _NO_TOPICS:
                continue
            for stem in stems(word):
                often[stem] += 2 if is_name else 1
                written.setdefault(stem, word)
    return [written[stem] for stem, _ in often.most_common(TOPICS)]


def _shortened(words: str) -> str:
    if len(words) <= LONGEST_SENTENCE:
        return words
    return words[:LONGEST_SENTENCE].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
