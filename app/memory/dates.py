"""Relative dates made absolute: "tomorrow" is read on other days than it was said. Pure.

What a phrase means is worked out by code from the moment at which it was said, on the clocks of whoever said it: a
model's arithmetic with dates is not to be relied on.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.memory.foreign_days import days_named

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = "january february march april may june july august september october november december".split()
_NUMBERS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()  # Beyond, people write digits.
    )
} | {"a": 1, "an": 1}
_TURKISH = str.maketrans({"ı": "i", "İ": "i"})
_VAGUE = frozenset({"couple", "few", "several", "some"})

_DAY = rf"(?:{'|'.join(_DAYS)})"
_PART = r"(?:morning|afternoon|evening|night)"
_UNIT = r"(?:minute|hour|day|week|month|year)s?"
_COUNT = rf"(?:\d{{1,3}}|{'|'.join(_NUMBERS)}|(?:a )?(?:couple|few)(?: of)?|several|some|half an)"
_DATE_FOLLOWS = rf"(?!,? +(?:the +)?(?:\d|(?:{'|'.join(_MONTHS)})\b))"

# Before these words a phrase needs no preposition of its own: "until tomorrow", "the end of next week".
_LEADING = re.compile(
    r"\b(?:until|till|by|since|from|for|before|after|on|of|in|through|during|around|about|between|to|than|past)\s*$",
    re.IGNORECASE,
)
_LEADING_WORD = re.compile(r"^(?:on|in|the) |['’]s$")
_NO_WEEKDAY = re.compile(r"\b(?:every|each|any|a|black|good|ash|palm|easter|most|some|alternate)\s+$", re.IGNORECASE)
_PAST = re.compile(
    r"\b(?:was|were|had|did|didn['’]?t|went|saw|got|came|left|lost|took|met|said|told|felt|made|gave|found|bought|ran|"
    r"won|broke|fell|spent|slept|ate|drank|began|wrote|drove|flew|sold|[a-z]{2,}(?<!e)ed)\b",
    re.IGNORECASE,
)
_FUTURE = re.compile(r"\b(?:will|going to|gonna|have to|need to|must|shall|plans?|due|'ll|’ll)\b", re.IGNORECASE)
_IS_SPOKEN_OF = re.compile(r"^\s+(?:is|was|will|marks|isn['’]t|would)\b", re.IGNORECASE)
_SENTENCE_ENDS = re.compile(r"[.!?\n]\s*$")


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
    """What it takes in the midst of a sentence: `on`; empty for a date in figures alone."""
    is_owned: bool = False
    """Whether it is a possessive: `tomorrow's exam`."""
    means: str = ""
    """The phrase in its place in the sentence: `on 22 November 2026`."""


@dataclass(frozen=True)
class _Meaning:
    preposition: str
    phrase: str


_Rule = tuple[re.Pattern[str], Callable[[re.Match[str], datetime], _Meaning | None]]


def relative_dates(text: str, at: datetime) -> list[Dated]:
    """The relative dates of a text that was said at the local time `at`, in order."""
    found: dict[int, Dated] = {}
    taken: set[int] = set()
    for pattern, meaning_of in _RULES:
        for match in pattern.finditer(text):
            if taken.intersection(range(match.start(), match.end())) or _is_a_title(text, match):
                continue
            meaning = meaning_of(match, at)
            if meaning is not None:
                taken.update(range(match.start(), match.end()))
                found[match.start()] = Dated(
                    start=match.start(),
                    end=match.end(),
                    name=_LEADING_WORD.sub("", " ".join(match[0].casefold().split())),
                    phrase=meaning.phrase,
                    preposition=meaning.preposition,
                    is_owned=bool(match["owned"]),
                )
    for start, end, days in days_named(text):
        if not taken.intersection(range(start, end)):
            day = (at + timedelta(days=days)).date().isoformat()
            found[start] = Dated(start, end, text[start:end].casefold(), day, "")
    return [replace(one, means=_in_its_place(text, one, one.phrase)) for _, one in sorted(found.items())]


def absolute(text: str, dates: Sequence[Dated]) -> str:
    """The text with its relative dates replaced by what they mean."""
    for one in reversed(dates):
        text = text[: one.start] + one.means + text[one.end :]
    return text


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


def _in_its_place(text: str, one: "Dated", phrase: str) -> str:
    """The phrase with what the sentence needs before it, and with a capital where it begins one."""
    if one.is_owned:
        means = f"the {phrase.removeprefix('the ')}"
    elif not one.preposition or _LEADING.search(text[: one.start]) or _IS_SPOKEN_OF.match(text[one.end :]):
        means = phrase
    else:
        means = f"{one.preposition} {phrase}"
    return _capital(means) if _begins_sentence(text, one.start) else means


def _is_a_title(text: str, match: re.Match[str]) -> bool:
    """Whether it is a name and no date: "listening to Yesterday", in the midst of words in lower case."""
    first = match[0].split()[0]
    if first.casefold() not in {"yesterday", "today", "tomorrow", "tonight"} or not first.istitle():
        return False
    return not _begins_sentence(text, match.start()) and text != text.title()


def _begins_sentence(text: str, start: int) -> bool:
    return not text[:start].strip(" \"'“‘(") or bool(_SENTENCE_ENDS.search(text[:start].rstrip(" \"'“‘(")))


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def day_in_words(day: datetime) -> str:
    return f"{day.day} {day:%B %Y}"


def _weekday_in_words(day: datetime) -> str:
    return f"{day:%A} {day_in_words(day)}"


def _part_of(part: str | None, day: datetime) -> _Meaning:
    return _Meaning("on", f"the {part.casefold()} of {day_in_words(day)}" if part else day_in_words(day))


def _day_word(match: re.Match[str], at: datetime) -> _Meaning:
    word, part = folded(match["word"]), match["part"]
    if "after" in word or "before" in word:
        return _Meaning("on", day_in_words(at + timedelta(days=2 if "after" in word else -2)))
    if word == "tonight":
        return _part_of("evening", at)
    shift = {"yesterday": -1, "today": 0}.get(word, 1)
    return _part_of(part, at + timedelta(days=shift))


def _this_part(match: re.Match[str], at: datetime) -> _Meaning:
    return _part_of(match["part"], at)


def _last_night(_: re.Match[str], at: datetime) -> _Meaning:
    return _part_of("night", at - timedelta(days=1))


def folded(word: str) -> str:
    """A word that a pattern has found, as the tables here have it.

    A pattern that passes over case takes a Turkish *ı* or *İ* for an *i*, and `casefold` does not.
    """
    return word.translate(_TURKISH).casefold()


def _weekday(match: re.Match[str], at: datetime) -> _Meaning | None:
    which, part = folded(match["which"] or ""), match["part"]
    before = match.string[: match.start()]
    if _NO_WEEKDAY.search(before):
        return None
    wanted = _DAYS.index(folded(match["day"]))
    ahead, behind = (wanted - at.weekday()) % 7, (at.weekday() - wanted) % 7
    if which == "next":
        day = at + timedelta(days=7 - at.weekday() + wanted)
    elif which in {"last", "past", "this past"} or (not which and _is_past(match)):
        day = at - timedelta(days=behind or 7)
    else:
        day = at + timedelta(days=ahead or (7 if which in {"coming", "this coming"} else 0))
    return _Meaning("on", f"the {part.casefold()} of {_weekday_in_words(day)}" if part else _weekday_in_words(day))


def _is_past(match: re.Match[str]) -> bool:
    """Whether the sentence tells of what has been, as far as it is told before the date."""
    sentence = re.split(r"[.!?\n]", match.string[: match.start()])[-1]
    return bool(_PAST.search(sentence)) and not _FUTURE.search(sentence)


_SHIFTS = {"last": -1, "past": -1, "this": 0, "this coming": 0, "next": 1, "coming": 1}


def _week(match: re.Match[str], at: datetime) -> _Meaning:
    monday = at + timedelta(days=7 * _SHIFTS[folded(match["which"])] - at.weekday())
    if folded(match["unit"]) == "weekend":
        return _Meaning("on", f"the weekend of {day_in_words(monday + timedelta(days=5))}")
    return _Meaning("in", f"the week of {day_in_words(monday)}")


def _month_or_year(match: re.Match[str], at: datetime) -> _Meaning:
    shift = _SHIFTS[folded(match["which"])]
    if folded(match["unit"]) == "year":
        return _Meaning("in", str(at.year + shift))
    return _Meaning("in", _month_in_words(at, shift))


def _season(match: re.Match[str], at: datetime) -> _Meaning:
    season = folded(match["unit"])
    middle = {"spring": 4, "summer": 7, "autumn": 10, "fall": 10, "winter": 1}[season]
    which = folded(match["which"])
    year = at.year
    if which in {"last", "past"}:
        year -= middle >= at.month
    elif which in {"next", "coming"}:
        year += middle <= at.month
    return _Meaning("in", f"the {season} of {year}")


def _month_in_words(at: datetime, shift: int) -> str:
    months = at.year * 12 + at.month - 1 + shift
    return f"{_MONTHS[months % 12].title()} {months // 12}"


def _ahead(match: re.Match[str], at: datetime) -> _Meaning | None:
    if match["in"] and _is_past(match):  # "I lost 3 kilos in two weeks" says how long it took.
        return None
    return _distance(match, at, 1)


def _ago(match: re.Match[str], at: datetime) -> _Meaning:
    return _distance(match, at, -1)


def _distance(match: re.Match[str], at: datetime, sign: int) -> _Meaning:
    count, unit = folded(match["count"]), folded(match["unit"]).rstrip("s")
    if _VAGUE.intersection(count.split()):
        many = "a few" if "few" in count else "a couple of" if "couple" in count else "some"
        return _Meaning(many, f"{unit}s {'after' if sign > 0 else 'before'} {day_in_words(at)}")
    number = int(count) if count.isdigit() else _NUMBERS.get(count, 0)
    if unit in {"minute", "hour"}:
        span = timedelta(minutes=30) if count == "half an" else timedelta(**{f"{unit}s": number})
        then = at + sign * span
        return _Meaning("around", f"{then:%H:%M} on {day_in_words(then)}")
    if unit == "month":
        return _Meaning("in", _month_in_words(at, sign * number))
    if unit == "year":
        return _Meaning("in", str(at.year + sign * number))
    then = at + sign * timedelta(days=number * (7 if unit == "week" else 1))
    return _Meaning("around" if unit == "week" else "on", day_in_words(then))


def _rule(pattern: str, meaning_of: Callable[[re.Match[str], datetime], _Meaning | None]) -> _Rule:
    return re.compile(rf"\b(?:{pattern})(?P<owned>['’]s)?(?![\w-])", re.IGNORECASE), meaning_of


_NOT_A_SPAN = r"(?<!the )"  # "Over the past week" is how long, and no week of the calendar.
_WHICH = r"(?P<which>this coming|this past|last|past|this|next|coming)"

# Longer phrases first: "the day after tomorrow" holds "tomorrow".
_RULES: tuple[_Rule, ...] = (
    _rule(
        r"(?:on )?(?P<word>(?:the )?day (?:after tomorrow|before yesterday)|tomorrow|tmrw|tmr|yesterday|today|tonight)"
        rf"(?: (?P<part>{_PART}))?",
        _day_word,
    ),
    _rule(rf"(?:on )?(?:{_WHICH} )?(?P<day>{_DAY})(?: (?P<part>{_PART}))?{_DATE_FOLLOWS}", _weekday),
    _rule(rf"this (?P<part>{_PART})", _this_part),
    _rule(r"last (?P<part>night)", _last_night),
    _rule(rf"{_NOT_A_SPAN}(?P<which>last|past|this|next|coming) (?P<unit>weekend|week)", _week),
    _rule(rf"{_NOT_A_SPAN}(?P<which>last|past|this|next|coming) (?P<unit>month|year)", _month_or_year),
    _rule(r"(?P<which>last|past|this|next|coming) (?P<unit>spring|summer|autumn|fall|winter)", _season),
    _rule(rf"(?P<in>in) (?P<count>{_COUNT}) (?P<unit>{_UNIT})(?:['’] time)?", _ahead),
    _rule(rf"(?P<in>)(?P<count>{_COUNT}) (?P<unit>{_UNIT}) from (?:now|today)", _ahead),
    _rule(rf"(?P<count>{_COUNT}) (?P<unit>{_UNIT}) ago", _ago),
)
