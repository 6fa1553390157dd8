"""The routines of a person that a few words name. Pure."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from app.features.offline.english import stems
from app.routines.when import read_when

WHICH_ONE = "Which one do you mean?"

_SAYS_NOTHING = frozenset(
    "the my your a an all of to for at on in every each me you i it that this one about please anymore again text "
    "texting reminding sending message reminder routine alarm briefing just only mean meant number with is yes".split()
)
_PARTS = {"morning": range(4, 12), "afternoon": range(12, 17), "evening": range(17, 22), "night": range(20, 24)}
_NOON = 12
_CLOCK = re.compile(r"\b\d\d:\d\d")
_LISTED = re.compile(r"(?:(?<=[.?:] )|^)(?P<id>\d+)\. (?P<words>\D.*?)(?=\. \d+\. \D|\. Text /|\.?$)")
_ORDINALS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1, "former": 0, "latter": -1}
_HOUR = re.compile(r"\b(?P<hour>\d{1,2})(?::(?P<minute>\d\d))? (?P<half>[AP])M\b")
_ALL_OF_THEM = re.compile(r"(?:both|all|each|every one)(?: of (?:them|those))?")


def meant_by_words(words: str, routines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The routines that the words speak of: by number, or by what they say and when they come; no word is left over."""
    rest, hours = _hours(words)
    said = naming(rest)
    if said and all(word.isdigit() for word in said):
        return [one for one in routines if str(one["id"]) in said]
    named = [one for one in routines if not hours or any(hour in _CLOCK.findall(one["when"]) for hour in hours)]
    if not said:
        return named
    return [one for one in named if said <= naming(one["words"])] or [one for one in named if said <= _names(one)]


def near(words: str, routines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that share a word of what they say: one may be meant, so they are asked about."""
    said = naming(words)
    return [one for one in routines if said & naming(one["words"])]


def picked(words: str, asked: str) -> list[int]:
    """The numbers of those among the listed in the question `asked` that the words mean; none where that is not plain.

    `The second` counts in the order of the list; a bare number is the one before the words.
    """
    choices = list(_LISTED.finditer(asked.partition(WHICH_ONE)[2].strip()))
    numbers = [int(one["id"]) for one in choices]
    told = [{**one.groupdict(), "when": _HOUR.sub(_on_clock, one["words"])} for one in choices]
    said = words.strip(" .!?").lower()
    if _ALL_OF_THEM.fullmatch(said):
        return numbers
    if ordinals := [place for word, place in _ORDINALS.items() if naming(said) == {word}]:
        return numbers[ordinals[0] :][:1]
    meant = meant_by_words(said, told)
    return [int(meant[0]["id"])] if len(meant) == 1 else []


def nearest(times: Sequence[str], routine: dict[str, Any]) -> str:
    """That of the times, each HH:MM, which is nearest to when the routine comes now."""
    now = [_minutes(at) for at in _CLOCK.findall(routine["when"])] or [_NOON * 60]
    return min(times, key=lambda at: min(abs(_minutes(at) - one) for one in now))


def _on_clock(said: re.Match[str]) -> str:
    hour = int(said["hour"]) % _NOON + (_NOON if said["half"] == "P" else 0)
    return f"{hour:02}:{said['minute'] or '00'}"


def _minutes(at: str) -> int:
    hour, minute = at.split(":")
    return int(hour) * 60 + int(minute)


def _hours(words: str) -> tuple[str, list[str]]:
    """The words without their time, and the hours on the clock of 24 that it may be."""
    rest, when = read_when(re.sub(r"^(?:the|my) ", "", words, flags=re.IGNORECASE), date.min)
    if when.hour is None:
        return words, []
    halves = (when.part,) if when.part in {"am", "pm"} else ("am", "pm")
    hours = [when.hour % _NOON + (_NOON if half == "pm" else 0) for half in halves]
    return rest, [f"{hour:02}:{when.minute:02}" for hour in hours]


def naming(text: str) -> set[str]:
    """The stems of the words that can name one."""
    return {stem for stem in stems(text) if stem not in _SAYS_NOTHING and f"{stem}s" not in _SAYS_NOTHING}


def _names(routine: dict[str, Any]) -> set[str]:
    """All words by which it may be called: what it says, its days, and the part of the day in which it comes."""
    hours = [int(hour) for hour in re.findall(r"\b(\d\d):\d\d", routine["when"])]
    parts = {part for part, within in _PARTS.items() if any(hour in within for hour in hours)}
    parts |= {"day"} if "daily" in routine["when"] else set()
    return naming(routine["words"]) | naming(routine["when"]) | naming(" ".join(parts))
