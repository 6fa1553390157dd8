"""Times read from a sentence: days, dates, hours and how often. Those that were not understood are asked about."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, NamedTuple

from app.clock import MONTHS, WEEKDAYS
from app.text.zones import zone_named

NUMBERS = dict(zip("one two three four five six seven eight nine ten eleven twelve".split(), range(1, 13), strict=True))
HOURS = "|".join(NUMBERS)
NUMBERS |= {"a": 1, "an": 1, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "half an": 0}
DAY_HOURS, HOUR_MINUTES, NOON = 24, 60, 12
_NEXT_YEARS = 9  # From this one on: 1900 and 2100 have no 29 February.

# Hours without a half of the day that are morning all the same: nobody is woken by a wrong guess.
_DAY_NAMED_MORNING, _REPEATED_MORNING, _WAKING_MORNING = range(9, 12), range(6, 12), range(4, 12)
_NIGHT_HOURS = range(6, 12)
_NIGHT_ENDS = 6

WHICH_DAY = "Which day do you mean? Say it as tomorrow, Friday or 24 December."
NOT_UNDERSTOOD = "I don't understand when “{}” is. Say it as tomorrow at 9am, or every Friday at 18:30."
UNSURE = "I'm not sure when you mean. Say when first, such as: remind me on Friday at 9am to send the report."
SEVERAL = "That may be more than one reminder. Send me each by itself, such as: remind me at 6pm to feed the dog."
_WHAT_TIME = "What time is that? Say it as 9am, 6:30pm or 18:30."
_IS_OVER = "That is over already. For which day do you want it? Say it as tomorrow, Friday or 24 December."
_HOW_SOON = "In how many minutes? Say it as: in 20 minutes."
_AT_WHAT_TIME = "At what time? Say it as 9am or 18:30."
_AT_WHICH_TIMES = "In the morning or in the evening? Say each time with am or pm, such as 9am and 6pm."
OF_THE_DAY_ALONE = frozenset({WHICH_DAY, _IS_OVER})
"""Questions after which the hour that was said stands."""

COUNT = rf"(?:\d{{1,4}}|{'|'.join(NUMBERS)})"
_MONTH = rf"(?:{'|'.join(MONTHS)}|{'|'.join(name[:3] for name in MONTHS)}|sept)"
DAY = rf"(?:{'|'.join(WEEKDAYS)})"
_DAYS = rf"{DAY}s?(?:(?:,? and |, ?| & ){DAY}s?)*"
_PART = r"(?:morning|afternoon|evening|night)"


def pattern(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)


_SPAN = pattern(rf"\bin (?P<number>{COUNT}) ?(?P<unit>minute|min|hour|hr|day|week|h|m)s?\b")
TOO_OFTEN = pattern(rf"\b(?:every|each) (?:\w+ )?(?:minute|min|second(?! (?:{DAY}|day|week|month|year|hour)))s?\b")
_EVERY = pattern(
    rf"\b(?:on )?(?:(?:every|each) (?P<other>other |second |2nd )?"
    rf"(?P<unit>(?:day|weekday|weekend|{_DAYS})(?: {_PART})?|week(?: on {_DAYS})?|month|year|hour|{_PART})|"
    rf"every (?P<apart>{COUNT}) (?P<units>(?:hour|day|month|year)s|weeks(?: on {_DAYS})?)|"
    rf"(?P<twice>biweekly|fortnightly)(?: on {_DAYS})?|(?P<daily>daily|weekly|monthly|hourly|yearly)|"
    rf"(?P<plural>weekdays|weekends|{DAY}s(?:(?:,? and |, ?| & ){DAY}s)*))\b"
)
_BOUND = pattern(
    rf",? ?\b(?:(?:until|till|starting|beginning|from|since)(?= (?:on |next |this |the )*"
    rf"(?:{DAY}|{_MONTH}|tomorrow|\d))|"
    rf"(?:but )?(?:except|excluding|apart from|not)(?: for)?(?: on)? (?:the )?(?:weekends?|weekdays?|{_DAYS}|"
    rf"(?:public |bank |national )?holidays)|for (?:the )?(?:next )?{COUNT} (?:day|week|month)s?(?= *$| at\b| to\b)|"
    rf"of (?:the|every|each|next|this) month)\b.*?(?=\bto\b|$)"
)
"""From when or until when it comes, and when not: it is named and not guessed at."""
_DATE = pattern(
    rf"(?<!at )(?<!\d[.:/])\b(?:on )?(?:(?P<weekday>{DAY}),? )?(?:(?:on )?(?P<iso>\d{{4}}-\d\d?-\d\d?)\b|"
    rf"(?:the )?(?P<day>\d\d?)(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b\.?(?:,? (?P<year>\d{{4}})\b)?|"
    rf"(?P<month2>{_MONTH})\.? (?:the )?(?P<day2>\d\d?)(?:st|nd|rd|th)?\b(?!:)(?:,? (?P<year2>\d{{4}})\b)?|"
    r"(?P<day3>\d\d?)\.(?P<month3>\d\d?)\.(?:(?P<year3>\d{4})\b)?,?|"
    r"the (?P<of_month>\d\d?)(?:st|nd|rd|th)(?=,? (?:at|to|about|that|in|around)\b|[ ,.]*$))"
)
_ON = pattern(
    rf"\b(?:(?P<after>(?:the )?day after tomorrow)|(?P<tomorrow>tomorrow)(?: {_PART})?|(?P<tonight>tonight)|today|"
    rf"this {_PART}|(?:on |this |next )?(?P<day>{DAY})(?: {_PART})?)\b"
)
_WITHIN = pattern(rf"\b(?:in the (?P<part>{_PART})s?|at (?P<night>night))\b|^(?:the )?(?P<bare>{_PART}|[ap]\.?m\.?)$")
_AT = pattern(
    r"\b(?:(?:at|around) (?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?(?: ?(?P<half>[ap])\.?m\b\.?)?(?: o['’]?clock)?"
    r"(?![./]?\d)|(?P<hour2>\d{1,2})(?:[:.](?P<minute2>\d\d))? ?(?P<half2>[ap])\.?m\b\.?|"
    rf"(?P<hour3>\d{{1,2}}):(?P<minute3>\d\d)|(?:at )?(?P<word>noon|midnight))"
    rf"(?: (?:in the (?P<of_part>{_PART})|at (?P<of_night>night))\b)?"
)
_OF_A_THING = pattern(r"\b(?:the|an?|my|our|his|her|their|this|that) $")
"""Before a time: `the 3pm party` says nothing of when."""
_AND = pattern(r",? ?(?:\b(?:and|&) ?(?:then |again |also )?)?")
_ZONE = pattern(
    r" \(?(?P<zone>(?:[a-z]+ ){1,2}time|(?:eastern|central|mountain|pacific)|[ecmp][sd]?t|utc|gmt|cet|cest|bst|ist|jst)"
    r"\b\)?"
)
_PAST = pattern(r"\b(?:yesterday|last (?:night|week|month|year)|\w+ (?:days?|weeks?|months?|years?) ago)\b")
_UNREAD = pattern(
    rf"{_PAST.pattern}|\b(?:(?:next|this|the following) (?:week|weekend|month|year|{_MONTH})|in the new year|"
    rf"in {COUNT} (?:months?|years?)|(?:on|in|until|from|by|before|after) (?:\w+ )?{_MONTH}|on \d+[./]\d+|"
    rf"\d{{1,2}}(?:st|nd|rd|th)|(?:end|beginning|middle|start) of (?:the|next|this) (?:day|week|month|year)|"
    r"(?:on|at|before|after|by) (?:my |the )?(?:christmas|easter|thanksgiving|halloween|new year|valentine|birthday)|"
    rf"every {COUNT}|{_MONTH} {COUNT}|(?:on|at|over) the weekend)\b"
)
_LEADS = pattern(
    r"(?:on|at|by|before|after|in|from|next|this|during|until|when|every|each|around|the|of|"
    r"(?:first|second|third|fourth|last)|later|soon|sometime|some time)\b"
)
_IS_SAID = pattern(
    r"\b(?:is|are|was|were|has|have|had|will|would|need|needs|should|must|want|wants|am|I|we|he|she|they|you|"
    r"what|how|where|why|not|never)\b"
)
"""What makes a sentence of words before "to", and no time."""
_FILLERS = pattern(r"\b(?:again|please|also|just|and|then|pls|plz|it|once|one time)\b")
_LEFT_OVER = pattern(
    rf"\b(?:and|or) (?:again |then |also )?(?:(?:at |around )?\d|in {COUNT} ?(?:minute|min|hour|hr|day|week)|"
    rf"every |each |(?:on )?{DAY}\b|tomorrow at \d)|\band (?:\w+ ){{1,6}}at \d|^,? ?{DAY}\b"
)
"""A second time that was read as nothing."""
_DANGLES = pattern(r"\b(?:until|till|before|after|by|from|since|between|and|or|to)$")
_AWAY = pattern(rf"\b{COUNT} (?:minute|min|hour|hr|day|week)s? (?:before|after)\b")


class Clock(NamedTuple):
    hour: int
    minute: int
    part: str
    """`am`, `pm`, `morning`, `afternoon`, `evening`, `night`, or nothing."""


@dataclass(frozen=True)
class When:
    """What one sentence says of the time; what it does not say is empty."""

    minutes: int | None = None
    """After a span: `in 20 minutes`."""
    days: Mapping[str, Any] = field(default_factory=dict)
    """The tool's fields for the days."""
    near: str = ""
    """`today` or `tonight`, where that is the day."""
    times: tuple[Clock, ...] = ()
    part: str = ""
    """Of all of its times, as `Clock.part`."""
    zone: str = ""
    """The zone in whose hours it was said, if one was named."""
    trouble: str = ""
    """What to ask first: a day that there is not, or that was not understood."""

    def __bool__(self) -> bool:
        return self != When()

    def then(self, later: "When") -> "When":
        """What is meant once something was added or put right: what is said last counts."""
        if later.minutes is not None:
            return later
        day = later if later.days or later.trouble else self
        part = later.part or self.part or (self.times[0].part if later.times and self.times else "")
        return When(None, day.days, day.near, later.times or self.times, part, later.zone or self.zone, day.trouble)

    def schedule(self, *, waking: bool) -> tuple[dict[str, Any], str]:
        """The tool's fields, or what to ask."""
        given = {"repeat": "once"} | dict(self.days)
        if self.trouble or self.minutes == 0:
            return {}, self.trouble or _HOW_SOON
        if self.minutes is not None:
            return {"repeat": "once", "in_minutes": self.minutes}, ""
        if given["repeat"] == "hourly":
            return {"from_time": "09:00", "to_time": "21:00", **given}, ""
        hours = [self._hour_of_day(one, waking=waking) for one in self.times]
        if question := self._asked(hours):
            return {}, question
        if self.near and hours[0] in range(_NIGHT_ENDS if self.near == "tonight" else 1):
            given = {"repeat": "once", "in_days": 1}  # Midnight is where today ends.
        said = zip(hours, self.times, strict=True)
        return {**given, "times": [f"{hour:02}:{one.minute:02}" for hour, one in said]}, ""

    def _asked(self, hours: Sequence[int | None]) -> str:
        """What has to be asked of its times; empty where all are plain."""
        if not self.times:
            return _AT_WHAT_TIME
        if any(one.hour >= DAY_HOURS or one.minute >= HOUR_MINUTES for one in self.times):
            return _WHAT_TIME
        if None not in hours:
            return ""
        first = self.times[0]
        said = f"{first.hour}:{first.minute:02}" if first.minute else f"{first.hour}"
        alone = f"In the morning or in the evening? Say {said}am or {said}pm."
        return _AT_WHICH_TIMES if len(hours) > 1 else alone

    def _hour_of_day(self, one: Clock, *, waking: bool) -> int | None:
        """The hour on the clock of 24; None where it is not plain which half of the day is meant."""
        hour, repeats = one.hour, self.days.get("repeat", "once") != "once"
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
        within, meant = readings.get(one.part or self.part, ((*plain, NOON), hour))
        return meant if hour in within else None


