"""Times read from a sentence: days, dates, hours and repetition. Anything unclear is left for a question."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, NamedTuple

from app.clock import MONTHS, WEEKDAYS

NUMBERS = dict(zip("one two three four five six seven eight nine ten eleven twelve".split(), range(1, 13), strict=True))
HOURS = "|".join(NUMBERS)
NUMBERS |= {"a": 1, "an": 1, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40}
DAY_HOURS, HOUR_MINUTES, NOON = 24, 60, 12

# Hours without am or pm that are taken as morning: a wrong guess wakes nobody.
_DAY_NAMED_MORNING, _REPEATED_MORNING, _WAKING_MORNING = range(9, 12), range(6, 12), range(4, 12)
_OF_HALF = {
    "am": (range(1, 13), 0), "pm": (range(1, 13), NOON), "morning": (range(1, 12), 0), "evening": (range(1, 12), NOON),
    "afternoon": (range(1, 13), NOON), "night": (range(6, 12), NOON),
}  # fmt: skip
"""The hours of a twelve-hour clock for which a word is clear, and the number of hours it adds."""

UNSURE = "I'm not sure when. Say one time, and say it first: remind me on Friday at 9am to send the report."
_WHAT_TIME = "What time is that? Say it as 9am, 6:30pm or 18:30."
_AT_WHAT_TIME = "At what time? Say it as 9am or 18:30."
_AT_WHICH_TIMES = "At which times? Say them as: remind me every day at 6am, 2pm and 10pm to stretch."
_WITHIN_A_DAY = 4  # Hours apart at most.
_EVERY_DAY = "Every day, or once? Say it as: every day at 8am and 8pm. Or: today at 8am and 8pm."
_WHICH_HALF = "In the morning or in the evening? Say {0}am or {0}pm."

COUNT = rf"(?:\d{{1,4}}|{'|'.join(NUMBERS)})"
_MONTH = rf"(?:{'|'.join(MONTHS)}|{'|'.join(name[:3] for name in MONTHS)}|sept)"
DAY = rf"(?:{'|'.join(WEEKDAYS)})"
_DAYS = rf"{DAY}s?(?:(?:,? and |, ?| & ){DAY}s?)*"
_PART = r"(?:morning|afternoon|evening|night)"


def pattern(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)


_SPAN = pattern(rf"\bin (?P<number>{COUNT}|half an) ?(?P<unit>minute|min|hour|hr|day|week|h|m)s?\b")
_EVERY = pattern(
    rf"\b(?:on )?(?:(?:every|each) (?P<other>other |second |2nd )?"
    rf"(?P<unit>(?:day|weekday|weekend|{_DAYS})(?: {_PART})?|week(?: on {_DAYS})?|month|year|hour|{_PART})|"
    rf"every (?P<apart>{COUNT}) (?P<units>(?:hour|day|month|year)s|weeks(?: on {_DAYS})?)|"
    rf"(?P<daily>daily|weekly|monthly|hourly|yearly)|"
    rf"(?P<plural>weekdays|weekends|{DAY}s(?:(?:,? and |, ?| & ){DAY}s)*))\b"
    rf"(?!(?: {_PART})? (?:i|we) (?!need|have to|gotta|must|should))"  # Some days alone: "every Monday I work".
)
_DATE = pattern(
    rf"(?<!at )(?<!\d[.:/])\b(?:on )?(?:(?:the )?(?P<day>\d\d?)(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b\.?"
    rf"(?:,? (?P<year>\d{{4}})\b)?|(?P<month2>{_MONTH})\.? (?:the )?(?P<day2>\d\d?)(?:st|nd|rd|th)?\b(?!:)"
    r"(?:,? (?P<year2>\d{4})\b)?|the (?P<day3>\d\d?)(?:st|nd|rd|th)\b)"
)
_ON = pattern(
    rf"\b(?:(?P<after>(?:the )?day after tomorrow)|(?P<tomorrow>tomorrow)(?: {_PART})?|today|tonight|this {_PART}|"
    rf"(?:on |this )?(?P<day>{DAY})(?: {_PART})?)\b"
)
_WITHIN = pattern(rf"\b(?:in the {_PART}|at night)\b|^(?:the )?(?:{_PART}|[ap]\.?m\.?)$")
_AT = pattern(
    rf"\b(?:(?:at|around) (?P<hour>\d{{1,2}}|(?:{HOURS})\b(?! (?:of|to|or|more|[a-z]*(?:ty|teen))\b))"
    r"(?:[:.h](?P<minute>\d\d))?(?: ?(?P<half>[ap])\.?m\b\.?)?(?: o['’]?clock)?"
    r"(?![./]?\d)|(?P<hour2>\d{1,2})(?:[:.](?P<minute2>\d\d))? ?(?P<half2>[ap])\.?m\b\.?|"
    r"(?P<hour3>\d{1,2}):(?P<minute3>\d\d)|(?:at )?noon)"
    rf"(?: (?:in the (?P<of_part>{_PART})|at (?P<of_night>night))\b)?"
)
_AND = pattern(r",? ?(?:\b(?:and|&) ?)?")
TIME_LIKE = pattern(
    rf"\b(?:every|each|daily|hourly|weekly|monthly|yearly|biweekly|until|till|{DAY}s?|tomorrow|tonight|yesterday|"
    r"sat|sun|wed|(?:day|night|evening|week) before|"
    rf"week(?:day|end|night)s?|(?:at|past|before|after|from|since) (?:\d|(?:{HOURS})\b)|"
    r"\d{1,2}(?:[:.]\d\d)? ?[ap]\.?m|"
    rf"\d{{1,2}}:\d\d|{COUNT} (?:minute|min|hour|hr|day|week|month|year)s? (?:before|after|ago)|"
    rf"and (?:a half|\d{{1,2}})|in {COUNT} ?(?:minute|min|hour|hr|day|week|month|year|h|m)s?|"
    rf"(?:next|last|this|the following|of the|new) (?:week|month|year|{_MONTH}|{_PART})|"
    rf"for (?:the next )?{COUNT} (?:day|week|month)s?|(?:but|and) not on|but do not|next|"
    r"when (?:it|i)\b(?! (?:should|can|could|must|have|need|closes?|opens?|begins?|starts?|ends?)\b)|"
    r"unless|except|only (?:if|when)|\d+(?:st|nd|rd|th)|(?:half|quarter) (?:past|to)|"
    rf"not (?:at )?\d+|midnight|holidays|{COUNT} (?:minute|min)s?$|"
    r"(?:before|after|by|from|since|between|and|or|to|the|every|of|about|with|is|are|was)$)\b"
)
"""Words beside the time that may be another time: then nothing is set."""


class Clock(NamedTuple):
    hour: int
    minute: int
    half: str  # A key of `_OF_HALF`, or empty.


@dataclass(frozen=True)
class When:
    """Everything that one sentence says about the time; unsaid parts are empty."""

    minutes: int | None = None  # From now: `in 20 minutes`.
    days: Mapping[str, Any] = field(default_factory=dict)  # The tool's fields for the days.
    times: tuple[Clock, ...] = ()
    half: str = ""  # For all of its times, as in `Clock.half`.
    is_today: bool = False
    is_wrong: bool = False  # True if it names a day that does not exist.

    def __bool__(self) -> bool:
        return self != When()

    @property
    def is_whole(self) -> bool:
        return self.minutes is not None or bool(self.days and self.times)

    def disagrees(self, other: "When") -> bool:
        """True if both name a day, or both a time."""
        return bool((self.days and other.days) or (self.times and other.times) or (self and other.minutes is not None))

    def then(self, later: "When") -> "When":
        """The intended time after an addition or a correction: the later words count."""
        repeats = self.days.get("repeat", "once") != "once"
        if later.minutes is not None:
            return replace(later, is_wrong=later.is_wrong or repeats)
        half = later.half or self.half or (self.times[0].half if later.times and self.times else "")
        day, is_wrong = later if later.days else self, self.is_wrong or later.is_wrong
        days = dict(day.days)
        if later.days and repeats and later.days["repeat"] == "once":
            is_weekly = self.days["repeat"] == "weekly" and "weekdays" in later.days
            days, is_wrong = {**self.days, "weekdays": later.days.get("weekdays")}, is_wrong or not is_weekly
        return When(None, days, later.times or self.times, half, day.is_today, is_wrong)

    def schedule(self, *, waking: bool) -> tuple[dict[str, Any], str]:
        """The tool's fields and no question, or no fields and the question to ask."""
        if self.is_wrong or self.minutes == 0:
            return {}, UNSURE
        if self.minutes is not None:
            return {"repeat": "once", "in_minutes": self.minutes}, ""
        given = {"repeat": "once"} | dict(self.days)
        if given["repeat"] == "hourly":  # A day's span would leave out the nightly dose of every eight hours.
            is_by_day = given.get("every", 1) <= _WITHIN_A_DAY
            return ({"from_time": "09:00", "to_time": "21:00", **given}, "") if is_by_day else ({}, _AT_WHICH_TIMES)
        if not self.times or any(one.hour >= DAY_HOURS or one.minute >= HOUR_MINUTES for one in self.times):
            return {}, _WHAT_TIME if self.times else _AT_WHAT_TIME
        hours = [self._hour_of_day(one, waking=waking) for one in self.times]
        if None in hours:
            first = self.times[hours.index(None)]
            return {}, _WHICH_HALF.format(f"{first.hour}:{first.minute:02}" if first.minute else first.hour)
        times = [f"{hour:02}:{one.minute:02}" for hour, one in zip(hours, self.times, strict=True)]
        is_of_two_days = given == {"repeat": "once"} and times != sorted(times)  # "At 8pm and 2am".
        asked = UNSURE if is_of_two_days else _EVERY_DAY if len(times) > 1 and not self.days else ""
        return ({}, asked) if asked else ({**given, "times": times}, "")

    def _hour_of_day(self, one: Clock, *, waking: bool) -> int | None:
        """The hour on a 24-hour clock; None if it is unclear which half of the day is meant."""
        if one.hour == 0 or one.hour > NOON:
            return one.hour
        if half := one.half or self.half:
            plain, more = _OF_HALF[half]
            return one.hour % NOON + more if one.hour in plain else None
        repeats, is_far = self.days.get("repeat", "once") != "once", bool(self.days) and not self.is_today
        morning = _REPEATED_MORNING if repeats else _DAY_NAMED_MORNING if is_far else range(0)
        return one.hour if one.hour in (*(_WAKING_MORNING if waking else morning), NOON) else None


