"""Times read from a sentence: days, dates and hours. Those that were not understood are asked about."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from app.routines.repeats import (
    COUNT,
    EVERY,
    EVERY_WEEK,
    PART,
    PART_HERE,
    SEVERAL_DAYS,
    bounds,
    joined,
    on_date,
    repeated,
)
from app.text.dates import DATE, DAY, DAY_HOURS, HOUR_MINUTES, MONTH, NOON, NUMBERS, WHICH_DAY, day_named, number
from app.text.zones import zone_named

# Hours without a half of the day that are morning all the same: nobody is woken by a wrong guess.
_DAY_NAMED_MORNING = range(9, 12)
_REPEATED_MORNING = range(6, 12)
_WAKING_MORNING = range(4, 12)
_NIGHT_HOURS = range(6, 12)
_NIGHT_ENDS = 6
_EITHER = "either"  # The part of the day of `6` in "at 8 and 6": no habit tells which it is.

_SPAN = re.compile(
    rf"\bin (?P<number>\d{{1,4}}|{'|'.join(NUMBERS)}) ?(?P<unit>minute|min|hour|hr|day|week|h|m)s?\b", re.IGNORECASE
)
TOO_OFTEN = re.compile(
    rf"\b(?:every|each) (?:\w+ )?(?:minute|min|second(?! (?:{DAY}|day|week|month|year|hour)))s?\b", re.IGNORECASE
)
_FOR_DAYS = re.compile(rf"(?<=me )for (?:the )?(?:next )?{COUNT} (?:day|week)s?\b", re.IGNORECASE)
_ON = re.compile(
    rf"\b(?:(?P<after>(?:the )?day after tomorrow)|(?P<tomorrow>tomorrow)(?: {PART_HERE})?|(?P<tonight>tonight)|today|"
    rf"this {PART_HERE}|(?:on |this |next )?(?P<day>{DAY})(?: {PART_HERE})?)\b",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    rf"\b(?:in the (?P<part>{PART})s?|at (?P<night>night))\b|^(?:the )?(?P<bare>{PART}|[ap]\.?m\.?)$", re.IGNORECASE
)
_OF_PART = rf"(?: (?:in the (?P<of_part>{PART})|at (?P<of_night>night))\b)?"
_AT = re.compile(
    r"\b(?:(?:at|around) (?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?(?: ?(?P<half>[ap])\.?m\b\.?)?(?: o['’]?clock)?"
    r"(?![./]?\d)|(?P<hour2>\d{1,2})(?:[:.](?P<minute2>\d\d))? ?(?P<half2>[ap])\.?m\b\.?|"
    rf"(?P<hour3>\d{{1,2}}):(?P<minute3>\d\d)|(?:at )?(?P<word>noon|midnight)){_OF_PART}",
    re.IGNORECASE,
)
_OF_A_THING = re.compile(r"\b(?:the|an?|my|our|his|her|their|this|that) $", re.IGNORECASE)
"""Before a time: `the 3pm party` says nothing of when."""
_AND = re.compile(r",? ?(?:\b(?:and|&) ?(?:then |again |also )?)?", re.IGNORECASE)
_AND_AGAIN = re.compile(
    r",? \band (?:then |again |also )?(?=(?:at |around )?\d|(?:at )?(?:noon|midnight)\b)", re.IGNORECASE
)
_BARE = re.compile(r"\d{1,2}(?= *$|,| and\b| at\b| every| to\b)")
_BETWEEN = re.compile(
    r"\b(?:from|between) (?P<from>\d{1,2})(?P<from_minute>:\d\d)? ?(?P<from_half>[ap]m)? ?(?:to|until|till|and|-) ?"
    r"(?P<to>\d{1,2})(?P<to_minute>:\d\d)? ?(?P<to_half>[ap]m)?\b",
    re.IGNORECASE,
)
_ZONE = re.compile(
    r" \(?(?P<zone>(?:[a-z]+ ){1,2}time|(?:eastern|central|mountain|pacific)|[ecmp][sd]?t|utc|gmt|cet|cest|bst|ist|jst)"
    r"\b\)?",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:yesterday|last (?:night|week|month|year)|\w+ (?:days?|weeks?|months?|years?) ago)\b", re.IGNORECASE
)
_FEASTS = r"christmas|easter|thanksgiving|halloween|new year|valentine|birthday"
_UNREAD = re.compile(
    rf"{_PAST.pattern}|\b(?:(?:next|this|the following) (?:week|weekend|month|year|{MONTH})|in the new year|"
    rf"in {COUNT} (?:months?|years?)|(?:on|in|until|from|by|before|after) (?:\w+ )?{MONTH}|"
    rf"\d{{1,2}}(?:st|nd|rd|th)|(?:end|beginning|middle|start) of (?:the|next|this) (?:day|week|month|year)|"
    rf"(?:on|at|before|after|by) (?:my |the )?(?:{_FEASTS})|every {COUNT}|{MONTH} {COUNT}|"
    rf"(?:on|at|over) the weekend)\b",
    re.IGNORECASE,
)
_LEADS = re.compile(
    r"(?:on|at|by|before|after|in|from|next|this|during|until|when|every|each|around|the|of|"
    r"(?:first|second|third|fourth|last)|later|soon|sometime|some time)\b",
    re.IGNORECASE,
)

_IS_SAID = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|need|needs|should|must|want|wants|am|I|we|he|she|they|you|"
    r"what|how|where|why|not|never)\b",
    re.IGNORECASE,
)
"""What makes a sentence of words before "to", and no time."""
_FILLERS = re.compile(r"\b(?:again|please|also|just|and|then|pls|plz|it|once|one time)\b", re.IGNORECASE)
_LEFT_OVER = re.compile(
    rf"\b(?:and|or) (?:again |then |also )?(?:(?:at|around) \d|in {COUNT} ?(?:minute|min|hour|hr|day|week)|"
    rf"every |each |(?:on )?{DAY} at \d|tomorrow at \d|\d{{1,2}}(?::\d\d)? ?[ap]m\b|on {DAY}\b)|"
    rf"\band (?:\w+ ){{1,6}}at \d",
    re.IGNORECASE,
)
_DANGLES = re.compile(r"\b(?:until|till|before|after|by|from|since|between|and|or|to)$", re.IGNORECASE)
_AWAY = re.compile(rf"\b{COUNT} (?:minute|min|hour|hr|day|week)s? (?:before|after)\b", re.IGNORECASE)
NOT_UNDERSTOOD = "I don't understand when “{}” is. Say it as tomorrow at 9am, or every Friday at 18:30."
WHAT_TIME = "What time is that? Say it as 9am, 6:30pm or 18:30."
_IS_OVER = "That is over already. For which day do you want it? Say it as tomorrow, Friday or 24 December."
_HOW_SOON = "In how many minutes? Say it as: in 20 minutes."
_AT_WHAT_TIME = "At what time? Say it as 9am or 18:30."
_AT_WHICH_TIMES = "In the morning or in the evening? Say each time with am or pm, such as 9am and 6pm."
UNSURE = "I'm not sure when you mean. Say when first, such as: remind me on Friday at 9am to send the report."
SEVERAL = "That may be more than one reminder. Send me each by itself, such as: remind me at 6pm to feed the dog."


OF_WHAT_IS_UNREAD = frozenset({WHICH_DAY, _IS_OVER})
"""Questions of the day alone: the hour that was said stands."""


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
    more: tuple[tuple[int, int, str], ...] = ()
    """Further times of the same days, each as hour, minute and part."""
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
        if later.days == {"repeat": "weekly"} and self.days.get("weekdays"):
            merged = replace(self, minutes=None, days={**self.days, **later.days}, trouble="")
        elif later.days or later.trouble:
            merged = replace(self, minutes=None, days=later.days, near=later.near, trouble=later.trouble)
        else:
            merged = replace(self, minutes=None) if later.hour is not None else self
        if later.hour is not None:
            merged = replace(merged, hour=later.hour, minute=later.minute, more=later.more)
        return replace(merged, part=later.part or merged.part, zone=later.zone or merged.zone)

    def schedule(self, *, waking: bool) -> tuple[dict[str, Any], str]:
        """The tool's fields, or what to ask."""
        given, hour = {"repeat": "once"} | self.days, self.hour_of_day(waking=waking)
        if question := self._question(hour, is_hourly=given["repeat"] == "hourly"):
            return {}, question
        if any(self._at(one).schedule(waking=waking)[1] for one in self.more):
            return {}, _AT_WHICH_TIMES
        if self.minutes is not None:
            return {"repeat": "once", "in_minutes": self.minutes}, ""
        if given["repeat"] == "hourly":
            return {"from_time": "09:00", "to_time": "21:00", **given}, ""
        if self.near and hour in range(_NIGHT_ENDS if self.near == "tonight" else 1):
            given = {"repeat": "once", "in_days": 1}  # Midnight is where today ends.
        times = [(hour, self.minute), *((self._at(one).hour_of_day(waking=waking), one[1]) for one in self.more)]
        return {**given, "times": [f"{at:02}:{minute:02}" for at, minute in times]}, ""

    def _at(self, one: tuple[int, int, str]) -> "When":
        """The same with another of its times as the only one."""
        return replace(self, hour=one[0], minute=one[1], part=one[2] or self.part, more=())

    def _question(self, hour: int | None, *, is_hourly: bool) -> str:
        """What has to be asked first; empty where all is plain."""
        if self.trouble or self.minutes is not None or is_hourly:
            return self.trouble or ("" if self.minutes != 0 else _HOW_SOON)
        if self.hour is None:
            return _AT_WHAT_TIME
        if self.hour >= DAY_HOURS or self.minute >= HOUR_MINUTES:
            return WHAT_TIME
        if hour is None and self.more:
            return _AT_WHICH_TIMES
        said = f"{self.hour}:{self.minute:02}" if self.minute else f"{self.hour}"
        return f"In the morning or in the evening? Say {said}am or {said}pm." if hour is None else ""

    def hour_of_day(self, *, waking: bool) -> int | None:
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
            _EITHER: ((), hour),
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
    rest, every = _cut(rest, EVERY)
    days, trouble = (repeated(every) if every else {}), ""
    if not every and _FOR_DAYS.search(rest):
        days = {"repeat": "daily"}
    elif not every and (several := SEVERAL_DAYS.search(rest)):
        rest = joined(rest, *several.span())
        days, trouble = {"repeat": "weekly", "weekdays": re.findall(DAY, several["days"].lower())}, EVERY_WEEK
    if every:
        rest, days = _hours_of_day(rest, days)
    if days:
        rest, days, asked = bounds(rest, days, today)
        trouble = trouble or asked
    rest, at, zone = _times(rest)
    rest, within = _cut(rest, _WITHIN)
    rest, on, dated = _day_and_date(rest, every)
    if span and span["unit"].lower() not in {"day", "week"}:
        return rest, When(minutes=minutes_of(span["number"], span["unit"]))
    when = _days(span, days, dated, on, today)
    part = _part(within, every, on)
    when = replace(when, part=part, zone=zone, trouble=trouble or when.trouble)
    if not at:
        return rest, when
    hour, minute, half = at[0]
    return rest, replace(when, hour=hour, minute=minute, part=half or part, more=tuple(at[1:]))


