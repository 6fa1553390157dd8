"""A conversation in the form shown to a summariser: bounded, without secrets, and with the dates of day words."""

from collections.abc import Sequence
from dataclasses import replace

from app.clock import spoken_day
from app.services.model import SaidText
from app.text.days import with_dates
from app.text.secrets import LEFT_OUT, is_secret
from app.text.wording import breaks

MAX_TEXTS = 300  # Per part of a conversation; a note replaces further texts in its middle.
MAX_CHARS = 2000  # Per text; a long forwarded page is shown by its two ends.


def lines(texts: Sequence[SaidText]) -> list[dict[str, str]]:
    """Up to `MAX_TEXTS` texts with `by`, `at` and `words` each, plus one that says how many are left out.

    `at` is on the person's own clock: `Saturday 21 November 2026, 09:30`.
    """
    half = MAX_TEXTS // 2
    if len(texts) > MAX_TEXTS:
        gap = replace(texts[half], words=f"[{len(texts) - 2 * half:,} texts are left out here]", dates=())
        texts = [*texts[:half], gap, *texts[-half:]]
    return [
        {
            "by": "person" if text.by_person else "assistant",
            "at": f"{spoken_day(text.at.date())} {text.at:%Y, %H:%M}",
            "words": _bounded(shown_words(text)),
        }
        for text in texts
    ]


def shown_words(text: SaidText) -> str:
    """The words with the date of each day word behind it; sentences with a secret are replaced by `LEFT_OUT`."""
    shown, place = "", 0
    for end in (*(end for _, end in breaks(text.words)), len(text.words)):
        piece = text.words[place:end]
        if is_secret(piece.strip()):
            shown += LEFT_OUT + piece[len(piece.rstrip()) :]
        else:
            inside = [one for one in text.dates if place <= one.start and one.end <= end]
            shown += with_dates(piece, [replace(one, start=one.start - place, end=one.end - place) for one in inside])
        place = end
    return shown


def _bounded(words: str) -> str:
    if len(words) <= MAX_CHARS:
        return words
    half = MAX_CHARS // 2
    return f"{words[:half]} [{len(words) - 2 * half:,} characters are left out here] {words[-half:]}"