def read_when(sentence: str, today: date) -> tuple[str, When]:
    """The sentence without its times, and these times."""
    rest, span = _cut(sentence, _SPAN)
    if span and span["unit"].lower() not in {"day", "week"}:
        each = HOUR_MINUTES if span["unit"][0].lower() == "h" else 1
        return rest, When(minutes=each // 2 if span["number"].lower() == "half an" else number(span["number"]) * each)
    rest, every = _cut(rest, _EVERY)
    rest, times = _times(rest)
    rest, within = _cut(rest, _WITHIN)
    on, dated = (None if every else _ON.search(rest)), _DATE.search(rest)
    if every and not re.search("month|year", every[0], re.IGNORECASE):
        dated = None
    if on and dated:  # The first one named counts.
        on, dated = (on, None) if on.start() < dated.start() else (None, dated)
    if found := dated or on:
        rest = _without(rest, *found.span())
    days = _days(every, dated, on, today)
    if span:
        days = {"repeat": "once", "in_days": number(span["number"]) * (7 if span["unit"].lower() == "week" else 1)}
    half = re.search(rf"{_PART}|\b[ap]\.?m", " ".join(found[0] for found in (within, every, on) if found).lower())
    is_today = bool(days and days.get("date") == today.isoformat())
    return rest, When(None, days or {}, times, half[0].replace(".", "") if half else "", is_today, days is None)


def _days(
    every: re.Match[str] | None, dated: re.Match[str] | None, on: re.Match[str] | None, today: date
) -> dict[str, Any] | None:
    """The tool's fields for the days; None if the named day never comes."""
    day = _day_named(dated, today) if dated else None
    if dated and day is None:
        return None
    if every:
        days = _repeated(every)
        if day:
            days["days_of_month"] = [day.day]
        return days | ({"month": MONTHS[day.month - 1]} if day and days["repeat"] == "yearly" else {})
    if day:
        return {"repeat": "once", "date": day.isoformat()}
    if on and on["day"]:
        return {"repeat": "once", "weekdays": [on["day"].lower()]}
    if on and (on["after"] or on["tomorrow"]):
        return {"repeat": "once", "in_days": 2 if on["after"] else 1}
    return {"repeat": "once", "date": today.isoformat()} if on else {}


def _repeated(every: re.Match[str]) -> dict[str, Any]:
    """The tool's fields for a match of `_EVERY`."""
    unit = (every["unit"] or every["units"] or every["daily"] or every["plural"]).lower()
    times = number(every["apart"]) if every["apart"] else 2 if every["other"] else 1
    apart = {"every": times} if times > 1 else {}
    if found := re.match("(weekday|weekend)", unit):
        days = WEEKDAYS[:5] if found[1] == "weekday" else WEEKDAYS[5:]
        return {"repeat": "weekly", "weekdays": list(days), **apart}
    if named := re.findall(DAY, unit):
        return {"repeat": "weekly", "weekdays": [day for day in WEEKDAYS if day in named], **apart}
    kinds = {"week": "weekly", "mont": "monthly", "hour": "hourly", "year": "yearly"}
    return {"repeat": kinds.get(unit[:4], "daily"), **apart}


def _day_named(dated: re.Match[str], today: date) -> date | None:
    """The next day that fits a match of `_DATE`; None if there is none."""
    given = {name.rstrip("23"): words for name, words in dated.groupdict().items() if words}
    days = (today + timedelta(days=ahead) for ahead in range(366))
    names = given.get("month", "")[:3].lower()
    of_name = (one for one in days if one.day == int(given["day"]) and f"{one:%b}".lower().startswith(names))
    return next((one for one in of_name if given.get("year", str(one.year)) == str(one.year)), None)


def _times(sentence: str) -> tuple[str, tuple[Clock, ...]]:
    """The sentence without its clock times, and these times."""
    found = _AT.search(sentence)
    if found is None:
        return sentence, ()
    begins, ends, times = found.start(), found.end(), [_clock(found)]
    while (link := _AND.match(sentence, ends)) and (more := _AT.match(sentence, link.end())):
        ends = more.end()
        times.append(_clock(more))
    return _without(sentence, begins, ends), tuple(times)


def _clock(at: re.Match[str]) -> Clock:
    """Hour and minute as said, and the half of the day if the words show it."""
    said = at["hour"] or at["hour2"] or at["hour3"]
    if said is None:
        return Clock(NOON, 0, "pm")
    minute, half = int(at["minute"] or at["minute2"] or at["minute3"] or 0), (at["half"] or at["half2"] or "").lower()
    if half:
        return Clock(number(said), minute, f"{half}m") if 1 <= number(said) <= NOON else Clock(DAY_HOURS, minute, "")
    return Clock(number(said), minute, (at["of_part"] or at["of_night"] or ("am" if said[0] == "0" else "")).lower())


def number(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS[word.lower()]


def _cut(sentence: str, wanted: re.Pattern[str]) -> tuple[str, re.Match[str] | None]:
    """The sentence without the match of `wanted`, and the match."""
    found = wanted.search(sentence)
    return (_without(sentence, *found.span()), found) if found else (sentence, None)


def _without(sentence: str, begins: int, ends: int) -> str:
    """The sentence without the part between the two positions."""
    return " ".join(f"{sentence[:begins]} {sentence[ends:]}".split())
