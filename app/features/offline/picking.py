"""Which of several routines a text means that answers the question for it. Pure."""

import re

WHICH_ONE = "Which one do you mean?"
ALL_OF_THEM = frozenset({"both", "both of them", "all", "all of them", "all of those", "each", "every one of them"})
_ORDINALS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1, "former": 0, "latter": -1}
_LISTED = re.compile(r"(?:(?<=[.?:] )|^)(?P<number>\d+)\. (?P<words>\D.*?)(?=\. \d+\. \D|\. Text /|\.?$)")
_PICK = re.compile(
    r"(?:(?:the|no|number|only|just|i mean|i meant|it is|yes|please|ok|okay|that|my|for|with|about|at|one|ones)[ ,:]+)*"
    r"(?P<what>.+?)(?: (?:one|please|thanks|thank you|reminder|routine|text))*",
    re.IGNORECASE,
)
_HOUR = re.compile(r"\b(?P<hour>\d{1,2})(?::(?P<minute>\d\d))? ?(?P<half>[ap])m\b")
_BETWEEN = frozenset({"the", "a", "an", "my", "your", "about", "with", "for", "at", "of", "to"})
_SAME_LETTERS = 4  # `feeding` is about what says `Feed the dog`.
_NOON = 12


def picked(words: str, asked: str) -> list[int]:
    """The numbers of those among the listed in the question `asked` that the words mean; none where that is not plain.

    `The second` counts in the order of the list; a bare number is the one before the words; else all that is said has
    to be in one of them, and in no other.
    """
    choices = asked.partition(WHICH_ONE)[2].strip()
    listed = {int(one["number"]): one["words"] for one in _LISTED.finditer(choices)}
    said = words.replace(",", "").strip(" .!?").lower()
    if said in ALL_OF_THEM:
        return list(listed)
    pick = _PICK.fullmatch(said)
    if pick is None:
        return []
    what = pick["what"]
    if what.isdigit():
        return [int(what)] if int(what) in listed else []
    if what in _ORDINALS:
        return list(listed)[_ORDINALS[what] :][:1]
    named = _beginnings(_HOUR.sub(_on_clock, what))
    meant = [number for number, words in listed.items() if named and named <= _beginnings(words)]
    return meant if len(meant) == 1 else []


def _beginnings(words: str) -> set[str]:
    return {word[:_SAME_LETTERS] for word in re.findall(r"\d+:\d+|\w+", words.lower()) if word not in _BETWEEN}


def _on_clock(said: re.Match[str]) -> str:
    hour = int(said["hour"]) % _NOON + (_NOON if said["half"] == "p" else 0)
    return f"{hour:02}:{said['minute'] or '00'}"
