"""When something is to come, read from a sentence: days, dates and hours. What was not understood is asked about."""

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = rf"(?:{'|'.join(WEEKDAYS)})"
DAY = _DAY
_DAYS = rf"{_DAY}s?(?:(?:,? and |, ?| & ){_DAY}s?)*"
_PART = r"morning|afternoon|evening|night"
_PART_HERE = rf"(?:{_PART})"
_MONTHS = [name.lower() for name in calendar.month_name[1:]]
_MONTH = rf"(?:{'|'.join(_MONTHS)}|{'|'.join(name[:3] for name in _MONTHS)}|sept)"
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10, "half an": 0}
_COUNT = rf"(?:\d{{1,3}}|{'|'.join(_NUMBERS)})"
NOON, DAY_HOURS, HOUR_MINUTES = 12, 24, 60
_LEAP_YEARS_APART = 8  # At most: 1900 and 2100 have no 29 February.
# Hours without a half of the day that are morning all the same: nobody is woken by a wrong guess.
_DAY_NAMED_MORNING = range(9, 12)
_REPEATED_MORNING = range(6, 12)
_WAKING_MORNING = range(4, 12)
_NIGHT_HOURS = range(6, 12)
_NIGHT_ENDS = 6

_SPAN = re.compile(
    rf"\bin (?P<number>\d{{1,4}}|{'|'.join(_NUMBERS)}) ?(?P<unit>minute|min|hour|hr|day|week|h|m)s?\b", re.IGNORECASE
)
_EVERY = re.compile(
    rf"\b(?:(?:every|each) (?P<other>other |second |2nd )?"
    rf"(?P<unit>day|weekday|weekend|week|month|year|hour|{_PART}|{_DAYS})|"
    rf"every (?P<apart>{_COUNT}) (?P<units>hour|day|week|month|year)s|"
    rf"(?P<daily>daily|weekly|hourly|yearly)|on (?P<plural>weekdays|weekends))\b",
    re.IGNORECASE,
)
TOO_OFTEN = re.compile(r"\b(?:every|each) (?:\w+ )?(?:minute|min|second)s?\b", re.IGNORECASE)
_ON = re.compile(
    rf"\b(?:(?P<after>(?:the )?day after tomorrow)|(?P<tomorrow>tomorrow)(?: {_PART_HERE})?|(?P<tonight>tonight)|today|"
    rf"this {_PART_HERE}|(?:on |this |next )?(?P<day>{_DAY})(?: {_PART_HERE})?)\b",
    re.IGNORECASE,
)
_DATE = re.compile(
    rf"(?<!at )(?<!\d[.:/])\b(?:on )?(?:(?P<weekday>{_DAY}),? )?(?:"
    r"(?:on )?(?P<iso>\d{4}-\d\d?-\d\d?)\b|"
    rf"(?:the )?(?P<day>\d\d?)(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b\.?(?:,? (?P<year>\d{{4}})\b)?|"
    rf"(?P<month2>{_MONTH})\.? (?:the )?(?P<day2>\d\d?)(?:st|nd|rd|th)?\b(?!:)(?:,? (?P<year2>\d{{4}})\b)?|"
    r"(?P<day3>\d\d?)\.(?P<month3>\d\d?)\.(?:(?P<year3>\d{4})\b)?,?|"
    r"(?P<slashed>\d\d?/\d\d?)(?:/(?P<year4>\d{4}))?\b|"
    r"the (?P<day5>\d\d?)(?:st|nd|rd|th)(?P<of> of (?:the|this|next) month|"
    r"(?: of)?(?=,? (?:at|to|about|that|in|around)\b|[ ,.]*$)))|"
    r"(?<!at )(?<![\d.:/])\b(?:on (?=\d+\.\d+\b)|(?=\d+\.\d+$))(?P<day6>\d\d?)\.(?P<month6>\d\d?)\b",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    rf"\b(?:in the (?P<part>{_PART})s?|at (?P<night>night))\b|^(?:the )?(?P<bare>{_PART}|[ap]\.?m\.?)$", re.IGNORECASE
)
_AT = re.compile(
    r"\b(?:(?:at|around) (?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?(?: ?(?P<half>[ap])\.?m\b\.?)?(?: o['’]?clock)?"
    r"(?![./]?\d)|(?P<hour2>\d{1,2})(?:[:.](?P<minute2>\d\d))? ?(?P<half2>[ap])\.?m\b\.?|"
    r"(?P<hour3>\d{1,2}):(?P<minute3>\d\d)|(?:at )?(?P<word>noon|midnight))",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:yesterday|last (?:night|week|month|year)|\w+ (?:days?|weeks?|months?|years?) ago)\b", re.IGNORECASE
)
_FEASTS = r"christmas|easter|thanksgiving|halloween|new year|valentine|birthday"
_UNREAD = re.compile(
    rf"{_PAST.pattern}|\b(?:(?:next|this|the following) (?:week|weekend|month|year|{_MONTH})|in the new year|"
    rf"in {_COUNT} (?:months?|years?)|(?:on|in|until|from|by|before|after) (?:\w+ )?{_MONTH}|"
    rf"\d{{1,2}}(?:st|nd|rd|th)|(?:end|beginning|middle|start) of (?:the|next|this) (?:day|week|month|year)|"
    rf"(?:on|at|before|after|by) (?:my |the )?(?:{_FEASTS})|every {_COUNT}|{_MONTH} {_COUNT}|"
    rf"(?:on|at|over) the weekend)\b",
    re.IGNORECASE,
)
_LEADS = re.compile(
    r"(?:on|at|by|before|after|in|from|next|this|during|until|when|every|each|around|the|of|"
    r"(?:first|second|third|fourth|last)|later|soon|sometime|some time)\b",
    re.IGNORECASE,
)