def read_when(sentence: str, today: date) -> tuple[str, When]:
    """The sentence without its times, and what they say."""
    rest, span = _cut(sentence, _SPAN)
    rest, every = _cut(rest, _EVERY)
    bound = _BOUND.search(rest) if every else None
    rest, times, zone = _times(rest)
    rest, within = _cut(rest, _WITHIN)
    if span and span["unit"].lower() not in {"day", "week"}:
        return rest, When(minutes=_minutes(span["number"], span["unit"]))
    on, dated = (None if every else _ON.search(rest)), _DATE.search(rest)
    if dated and (not every or re.search("month|year", every[0], re.IGNORECASE)):
        on = None if on is None or dated.start() <= on.start() else on  # The first that is named counts.
        dated = None if on else dated
    else:
        dated = None
    if found := dated or on:
        rest = _without(rest, *found.span())
    when = _days(every, dated, on, today)
    if span:
        ahead = number(span["number"]) * (7 if span["unit"].lower() == "week" else 1)
        when = When(days={"repeat": "once", "in_days": ahead}, trouble="" if ahead else WHICH_DAY)
    trouble = NOT_UNDERSTOOD.format(bound[0].strip(" ,")) if bound else when.trouble
    return rest, replace(when, times=times, part=_part(within, every, on), zone=zone, trouble=trouble)


