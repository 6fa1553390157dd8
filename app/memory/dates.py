"""Relative dates made absolute: "tomorrow" is read on other days than it was said. Pure.

What a phrase means is worked out by code from the moment at which it was said, on the clocks of whoever said it: a
model's arithmetic with dates is not to be relied on.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from app.memory.english_days import begins_sentence, english_days
from app.memory.foreign_days import foreign_days, stands_without

# Before these words a phrase needs no preposition of its own: "until tomorrow", "the end of next week".
_LEADING = re.compile(
    r"\b(?:until|till|by|since|from|for|before|after|on|of|in|through|during|around|about|between|to|than|past|over|"
    r"towards?)\s*$",
    re.IGNORECASE,
)
_NEAR = 40  # Characters to either side of a phrase that its preposition depends on.
_LEADING_WORD = re.compile(r"^(?:on|in|at|the) |['’]s$")
_IS_SPOKEN_OF = re.compile(
    r"^\s+(?:is|was|will|marks|isn['’]t|would|may|might|can|could|works|suits|sounds)\b", re.IGNORECASE
)
_QUOTED = re.compile(r"“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|\"[^\"]*\"|(?<!\w)['‘](?=\S)[^'’]+['’](?!\w)")


@dataclass(frozen=True)
class Dated:
    """One relative date in a text, and what it means."""

    start: int
    end: int
    name: str
    """The phrase without what stands around it, in lower case: `tomorrow`, `friday morning`."""
    phrase: str
    """What it means by itself: `22 November 2026`."""
    preposition: str
    """What it takes in the midst of a sentence: `on`; empty where it takes none."""
    is_owned: bool = False
    """Whether it is a possessive: `tomorrow's exam`."""
    has_on: bool = False
    """Whether it was said with its preposition: `on Friday`."""
    means: str = ""
    """The phrase in its place in the sentence: `on 22 November 2026`."""
    language: str = "en"
    days: tuple[date, date] | None = None
    """The first and the last day of it, where the language is not English."""


def relative_dates(text: str, at: datetime) -> list[Dated]:
    """The relative dates of a text that was said at the local time `at`, in order."""
    found = {
        match.start(): Dated(
            start=match.start(),
            end=match.end(),
            name=_LEADING_WORD.sub("", " ".join(match[0].casefold().split())),
            phrase=meaning.phrase,
            preposition=meaning.preposition,
            is_owned=bool(match["owned"]),
            has_on=match[0][:3].casefold() == "on ",
        )
        for match, meaning in english_days(text, at)
    }
    taken = {place for one in found.values() for place in range(one.start, one.end)}
    for day in foreign_days(text, at):
        if not taken.intersection(range(day.start, day.end)):
            name = " ".join(text[day.start : day.end].casefold().split())
            found[day.start] = Dated(
                day.start,
                day.end,
                name,
                day.phrase,
                day.preposition,
                language=day.language,
                days=(day.first, day.last),
            )
    return [replace(one, means=_in_its_place(text, one, one.phrase)) for _, one in sorted(found.items())]


def absolute(text: str, dates: Sequence[Dated]) -> str:
    """The text with its relative dates replaced by what they mean."""
    for one in reversed(dates):
        text = text[: one.start] + one.means + text[one.end :]
    return text


def dated(sentence: str, at: datetime) -> str:
    """A sentence that was said at the local time `at`, with absolute dates.

    What stands in quotation marks is somebody else's, said at another time, or a title: it stays as it is.
    """
    quoted = [match.span() for match in _QUOTED.finditer(sentence)]
    dates = [
        one
        for one in relative_dates(sentence, at)
        if not any(start <= one.start and one.end <= end for start, end in quoted)
    ]
    return absolute(sentence, dates)


def mended(text: str, said: Iterable[tuple[str, datetime]]) -> str | None:
    """A sentence about texts with the relative dates that it took over made absolute; None where they may mean several.

    `said` are the texts with the local time of each. A phrase means what it meant in the texts that hold it; one that
    none of them holds is taken as said with them, where it means the same on each of their days.
    """
    texts = list(said)
    days = {at.date(): at for _, at in texts}
    meant: dict[str, set[str]] = {}
    for words, at in texts:
        for one in relative_dates(words, at):
            meant.setdefault(one.name, set()).add(one.phrase)
    found = [relative_dates(text, at) for at in days.values()]
    places = []
    for same in zip(*found, strict=True):  # The phrases stand at the same places, whichever day it is.
        phrases = meant.get(same[0].name) or {one.phrase for one in same}
        if len(phrases) > 1:
            return None
        [phrase] = phrases
        places.append(replace(same[0], means=_in_its_place(text, same[0], phrase)))
    return absolute(text, places) if found else None


def _in_its_place(text: str, one: Dated, phrase: str) -> str:
    """The phrase with what the sentence needs before it, and with a capital where it begins one."""
    before, after = text[max(0, one.start - _NEAR) : one.start], text[one.end : one.end + _NEAR]
    if one.is_owned:
        means = f"the {phrase.removeprefix('the ')}"
    elif not one.preposition or _needs_none(one, before, after):
        means = phrase
    else:
        means = f"{one.preposition} {phrase}"
    return means[:1].upper() + means[1:] if begins_sentence(text, one.start) else means


def _needs_none(one: Dated, before: str, after: str) -> bool:
    if one.language != "en":
        return stands_without(one.language, before)
    return not one.has_on and bool(_LEADING.search(before) or _IS_SPOKEN_OF.match(after))
