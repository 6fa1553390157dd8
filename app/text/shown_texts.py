"""A conversation as a summariser reads it: bounded, without secrets, and with what day words mean."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.services.summaries import DatedPhrase, SaidText
from app.text.redaction import is_secret
from app.text.sentences import breaks

MAX_TEXTS = 300  # Of one part of a conversation; what is beyond in its middle is named and not shown.
MAX_CHARS = 2000  # Of one text; a page that was forwarded is shown by its two ends.
LEFT_OUT = "[left out: a secret]."


@dataclass(frozen=True)
class Line:
    """One text, ready to be shown."""

    by: str
    """`person` or `assistant`."""
    at: str
    """On the person's clock: `Saturday 21 November 2026, 09:30`."""
    words: str


def lines(texts: Sequence[SaidText]) -> list[Line]:
    """The texts with the meaning of each day word behind it, in square brackets."""
    return [
        Line(
            "person" if text.by_person else "assistant",
            f"{text.at:%A} {text.at.day} {text.at:%B %Y, %H:%M}",
            _bounded(explained(without_secrets(text))),
        )
        for text in _bounded_texts(texts)
    ]


def explained(text: SaidText) -> str:
    """The words with the meaning of each day word behind it."""
    words = text.words
    for one in reversed(text.dates):
        words = f"{words[: one.end]} [{one.means}]{words[one.end :]}"
    return words


def without_secrets(text: SaidText) -> SaidText:
    """The text without the sentences that give away a password, a code, a card number or a key."""
    kept, dates, place = "", list[DatedPhrase](), 0
    for piece in _pieces(text.words):
        inside = [one for one in text.dates if place <= one.start and one.end <= place + len(piece)]
        if is_secret(piece.strip()):
            piece_kept = LEFT_OUT + piece[len(piece.rstrip()) :]
        else:
            piece_kept = piece
            shift = len(kept) - place
            dates += [replace(one, start=one.start + shift, end=one.end + shift) for one in inside]
        kept += piece_kept
        place += len(piece)
    return replace(text, words=kept, dates=tuple(dates))


def _pieces(words: str) -> list[str]:
    """The sentences with the blanks behind them: joined, they are the words again."""
    ends = [end for _, end in breaks(words)]
    return [words[start:end] for start, end in zip([0, *ends], [*ends, len(words)], strict=True) if start < end]


def _bounded(words: str) -> str:
    if len(words) <= MAX_CHARS:
        return words
    half = MAX_CHARS // 2
    return f"{words[:half]} [{len(words) - 2 * half:,} characters are left out here] {words[-half:]}"


def _bounded_texts(texts: Sequence[SaidText]) -> list[SaidText]:
    if len(texts) <= MAX_TEXTS:
        return list(texts)
    half = MAX_TEXTS // 2
    gap = replace(texts[half], words=f"[{len(texts) - 2 * half:,} texts are left out here]", dates=())
    return [*texts[:half], gap, *texts[-half:]]