def _days(every: re.Match[str] | None, dated: re.Match[str] | None, on: re.Match[str] | None, today: date) -> When:
    day, trouble = _day_named(dated, today) if dated else (None, "")
    if trouble or not (every or day or on):
        return When(trouble=trouble)
    if every:
        days = _repeated(every)
        if day:
            days["days_of_month"] = [day.day]
        if day and days["repeat"] == "yearly":
            days["month"] = MONTHS[day.month - 1]
        return When(days=days)
    if on and (on["tomorrow"] or on["after"]):
        return When(days={"repeat": "once", "in_days": 2 if on["after"] else 1})
    if on and on["day"]:
        return When(days={"repeat": "once", "weekdays": [on["day"].lower()]})
    near = "tonight" if on and on["tonight"] else "today" if day in {None, today} else ""
    return When(days={"repeat": "once", "date": (day or today).isoformat()}, near=near)


def _repeated(every: re.Match[str]) -> dict[str, Any]:
    """The tool's fields for a match of `_EVERY`."""
    unit = (every["unit"] or every["units"] or every["daily"] or every["plural"] or "week").lower()
    times = number(every["apart"]) if every["apart"] else 2 if every["other"] or every["twice"] else 1
    apart = {"every": times} if times > 1 else {}
    if found := re.match("(weekday|weekend)", unit):
        days = WEEKDAYS[:5] if found[1] == "weekday" else WEEKDAYS[5:]
        return {"repeat": "weekly", "weekdays": list(days), **apart}
    if named := re.findall(DAY, every[0].lower()):
        return {"repeat": "weekly", "weekdays": [day for day in WEEKDAYS if day in named], **apart}
    unit = unit.split(" ")[0].removesuffix("ly").rstrip("s")
    kinds = {"week": "weekly", "month": "monthly", "hour": "hourly", "year": "yearly"}
    return {"repeat": kinds.get(unit, "daily"), **apart}