def _days(
    span: re.Match[str] | None, days: dict[str, Any], dated: re.Match[str] | None, on: re.Match[str] | None, today: date
) -> When:
    if span:
        ahead = number(span["number"]) * (7 if span["unit"].lower() == "week" else 1)
        return When(days={"repeat": "once", "in_days": ahead}, trouble="" if ahead else WHICH_DAY)
    if days and dated and days["repeat"] in {"monthly", "yearly"}:
        day, trouble = day_named(dated, today)
        said = int(dated["day5"]) if dated["day5"] else None
        return When(trouble=trouble) if day is None else When(days=on_date(days, day, said))
    if days:
        return When(days=days)
    if dated:
        day, trouble = day_named(dated, today)
        if day is None:
            return When(trouble=trouble)
        return When(days={"repeat": "once", "date": day.isoformat()}, near="today" if day == today else "")
    return _on_day(on, today) if on else When()


def _times(sentence: str) -> tuple[str, list[tuple[int, int, str]], str]:
    """The sentence without its times, each of them as hour, minute and part, and the zone that was named."""
    found = next((one for one in _AT.finditer(sentence) if not _OF_A_THING.search(sentence[: one.start()])), None)
    if found is None:
        return sentence, [], ""
    begins, ends, times = found.start(), found.end(), [_time(found)]
    while (link := _AND.match(sentence, ends)) and (more := _AT.match(sentence, link.end())):
        ends = more.end()
        times.append(_time(more))
    if link and link[0].strip() and (bare := _BARE.match(sentence, link.end())):
        ends = bare.end()
        times.append((int(bare[0]), 0, _EITHER))
    zone, named = "", _ZONE.match(sentence, ends)
    if named and (known := zone_named(named["zone"])):
        zone, ends = known, named.end()
    rest = joined(sentence, begins, ends)
    if (again := _AND_AGAIN.search(rest)) and (more := _AT.match(rest, again.end())):
        times.append(_time(more))
        rest = joined(rest, again.start(), more.end())
    return rest, times, zone


