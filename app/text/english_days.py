"""The relative days that an English question names, and which days they are: pure.

A weekday by itself is the one before where the question asks for what was, and else the one to come. A habit ("every
Friday", "on Friday evenings") names no day.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta

from app.clock import MONTHS, WEEKDAYS

Span = tuple[date, date]
"""The first and the last day."""

SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""Their first months; in the north."""
PART = "(?:morning|afternoon|evening|night)"

_NUMBERS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()  # Beyond, people write digits.
    )
} | {"a": 1, "an": 1}
_AT_MOST = {"couple": 3, "few": 6, "several": 6, "some": 6}
_TURKISH = str.maketrans({"ı": "i", "İ": "i"})
_DAYS_OF = {"day": 1, "week": 7, "fortnight": 14, "month": 31, "year": 366}
_MONTHS_A_YEAR, _MONTHS_A_SEASON = 12, 3
_NEARLY = 3  # Days to either side of what somebody calls two weeks ago.
_WITHIN_DAYS = 62  # A day is of this month or of the next that has it, be it the 31st.
_NEAR = 40  # Characters before a weekday that may make a habit of it.

_ONE_COUNT = (
    rf"(?:\d{{1,3}}|{'|'.join(_NUMBERS)}|(?:a )?(?:couple|few)(?: of)?|several|some|half an?(?= (?:hour|year)))"
)
_COUNT = rf"(?P<count>\d+[.,]\d+|{_ONE_COUNT}(?: ?(?:or|to|[-–]) ?{_ONE_COUNT})?)"
_UNIT = r"(?P<unit>minute|hour|day|week|fortnight|month|year)s?"
_WHICH = r"(?P<which>this coming|this past|last|past|this|next|coming)"
_SHIFTS = {"last": -1, "past": -1, "this past": -1, "before last": -2, "next": 1, "coming": 1, "after next": 2}
_MONTH_FOLLOWS = rf",? +(?:the +)?(?:\d{{1,2}}(?:st|nd|rd|th)? +(?:of +)?)?(?:{'|'.join(m[:3] for m in MONTHS)})"

_IS_HABIT = re.compile(
    r"\b(?:every|each|any|alternate|most|some|all|other|a|first|second|third|fourth|black|good)\s+$", re.IGNORECASE
)
_WAS = re.compile(
    r"\b(?:did|was|were|had|went|saw|said|told|came|got|made|met|left|happened|[a-z]{2,}(?<!e)ed)(?:n['’]?t)?\b",
    re.IGNORECASE,
)
_COMES = re.compile(r"\b(?:will|would|shall|going to|supposed to|(?:have|has|need|plan|want)s? to)\b", re.IGNORECASE)

_Rule = tuple[re.Pattern[str], Callable[[re.Match[str], datetime], Span | None]]


def english_days(text: str, at: datetime) -> Iterator[tuple[int, int, Span]]:
    """Each relative date of the text, asked at the local time `at`: where it begins and ends, and its days."""
    taken: set[int] = set()
    for pattern, span_of in _RULES:
        for match in pattern.finditer(text):
            if taken.isdisjoint(range(*match.span())):
                taken.update(range(*match.span()))
                span = span_of(match, at)
                if span is not None:
                    yield *match.span(), span


def folded(word: str) -> str:
    """A word that a pattern has found, as the tables here have it.

    A pattern that passes over case takes a Turkish *ı* or *İ* for an *i*, and `casefold` does not.
    """
    return word.translate(_TURKISH).casefold()


def months_from(first: date, count: int) -> Span:
    """So many whole months from the first day of one on."""
    return first, _month(first, count) - timedelta(days=1)


def season(name: str, year: int | None, today: date) -> Span:
    """The season of a year, else the latest that has begun; a winter is called by the year in which it ends."""
    month = SEASONS[name]
    if year is None:
        year = today.year - (date(today.year, month, 1) > today)
    elif name == "winter":
        year -= 1
    return months_from(date(year, month, 1), _MONTHS_A_SEASON)


def weekday(which: str, wanted: int, today: date, *, back: bool = False) -> date:
    """The weekday (Monday is 0) that is meant with `last`, `next`, `this` or nothing before it."""
    ahead, behind = (wanted - today.weekday()) % 7, (today.weekday() - wanted) % 7
    if which == "next":
        return today + timedelta(days=7 - today.weekday() + wanted)
    if back or which in {"last", "past", "this past"}:
        return today - timedelta(days=behind or 7)
    return today + timedelta(days=ahead or (7 if "coming" in which else 0))


def _one(day: date) -> Span:
    return day, day


def _asks_for_what_was(match: re.Match[str]) -> bool:
    return bool(_WAS.search(match.string)) and not _COMES.search(match.string)


def _day_word(match: re.Match[str], at: datetime) -> Span:
    word = folded(match["word"])
    if "after" in word or "before" in word:
        return _one(at.date() + timedelta(days=2 if "after" in word else -2))
    shift = {"yesterday": -1, "last": -1, "today": 0, "tonight": 0, "tonite": 0, "this": 0}
    return _one(at.date() + timedelta(days=shift.get(word.split()[0], 1)))


def _weekday(match: re.Match[str], at: datetime) -> Span | None:
    if _IS_HABIT.search(match.string[max(0, match.start() - _NEAR) : match.start()]):
        return None
    which = folded(match["which"] or "")
    back = which in {"", "this"} and _asks_for_what_was(match)
    return _one(weekday(which, WEEKDAYS.index(folded(match["day"])), at.date(), back=back))