def _day_named(dated: re.Match[str], today: date) -> tuple[date | None, str]:
    """The day that a match of `_DATE` names, without a year the next such day; or None, and what to ask."""
    said = dated[0].strip(" ,").removeprefix("on ")
    given = {name.rstrip("23"): words for name, words in dated.groupdict().items() if words}
    if "of_month" in given:
        ahead = (today + timedelta(days=days) for days in range(62))
        found = next((one for one in ahead if one.day == int(given["of_month"])), None)
        return found, "" if found else f"There is no such day: {said}. {WHICH_DAY}"
    if "iso" in given:
        year, month, day = (int(part) for part in given["iso"].split("-"))
    else:
        day, year, name = int(given["day"]), int(given.get("year", 0)), given["month"].lower()
        month = int(name) if name.isdigit() else next(n for n, full in enumerate(MONTHS, 1) if full[:3] == name[:3])
    found = _next_date(year, month, day, today)
    if found is None:
        return None, f"There is no {said}. {WHICH_DAY}"
    if found < today:
        return None, f"The {said} is over already. {WHICH_DAY}"
    if given.get("weekday", WEEKDAYS[found.weekday()]).lower() != WEEKDAYS[found.weekday()]:
        return None, f"{found.day} {found:%B %Y} is a {found:%A}. {WHICH_DAY}"
    return found, ""


