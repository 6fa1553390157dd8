"""The relative days of English, and what they mean from the moment at which they were said: pure.

A weekday by itself is the one before or the one to come, as its sentence has it (`tense`), and the one to come where
the sentence has no verb. A habit ("every Friday", "on Friday evenings", "works Monday to Friday") stays, and so does a
name.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.memory.month_days import NUMBER, STANDS_BEFORE, may_be_each_month, nearest
from app.memory.regular_days import is_every_or_name, may_be_habit
from app.memory.tense import Tense, tense

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
_DAYS_OF = {"day": 1, "week": 7, "fortnight": 14}

_DAY = rf"(?:{'|'.join(_DAYS)})"
_PART = r"(?:morning|afternoon|evening|night)"
_UNIT = r"(?:minute|hour|day|week|fortnight|month|year)s?"
_COUNT = rf"(?:\d{{1,3}}|{'|'.join(_NUMBERS)}|(?:a )?(?:couple|few)(?: of)?|several|some|half an?(?= (?:hour|year)))"
_ABOUT = rf"(?:\d+[.,]\d+|{_COUNT} ?(?:or|to|[-–]) ?{_COUNT})"  # "Two or three": no number by itself.
_MONTH = rf"(?:{'|'.join(_MONTHS)}|{'|'.join(month[:3] for month in _MONTHS)}|sept)\.?"
_DATE = (
    rf"(?:\d{{4}}-\d\d|\d{{1,2}}[/.]\d{{1,2}}\b|(?:the +)?\d{{1,2}}(?:st|nd|rd|th)\b|the +\d{{1,2}}\b|"
    rf"\d{{1,2}} +(?:of +)?{_MONTH}\b|{_MONTH} +(?:the +)?\d|(?:1[3-9]|2\d|3[01])\b(?![:.h]| ?[ap]\.?m))"
)
# Beside a date in figures a day is absolute already.
_DATE_FOLLOWS = rf"(?!,? *[(\[]?(?:on +)?{_DATE})"
_DATE_BEFORE = re.compile(
    rf"(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}(?:st|nd|rd|th)? +(?:of +)?{_MONTH}(?:,? +\d{{4}})?|"
    rf"{_MONTH} +\d{{1,2}}(?:st|nd|rd|th)?(?:,? +\d{{4}})?),? *[(\[]?$",
    re.IGNORECASE,
)

_MUST_BE_BEFORE = re.compile(r"\b(?:by|until|till|before)\s+(?:the\s+)?(?:\w+\s+of\s+)?(?:the\s+)?$", re.IGNORECASE)
_NEAR = 120  # Characters to either side that may change what a phrase means.


@dataclass(frozen=True)
class Meaning:
    """What a phrase means."""

    preposition: str
    """What it takes in the midst of a sentence: `on`; empty for a date in figures alone."""
    phrase: str
    """What it means by itself: `22 November 2026`."""


_Rule = tuple[re.Pattern[str], Callable[[re.Match[str], datetime], Meaning | None]]


def english_days(text: str, at: datetime) -> Iterator[tuple[re.Match[str], Meaning]]:
    """Each relative date of the text, which was said at the local time `at`: where it stands, and what it means.

    The match has a group `owned`, which holds something where the date is a possessive.
    """
    taken: set[int] = set()
    for pattern, meaning_of in _RULES:
        for match in pattern.finditer(text):
            if taken.intersection(range(match.start(), match.end())):
                continue
            taken.update(range(match.start(), match.end()))
            meaning = None if _is_a_title(text, match) else meaning_of(match, at)
            if meaning is not None:
                yield match, meaning


def folded(word: str) -> str:
    """A word that a pattern has found, as the tables here have it.

    A pattern that passes over case takes a Turkish *ı* or *İ* for an *i*, and `casefold` does not.
    """
    return word.translate(_TURKISH).casefold()


def begins_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - _NEAR) : start].rstrip(" \"'“‘(")
    return not before.strip() or before[-1] in ".!?\n"


def _around(match: re.Match[str]) -> tuple[str, str]:
    start, end = match.span()
    return match.string[max(0, start - _NEAR) : start], match.string[end : end + _NEAR]


def day_in_words(day: datetime) -> str:
    return f"{day.day} {day:%B %Y}"


def _is_a_title(text: str, match: re.Match[str]) -> bool:
    """Whether it is a name and no date: "listening to Yesterday", in the midst of words in lower case."""
    first = re.sub(r"^on ", "", match[0])[:1]
    if folded(match[0]).removeprefix("on ").startswith(_DAYS) or not first.isupper():
        return False
    return not begins_sentence(text, match.start()) and text not in {text.title(), text.upper()}


def _weekday_in_words(day: datetime) -> str:
    return f"{day:%A} {day_in_words(day)}"


def _part_of(part: str | None, day: datetime) -> Meaning:
    return Meaning("on", f"the {part.casefold()} of {day_in_words(day)}" if part else day_in_words(day))


def _tense(match: re.Match[str]) -> Tense | None:
    return tense(match.string, match.start(), match.end())


def _day_word(match: re.Match[str], at: datetime) -> Meaning | None:
    word, part = folded(match["word"]), match["part"]
    if _DATE_BEFORE.search(_around(match)[0]):
        return None
    if "after" in word or "before" in word:
        return Meaning("on", day_in_words(at + timedelta(days=2 if "after" in word else -2)))
    if word in {"tonight", "tonite"}:
        return _part_of("evening", at)
    shift = {"yesterday": -1, "today": 0}.get(word, 1)
    return _part_of(part, at + timedelta(days=shift))


def _this_part(match: re.Match[str], at: datetime) -> Meaning:
    return _part_of(match["part"], at)


def _last_night(match: re.Match[str], at: datetime) -> Meaning:
    return _part_of("night", at - timedelta(days=2 if "before" in folded(match[0]) else 1))


def _weekday(match: re.Match[str], at: datetime) -> Meaning | None:
    which, part = folded(match["which"] or ""), match["part"]
    said = None if which not in {"", "this"} else _tense(match)
    if _stays(match, which, said):
        return None
    wanted = _DAYS.index(folded(match["day"]))
    ahead, behind = (wanted - at.weekday()) % 7, (at.weekday() - wanted) % 7
    if which == "next":
        day = at + timedelta(days=7 - at.weekday() + wanted)
    elif which in {"last", "past", "this past"} or said is Tense.PAST:
        day = at - timedelta(days=behind or 7)
    else:
        day = at + timedelta(days=ahead or (7 if which in {"coming", "this coming"} else 0))
    return Meaning("on", f"the {part.casefold()} of {_weekday_in_words(day)}" if part else _weekday_in_words(day))


def _stays(match: re.Match[str], which: str, said: Tense | None) -> bool:
    """Whether a weekday is a habit, a name, or beside its date."""
    before, after = _around(match)
    if is_every_or_name(before, after, which) or _DATE_BEFORE.search(before):
        return True
    return not which and may_be_habit(before, match[0], after, said)


def _day_of_month(match: re.Match[str], at: datetime) -> Meaning | None:
    weekday, said = folded(match["day"] or ""), _tense(match)
    before, after = _around(match)
    if is_every_or_name(before, after, "") or may_be_each_month(before, match[0], after, said):
        return None
    day = nearest(int(match["number"]), _DAYS.index(weekday) if weekday else None, at, back=said is Tense.PAST)
    if day is None:
        return None
    return Meaning("on", _weekday_in_words(day) if weekday else day_in_words(day))


def _weekdays(match: re.Match[str], at: datetime) -> Meaning | None:
    """From one weekday to another; by itself that is how somebody works."""
    said = _tense(match)
    if said in {None, Tense.PRESENT}:
        return None
    first, last = _DAYS.index(folded(match["first"])), _DAYS.index(folded(match["last"]))
    if said is Tense.PAST:
        end = at - timedelta(days=(at.weekday() - last) % 7 or 7)
        start = end - timedelta(days=(last - first) % 7)
    else:
        start = at + timedelta(days=(first - at.weekday()) % 7)
        end = start + timedelta(days=(last - first) % 7)
    return Meaning("from", f"{_weekday_in_words(start)} to {_weekday_in_words(end)}")


_SHIFTS = {
    "last": -1,
    "past": -1,
    "this": 0,
    "this coming": 0,
    "next": 1,
    "coming": 1,
    "after next": 2,
    "before last": -2,
}


def _calendar(match: re.Match[str], at: datetime) -> Meaning:
    """A week, a weekend, a month or a year of the calendar."""
    return _calendar_unit(folded(match["unit"]), _SHIFTS[folded(match["which"])], at)


def _calendar_unit(unit: str, shift: int, at: datetime) -> Meaning:
    if unit == "year":
        return Meaning("in", str(at.year + shift))
    if unit == "month":
        return Meaning("in", _month_in_words(at, shift))
    monday = at + timedelta(days=7 * shift - at.weekday())
    if unit == "weekend":
        return Meaning("on", f"the weekend of {day_in_words(monday + timedelta(days=5))}")
    return Meaning("in", f"the week of {day_in_words(monday)}")


def _the_weekend(match: re.Match[str], at: datetime) -> Meaning | None:
    """The one before or the one to come, where the sentence says which; else it may be any."""
    said = _tense(match)
    if said not in {Tense.PAST, Tense.FUTURE}:
        return None
    days = -((at.weekday() - 5) % 7) if said is Tense.PAST else (5 - at.weekday()) % 7
    return Meaning("on", f"the weekend of {day_in_words(at + timedelta(days=days))}")


def _end_of(match: re.Match[str], at: datetime) -> Meaning | None:
    """The end or the beginning of a month and the like; rent that is due at the end of the month is so every month."""
    said = _tense(match)
    if said not in {Tense.PAST, Tense.FUTURE} and not _MUST_BE_BEFORE.search(_around(match)[0]):
        return None
    end, unit = folded(match["end"]), folded(match["unit"])
    shift = 0
    if said is Tense.PAST and end == "end":
        shift = -1
    elif said is not Tense.PAST and end != "end":
        shift = 1
    if unit == "day":
        return Meaning("at", f"the {end} of {day_in_words(at + timedelta(days=shift))}")
    return Meaning("at", f"the {end} of {_calendar_unit(unit, shift, at).phrase}")


def _season(match: re.Match[str], at: datetime) -> Meaning:
    season = folded(match["unit"])
    middle = {"spring": 4, "summer": 7, "autumn": 10, "fall": 10, "winter": 1}[season]
    which = folded(match["which"])
    year = at.year
    if which in {"last", "past"}:
        year -= middle >= at.month
    elif which in {"next", "coming"}:
        year += middle <= at.month
    return Meaning("in", f"the {season} of {year}")


def _month_in_words(at: datetime, shift: int) -> str:
    months = at.year * 12 + at.month - 1 + shift
    return f"{_MONTHS[months % 12].title()} {months // 12}"


def _ahead(match: re.Match[str], at: datetime) -> Meaning | None:
    # "I lost 3 kilos in two weeks" says how long it took.
    if folded(match["in"]) in {"in", "within"} and _tense(match) is Tense.PAST:
        return None
    meaning = _distance(match, at, 1)
    says_when = meaning.preposition in {"on", "in", "around"}
    return Meaning("by", meaning.phrase) if folded(match["in"]) == "within" and says_when else meaning


def _ago(match: re.Match[str], at: datetime) -> Meaning:
    return _distance(match, at, -1)


def _after_a_day(match: re.Match[str], at: datetime) -> Meaning:
    """So many weeks from a day that is itself relative: "a week on Friday"."""
    count, unit = folded(match["count"]), folded(match["unit"]).rstrip("s")
    number = int(count) if count.isdigit() else _NUMBERS[count]
    return _so_long_after(folded(match["day"]), timedelta(days=number * _DAYS_OF[unit]), at)


def _so_long_after(day: str, span: timedelta, at: datetime) -> Meaning:
    if day in {"today", "tomorrow"}:
        return Meaning("on", day_in_words(at + timedelta(days=day == "tomorrow") + span))
    return Meaning("on", _weekday_in_words(at + timedelta(days=(_DAYS.index(day) - at.weekday()) % 7) + span))


def _a_week_after(match: re.Match[str], at: datetime) -> Meaning:
    return _so_long_after(folded(match["day"]), timedelta(weeks=1), at)


def _the_next(match: re.Match[str], at: datetime) -> Meaning:
    """So many of them from now: "the next two weeks"."""
    return Meaning("", f"the {folded(match['count'])} {folded(match['unit'])} after {day_in_words(at)}")


def _distance(match: re.Match[str], at: datetime, sign: int) -> Meaning:
    count, unit = folded(match["count"]), folded(match["unit"]).rstrip("s")
    if _VAGUE.intersection(count.split()):
        many = "a few" if "few" in count else "a couple of" if "couple" in count else "some"
        return Meaning(many, f"{unit}s {'after' if sign > 0 else 'before'} {day_in_words(at)}")
    if re.fullmatch(_ABOUT, count):
        return Meaning("", f"{count} {unit}s {'after' if sign > 0 else 'before'} {day_in_words(at)}")
    if count.startswith("half"):
        count, unit = ("30", "minute") if unit == "hour" else ("6", "month")
    number = int(count) if count.isdigit() else _NUMBERS[count]
    if unit in {"minute", "hour"}:
        then = at + sign * timedelta(**{f"{unit}s": number})
        return Meaning("around", f"{then:%H:%M} on {day_in_words(then)}")
    if unit == "month":
        return Meaning("in", _month_in_words(at, sign * number))
    if unit == "year":
        return Meaning("in", str(at.year + sign * number))
    then = at + sign * timedelta(days=number * _DAYS_OF[unit])
    return Meaning("on" if unit == "day" else "around", day_in_words(then))


def _rule(pattern: str, meaning_of: Callable[[re.Match[str], datetime], Meaning | None]) -> _Rule:
    return re.compile(rf"\b(?:{pattern})(?P<owned>['’]s)?(?![\w-])", re.IGNORECASE), meaning_of


_NOT_A_SPAN = r"(?<!the )"  # "Over the past week" is how long, and no week of the calendar.
_WHICH = r"(?P<which>this coming|this past|last|past|this|next|coming)"

# Longer phrases first: "the day after tomorrow" holds "tomorrow".
_RULES: tuple[_Rule, ...] = (
    _rule(rf"(?P<count>{_COUNT}) (?P<unit>{_UNIT}) ago today", _ago),
    _rule(
        rf"(?:on )?(?P<count>\d{{1,2}}|{'|'.join(_NUMBERS)}) (?P<unit>(?:day|week|fortnight)s?) "
        rf"(?:(?:from|on|after) |(?<=week )|(?<=weeks ))(?P<day>{_DAY}|today|tomorrow){_DATE_FOLLOWS}",
        _after_a_day,
    ),
    _rule(rf"(?:on )?(?P<day>{_DAY}|today|tomorrow) week(?! of)", _a_week_after),
    _rule(
        r"(?:on )?(?P<word>(?:the )?day (?:after tomorrow|before yesterday)|"
        rf"tomm?orr?ow|tmrw|tmr|2morr?ow|yesterday|today|tonight|tonite)(?: (?P<part>{_PART}))?{_DATE_FOLLOWS}",
        _day_word,
    ),
    _rule(
        rf"(?:(?:on )?(?P<day>{_DAY}),? (?:the )?|(?:on {STANDS_BEFORE})the ){NUMBER}",
        _day_of_month,
    ),
    _rule(
        rf"(?:from )?(?P<first>{_DAY})(?:s? ?[-–] ?| (?:to|through|thru|till|until) )(?P<last>{_DAY}){_DATE_FOLLOWS}",
        _weekdays,
    ),
    _rule(rf"(?:on )?(?:{_WHICH} )?(?P<day>{_DAY})(?: (?P<part>{_PART}))?{_DATE_FOLLOWS}", _weekday),
    _rule(rf"this (?P<part>{_PART})", _this_part),
    _rule(r"last (?P<part>night)|the night before last", _last_night),
    _rule(r"the (?P<unit>weekend|week|month|year) (?P<which>after next|before last)", _calendar),
    _rule(
        rf"{_NOT_A_SPAN}(?P<which>this coming|last|past|this|next|coming) (?P<unit>weekend|week|month|year)", _calendar
    ),
    _rule(
        r"(?:at )?the (?P<end>end|beginning|start) of (?:the )?(?P<unit>day|week|month|year)(?! of)",
        _end_of,
    ),
    _rule(r"(?:(?:at|on) )?the weekend(?! (?:of|after|before)\b)", _the_weekend),
    _rule(r"(?P<which>last|past|this|next|coming) (?P<unit>spring|summer|autumn|fall|winter)", _season),
    _rule(rf"(?P<in>in|within) (?P<count>{_ABOUT}|{_COUNT}) (?P<unit>{_UNIT})(?:['’] time)?", _ahead),
    _rule(rf"(?P<in>)(?P<count>{_COUNT}) (?P<unit>{_UNIT}) from (?:now|today)", _ahead),
    _rule(rf"(?P<count>{_ABOUT}|{_COUNT}) (?P<unit>{_UNIT}) ago", _ago),
    _rule(
        rf"the (?:next|coming) (?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)}|few|couple of) (?P<unit>{_UNIT[:-2]}s)",
        _the_next,
    ),
)