def _day_of_month(match: re.Match[str], at: datetime) -> Span | None:
    """The nearest day of that number, and of that weekday where one is named."""
    number, wanted = int(match["number"]), match["day"]
    sign = -1 if _asks_for_what_was(match) else 1
    near = (at.date() + timedelta(days=sign * days) for days in range(1, _WITHIN_DAYS + 1))
    of_day = WEEKDAYS.index(folded(wanted)) if wanted else None
    return next((_one(day) for day in near if day.day == number and of_day in {None, day.weekday()}), None)


def _calendar(match: re.Match[str], at: datetime) -> Span:
    """A week, a weekend, a month or a year of the calendar."""
    unit, shift = folded(match["unit"]), _SHIFTS.get(folded(match["which"]), 0)
    if unit == "year":
        return _year(at.year + shift)
    if unit == "month":
        return months_from(_month(at.date(), shift), 1)
    monday = at.date() + timedelta(days=7 * shift - at.weekday())
    return (monday if unit == "week" else monday + timedelta(days=5)), monday + timedelta(days=6)


def _the_weekend(match: re.Match[str], at: datetime) -> Span:
    days = -((at.weekday() - 5) % 7) if _asks_for_what_was(match) else (5 - at.weekday()) % 7
    saturday = at.date() + timedelta(days=days)
    return saturday, saturday + timedelta(days=1)


def _season(match: re.Match[str], at: datetime) -> Span:
    name, which = folded(match["unit"]), folded(match["which"])
    middle = SEASONS[name] % _MONTHS_A_YEAR + 1
    if which in {"last", "past"}:
        return season(name, at.year - (middle >= at.month), at.date())
    return season(name, at.year + (which in {"next", "coming"} and middle <= at.month), at.date())


def _distance(match: re.Match[str], at: datetime) -> Span:
    """So many units from now, to either side."""
    sign = -1 if folded(match["way"]) == "ago" else 1
    count, unit = folded(match["count"]), folded(match["unit"])
    words = re.findall(r"[\w.,]+", count)
    if words[0] == "half":
        count, unit = ("0", "day") if unit == "hour" else ("6", "month")
    elif len(words) > 1 or not (count.isdigit() or count in _NUMBERS):
        return _about(words, unit, at.date(), sign)
    number = int(count) if count.isdigit() else _NUMBERS[count]
    if unit in {"minute", "hour"}:
        return _one((at + sign * timedelta(**{f"{unit}s": number})).date())
    if unit == "year":
        return _year(at.year + sign * number)
    if unit == "month":
        return months_from(_month(at.date(), sign * number), 1)
    day = at.date() + sign * timedelta(days=number * _DAYS_OF[unit])
    nearly = timedelta(days=0 if unit == "day" else _NEARLY)
    return day - nearly, day + nearly


def _about(words: list[str], unit: str, today: date, sign: int) -> Span:
    """No number by itself ("two or three", "a few"): from now to the most of it."""
    known = _NUMBERS | _AT_MOST
    most = max(int(float(word.replace(",", "."))) if word[0].isdigit() else known.get(word, 1) for word in words)
    days = timedelta(days=max(most, 1) * _DAYS_OF.get(unit, 1))
    return (today - days, today - timedelta(days=1)) if sign < 0 else (today + timedelta(days=1), today + days)


def _the_next(match: re.Match[str], at: datetime) -> Span:
    return _about([folded(match["count"]).split()[0]], folded(match["unit"]), at.date(), 1)


def _year(year: int) -> Span:
    return date(year, 1, 1), date(year, 12, 31)


def _month(day: date, shift: int) -> date:
    months = day.year * _MONTHS_A_YEAR + day.month - 1 + shift
    return date(months // _MONTHS_A_YEAR, months % _MONTHS_A_YEAR + 1, 1)


def _rule(pattern: str, span_of: Callable[[re.Match[str], datetime], Span | None]) -> _Rule:
    return re.compile(rf"\b(?:{pattern})(?:['’]s)?(?![\w-])", re.IGNORECASE), span_of


# Longer phrases first: "the day after tomorrow" holds "tomorrow".
_RULES: tuple[_Rule, ...] = (
    _rule(
        rf"(?P<word>(?:the )?day (?:after tomorrow|before yesterday)|tomm?orr?ow|tmrw|tmr|2morr?ow|yesterday|today|"
        rf"tonight|tonite|last night|this (?={PART}))(?: ?{PART})?(?!{_MONTH_FOLLOWS})",
        _day_word,
    ),
    _rule(
        rf"(?:(?:on )?(?P<day>{'|'.join(WEEKDAYS)}),? (?:the )?|(?:on|by|until|till|since|before|after|from) the )"
        r"(?P<number>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)(?!\s+(?!(?:at|and|in|for|with|when|i|we|because)\b)\w)",
        _day_of_month,
    ),
    _rule(rf"(?:{_WHICH} )?(?P<day>{'|'.join(WEEKDAYS)})(?: {PART})?(?!{_MONTH_FOLLOWS})", _weekday),
    _rule(r"the (?P<unit>weekend|week|month|year) (?P<which>after next|before last)", _calendar),
    # "Over the past week" is how long, and no week of the calendar.
    _rule(rf"(?<!the ){_WHICH} (?P<unit>weekend|week|month|year)", _calendar),
    _rule(r"the weekend(?! (?:of|after|before)\b)", _the_weekend),
    _rule(rf"(?P<which>last|past|this|next|coming) (?P<unit>{'|'.join(SEASONS)})", _season),
    _rule(rf"(?P<way>in|within) {_COUNT} {_UNIT}(?:['’] time)?", _distance),
    _rule(rf"{_COUNT} {_UNIT} (?P<way>ago|from (?:now|today))", _distance),
    _rule(rf"the (?:next|coming) (?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)}|few|couple of) {_UNIT}", _the_next),
)