def _hours_of_day(sentence: str, days: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Of what comes hourly: the sentence without the hours between which it comes."""
    rest, found = _cut(sentence, _BETWEEN) if days["repeat"] == "hourly" else (sentence, None)
    if found is None:
        return sentence, days
    first = _on_clock(found["from"], found["from_half"], after=0)
    last = _on_clock(found["to"], found["to_half"], after=first)
    if not first <= last < DAY_HOURS:
        return sentence, days
    begins, ends = f"{first:02}{found['from_minute'] or ':00'}", f"{last:02}{found['to_minute'] or ':00'}"
    return rest, {**days, "from_time": begins, "to_time": ends}


def _on_clock(hour: str, half: str | None, *, after: int) -> int:
    """The hour on the clock of 24; where no half of the day is said, the first such hour after another."""
    said = int(hour)
    if half:
        return said % NOON + (NOON if half.lower() == "pm" else 0)
    return said + NOON if said < after and said <= NOON else said


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


def minutes_of(count: str, unit: str) -> int:
    each = 60 if unit.lower() in {"hour", "hr", "h"} else 1
    return 30 if count.lower() == "half an" else number(count) * each


def _day_and_date(rest: str, every: re.Match[str] | None) -> tuple[str, re.Match[str] | None, re.Match[str] | None]:
    """The first day that is named counts; another one is part of what is to be done."""
    on, dated = (None if every else _ON.search(rest)), DATE.search(rest)
    if every and dated and not re.search("month|year", every[0], re.IGNORECASE):
        return rest, None, None
    if dated and (on is None or dated.start() <= on.start()):
        return joined(rest, *dated.span()), None, dated
    return (joined(rest, *on.span()), on, None) if on else (rest, None, None)


def _on_day(on: re.Match[str], today: date) -> When:
    if on["tomorrow"] or on["after"]:
        return When(days={"repeat": "once", "in_days": 2 if on["after"] else 1})
    if on["day"]:
        return When(days={"repeat": "once", "weekdays": [on["day"].lower()]})
    return When(days={"repeat": "once", "date": today.isoformat()}, near="tonight" if on["tonight"] else "today")


def _part(within: re.Match[str] | None, every: re.Match[str] | None, on: re.Match[str] | None) -> str:
    if within:
        said = (within["part"] or within["night"] or within["bare"]).lower().replace(".", "")
        return said.removesuffix("s")
    told = f"{every[0] if every else ''} {on[0] if on else ''}".lower()
    found = re.search(PART, told)
    return found[0] if found else ""


def _time(at: re.Match[str]) -> tuple[int, int, str]:
    """Hour and minute as they were said, and the half of the day where they tell it."""
    of_part = (at["of_part"] or at["of_night"] or "").lower()
    if at["word"]:
        return (NOON if at["word"].lower() == "noon" else 0), 0, "pm" if at["word"].lower() == "noon" else "am"
    said = at["hour"] or at["hour2"] or at["hour3"]
    hour, minute = int(said), int(at["minute"] or at["minute2"] or at["minute3"] or 0)
    half = (at["half"] or at["half2"] or "").lower()
    if of_part and not half:
        return hour, minute, of_part
    if half:
        return (hour, minute, f"{half}m") if 1 <= hour <= NOON else (DAY_HOURS, minute, "")
    if hour > NOON or hour == 0:
        return hour, minute, "pm" if NOON < hour < DAY_HOURS else "am" if hour == 0 else ""
    return hour, minute, "am" if said.startswith("0") else ""


def _cut(sentence: str, pattern: re.Pattern[str]) -> tuple[str, re.Match[str] | None]:
    """The sentence without what the pattern finds in it."""
    found = pattern.search(sentence)
    return (joined(sentence, *found.span()), found) if found else (sentence, None)