WHICH_DAY = "Which day do you mean? Say it as tomorrow, Friday or 24 December."
WHAT_TIME = "What time is that? Say it as 9am, 6:30pm or 18:30."
_IS_OVER = "That is over already. For which day do you want it? Say it as tomorrow, Friday or 24 December."
_HOW_SOON = "In how many minutes? Say it as: in 20 minutes."
_AT_WHAT_TIME = "At what time? Say it as 9am or 18:30."


@dataclass(frozen=True)
class When:
    """What one sentence says of the time; what it does not say is empty."""

    minutes: int | None = None
    """After a span: `in 20 minutes`."""
    days: dict[str, Any] = field(default_factory=dict)
    """The tool's fields for the days."""
    near: str = ""
    """`today` or `tonight`, where that is the day."""
    hour: int | None = None
    minute: int = 0
    part: str = ""
    """`am`, `pm`, `morning`, `afternoon`, `evening` or `night`."""
    trouble: str = ""
    """What to ask first: a day that there is not, or that was not understood."""

    def __bool__(self) -> bool:
        return self != When()

    def then(self, later: "When") -> "When":
        """What is meant once something was added or put right: what is said last counts."""
        if later.minutes is not None:
            return later
        if later.days or later.trouble:
            merged = replace(self, minutes=None, days=later.days, near=later.near, trouble=later.trouble)
        else:
            merged = replace(self, minutes=None) if later.hour is not None else self
        if later.hour is not None:
            merged = replace(merged, hour=later.hour, minute=later.minute)
        return replace(merged, part=later.part or merged.part)

    def schedule(self, *, waking: bool) -> tuple[dict[str, Any], str]:
        """The tool's fields, or what to ask."""
        given, hour = {"repeat": "once"} | self.days, self._hour(waking=waking)
        if question := self._question(hour, is_hourly=given["repeat"] == "hourly"):
            return {}, question
        if self.minutes is not None:
            return {"repeat": "once", "in_minutes": self.minutes}, ""
        if given["repeat"] == "hourly":
            return {**given, "from_time": "09:00", "to_time": "21:00"}, ""
        if self.near and hour in range(_NIGHT_ENDS if self.near == "tonight" else 1):
            given = {"repeat": "once", "in_days": 1}  # Midnight is where today ends.
        return {**given, "times": [f"{hour:02}:{self.minute:02}"]}, ""

    def _question(self, hour: int | None, *, is_hourly: bool) -> str:
        """What has to be asked first; empty where all is plain."""
        if self.trouble or self.minutes is not None or is_hourly:
            return self.trouble or ("" if self.minutes != 0 else _HOW_SOON)
        if self.hour is None:
            return _AT_WHAT_TIME
        if self.hour >= DAY_HOURS or self.minute >= HOUR_MINUTES:
            return WHAT_TIME
        said = f"{self.hour}:{self.minute:02}" if self.minute else f"{self.hour}"
        return f"In the morning or in the evening? Say {said}am or {said}pm." if hour is None else ""

    def _hour(self, *, waking: bool) -> int | None:
        """The hour on the clock of 24; None where it is not plain which half of the day is meant."""
        hour, repeats = self.hour or 0, self.days.get("repeat", "once") != "once"
        if hour == 0 or hour > NOON:
            return hour
        late = hour % NOON + NOON
        readings: dict[str, tuple[Sequence[int], int]] = {
            "am": (range(1, NOON + 1), hour % NOON),
            "pm": (range(1, NOON + 1), late),
            "morning": (range(1, NOON), hour),
            "afternoon": (range(1, NOON + 1), late),
            "evening": (range(1, NOON), late),
            "night": (_NIGHT_HOURS, late),
        }
        plain: Sequence[int] = _REPEATED_MORNING if repeats else _DAY_NAMED_MORNING
        if waking:
            plain = _WAKING_MORNING
        elif not self.days or self.near:
            plain = ()
        within, meant = readings.get(self.part, ((*plain, NOON), hour))
        return meant if hour in within else None