def _next_date(year: int, month: int, day: int, today: date) -> date | None:
    """None where no calendar has it."""
    found = None
    for one in [year] if year else range(today.year, today.year + _NEXT_YEARS):
        try:
            found = date(one, month, day)
        except ValueError:
            continue
        if found >= today:
            break
    return found


def _times(sentence: str) -> tuple[str, tuple[Clock, ...], str]:
    """The sentence without its times, they, and the zone that was named."""
    found = next((one for one in _AT.finditer(sentence) if not _OF_A_THING.search(sentence[: one.start()])), None)
    if found is None:
        return sentence, (), ""
    begins, ends, times = found.start(), found.end(), [_clock(found)]
    while (link := _AND.match(sentence, ends)) and (more := _AT.match(sentence, link.end())):
        ends = more.end()
        times.append(_clock(more))
    zone, named = "", _ZONE.match(sentence, ends)
    if named and (known := zone_named(named["zone"])):
        zone, ends = known, named.end()
    return _without(sentence, begins, ends), tuple(times), zone


def _clock(at: re.Match[str]) -> Clock:
    """Hour and minute as they were said, and the half of the day where they tell it."""
    if at["word"]:
        return Clock(NOON, 0, "pm") if at["word"].lower() == "noon" else Clock(0, 0, "am")
    said = at["hour"] or at["hour2"] or at["hour3"]
    hour, minute = int(said), int(at["minute"] or at["minute2"] or at["minute3"] or 0)
    half = (at["half"] or at["half2"] or "").lower()
    if half:
        return Clock(hour, minute, f"{half}m") if 1 <= hour <= NOON else Clock(DAY_HOURS, minute, "")
    return Clock(hour, minute, (at["of_part"] or at["of_night"] or ("am" if said.startswith("0") else "")).lower())


def _part(within: re.Match[str] | None, every: re.Match[str] | None, on: re.Match[str] | None) -> str:
    if within:
        return (within["part"] or within["night"] or within["bare"]).lower().replace(".", "").removesuffix("s")
    found = re.search(_PART, f"{every[0] if every else ''} {on[0] if on else ''}".lower())
    return found[0] if found else ""


def unread(what: str, *, named: bool, lead: bool) -> tuple[str, str]:
    """What is to be done, and what to ask where words for a time were not understood.

    `named` tells whether a day was understood, `lead` whether `what` begins before what is to be done.
    """
    head, *task = re.split(r"\b(?:to|about|that)\b", what, maxsplit=1)
    before = head.strip() if lead and task else ""
    place = before if named else what
    question = _IS_OVER if _PAST.search(place) else WHICH_DAY if _UNREAD.search(place) or _LEADS.match(before) else ""
    if not question and _LEFT_OVER.search(what):
        question = SEVERAL
    if not question and _DANGLES.search(what):
        question = UNSURE
    if not question and (away := _AWAY.search(what)):
        question = NOT_UNDERSTOOD.format(away[0])
    if not question and before and not _IS_SAID.search(before) and _FILLERS.sub("", before).strip(" ,.-"):
        question = NOT_UNDERSTOOD.format(before)
    if question and before:
        return task[0].strip(), question
    return (_cut(what, _UNREAD)[0] if question else what), question


def number(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS[word.lower()]


def _minutes(count: str, unit: str) -> int:
    each = HOUR_MINUTES if unit.lower() in {"hour", "hr", "h"} else 1
    return HOUR_MINUTES // 2 if count.lower() == "half an" else number(count) * each


def _cut(sentence: str, wanted: re.Pattern[str]) -> tuple[str, re.Match[str] | None]:
    """The sentence without what is wanted of it, and that."""
    found = wanted.search(sentence)
    return (_without(sentence, *found.span()), found) if found else (sentence, None)


def _without(sentence: str, begins: int, ends: int) -> str:
    """The sentence without what stands between the two places."""
    return re.sub(r"\s{2,}", " ", f"{sentence[:begins].rstrip()} {sentence[ends:].lstrip()}").strip()