def read_when(sentence: str, today: date) -> tuple[str, When]:
    """The sentence without its times, and what they say."""
    rest, span = _cut(sentence, _SPAN)
    rest, every = _cut(rest, _EVERY)
    rest, within = _cut(rest, _WITHIN)
    rest, on, dated = _day_and_date(rest, every)
    rest, at = _cut(rest, _AT)
    when = When()
    if span and span["unit"].lower() not in {"day", "week"}:
        return rest, When(minutes=minutes_of(span["number"], span["unit"]))
    if span:
        days = _number(span["number"]) * (7 if span["unit"].lower() == "week" else 1)
        when = replace(when, days={"repeat": "once", "in_days": days}, trouble="" if days else WHICH_DAY)
    elif every:
        when = _repeated(every, dated, today)
    elif dated:
        when = _on_date(dated, today)
    elif on:
        when = _on_day(on, today)
    part = _part(within, every, on)
    if at is None:
        return rest, replace(when, part=part)
    hour, minute, half = _time(at)
    return rest, replace(when, hour=hour, minute=minute, part=half or part)


def unread(what: str, *, named: bool, lead: bool) -> tuple[str, str]:
    """What is to be done, and what to ask where words for a time were not understood.

    `named` tells whether a day was understood, `lead` whether `what` begins before what is to be done.
    """
    head, *task = re.split(r"\b(?:to|about|that)\b", what, maxsplit=1)
    before = head.strip() if lead and task else ""
    place = before if named else what
    question = _IS_OVER if _PAST.search(place) else WHICH_DAY if _UNREAD.search(place) or _LEADS.match(before) else ""
    if question and before:
        return task[0].strip(), question
    return (_cut(what, _UNREAD)[0] if question else what), question


def minutes_of(number: str, unit: str) -> int:
    each = 60 if unit.lower() in {"hour", "hr", "h"} else 1
    return 30 if number.lower() == "half an" else _number(number) * each


def _day_and_date(rest: str, every: re.Match[str] | None) -> tuple[str, re.Match[str] | None, re.Match[str] | None]:
    """The first day that is named counts; another one is part of what is to be done."""
    on, dated = (None if every else _ON.search(rest)), _DATE.search(rest)
    if every and dated and not _repeats_by_date(every):
        return rest, None, None
    if dated and (on is None or dated.start() <= on.start()):
        return (*_cut(rest, _DATE)[:1], None, dated)
    if on:
        after, _ = _cut(rest, _ON)
        return after, on, None
    return rest, None, None


def _repeats_by_date(every: re.Match[str]) -> bool:
    return any(unit in every[0].lower() for unit in ("month", "year"))


def _repeated(every: re.Match[str], dated: re.Match[str] | None, today: date) -> When:
    unit = (every["unit"] or every["units"] or every["daily"] or every["plural"]).lower()
    unit = unit.removesuffix("ly").rstrip("s")
    number = _number(every["apart"]) if every["apart"] else 2 if every["other"] else 1
    apart = {"every": number} if number > 1 else {}
    if unit in {"weekday", "weekend"}:
        days = WEEKDAYS[:5] if unit == "weekday" else WEEKDAYS[5:]
        return When(days={"repeat": "weekly", "weekdays": list(days), **apart})
    if named := re.findall(_DAY, every[0].lower()):
        return When(days={"repeat": "weekly", "weekdays": named, **apart})
    repeat = {"week": "weekly", "month": "monthly", "hour": "hourly", "year": "yearly"}.get(unit, "daily")
    if dated is None or repeat not in {"monthly", "yearly"}:
        return When(days={"repeat": repeat, **apart})
    first = _on_date(dated, today)
    if first.trouble:
        return first
    day = date.fromisoformat(first.days["date"])
    if repeat == "monthly":
        return When(days={"repeat": repeat, "days_of_month": [int(dated["day5"] or day.day)], **apart})
    return When(days={"repeat": repeat, "month": _MONTHS[day.month - 1], "days_of_month": [day.day], **apart})


def _on_day(on: re.Match[str], today: date) -> When:
    if on["tomorrow"] or on["after"]:
        return When(days={"repeat": "once", "in_days": 2 if on["after"] else 1})
    if on["day"]:
        return When(days={"repeat": "once", "weekdays": [on["day"].lower()]})
    return When(days={"repeat": "once", "date": today.isoformat()}, near="tonight" if on["tonight"] else "today")


def _on_date(dated: re.Match[str], today: date) -> When:
    """The day that a date names: without a year, the next such day."""
    said = dated[0].strip(" ,").removeprefix("on ")
    given = {name: words for name, words in dated.groupdict().items() if words}
    if "iso" in given:
        year, month, day = (int(part) for part in given["iso"].split("-"))
    elif "slashed" in given:
        first, second = (int(part) for part in given["slashed"].split("/"))
        if max(first, second) <= NOON and first != second:
            return When(trouble=f"Which day is {said}? Write out the month, such as {first} {_titled(second)}.")
        day, month = (first, second) if second <= NOON else (second, first)
        year = int(given.get("year4", 0))
    elif "day5" in given:
        return _next_of_month(
            int(given["day5"]), said, today, is_next="next" in given["of"] if "of" in given else False
        )
    else:
        day = int(given.get("day") or given.get("day2") or given.get("day3") or given["day6"])
        name = given.get("month") or given.get("month2")
        number = given.get("month3") or given.get("month6") or "0"
        month = (
            int(number)
            if name is None
            else next(place for place, full in enumerate(_MONTHS, 1) if full.startswith(name.lower()[:3]))
        )
        year = int(given.get("year") or given.get("year2") or given.get("year3") or 0)
    found = _next_date(year, month, day, today)
    if found is None:
        return When(trouble=f"There is no {said}. {WHICH_DAY}")
    if found < today:
        return When(trouble=f"The {said} is over already. {WHICH_DAY}")
    weekday = [given["weekday"].lower()] if "weekday" in given else []
    if weekday and WEEKDAYS[found.weekday()] not in weekday:
        return When(trouble=f"{found.day} {found:%B %Y} is a {found:%A}. {WHICH_DAY}")
    return When(days={"repeat": "once", "date": found.isoformat()}, near="today" if found == today else "")


def _titled(month: int) -> str:
    return _MONTHS[month - 1].title() if 1 <= month <= len(_MONTHS) else "December"


def _next_of_month(day: int, said: str, today: date, *, is_next: bool) -> When:
    """The next such day of a month: this one's, or the first that has it."""
    begins = today.replace(day=1)
    if is_next:
        begins = (begins + timedelta(days=31)).replace(day=1)
    for _ in range(len(_MONTHS)):
        if day <= calendar.monthrange(begins.year, begins.month)[1] and day and begins.replace(day=day) >= today:
            found = begins.replace(day=day)
            return When(days={"repeat": "once", "date": found.isoformat()}, near="today" if found == today else "")
        begins = (begins + timedelta(days=31)).replace(day=1)
        if is_next:
            break
    return When(trouble=f"There is no such day: {said}. {WHICH_DAY}")


def _next_date(year: int, month: int, day: int, today: date) -> date | None:
    """None where no calendar has it."""
    years = [year] if year else range(today.year, today.year + _LEAP_YEARS_APART + 1)
    found = None
    for one in years:
        try:
            found = date(one, month, day)
        except ValueError:
            continue
        if found >= today:
            break
    return found


def _part(within: re.Match[str] | None, every: re.Match[str] | None, on: re.Match[str] | None) -> str:
    if within:
        said = (within["part"] or within["night"] or within["bare"]).lower().replace(".", "")
        return said.removesuffix("s")
    told = f"{every[0] if every else ''} {on[0] if on else ''}".lower()
    found = re.search(_PART, told)
    return found[0] if found else ""


def _time(at: re.Match[str]) -> tuple[int, int, str]:
    """Hour and minute as they were said, and the half of the day where they tell it."""
    if at["word"]:
        return (NOON if at["word"].lower() == "noon" else 0), 0, "pm" if at["word"].lower() == "noon" else "am"
    said = at["hour"] or at["hour2"] or at["hour3"]
    hour, minute = int(said), int(at["minute"] or at["minute2"] or at["minute3"] or 0)
    half = (at["half"] or at["half2"] or "").lower()
    if half:
        return (hour, minute, f"{half}m") if 1 <= hour <= NOON else (DAY_HOURS, minute, "")
    if hour > NOON or hour == 0:
        return hour, minute, "pm" if NOON < hour < DAY_HOURS else "am" if hour == 0 else ""
    return hour, minute, "am" if said.startswith("0") else ""


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def _cut(sentence: str, pattern: re.Pattern[str]) -> tuple[str, re.Match[str] | None]:
    """The sentence without what the pattern finds in it."""
    found = pattern.search(sentence)
    if found is None:
        return sentence, None
    rest = f"{sentence[: found.start()].rstrip()} {sentence[found.end() :].lstrip()}"
    return re.sub(r"\s{2,}", " ", rest).strip(), found
