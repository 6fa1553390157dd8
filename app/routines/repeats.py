"""Repetition read from a sentence: how often, from when, until when, and not on which days."""

import re
from datetime import date, timedelta
from typing import Any

from app.clock import MONTHS, WEEKDAYS
from app.text.dates import DATE, DAY, NUMBERS, day_named, next_weekday, number

PART = r"morning|afternoon|evening|night"
PART_HERE = rf"(?:{PART})"
DAYS = rf"{DAY}s?(?:(?:,? and |, ?| & ){DAY}s?)*"
COUNT = rf"(?:\d{{1,3}}|{'|'.join(NUMBERS)})"
_OF_MONTH = (
    r"(?:(?:every|each) (?=[\w ,]{3,40} of the month\b)|(?:the )?(?=[\w ,]{3,40} of (?:every|each) month\b))"
    rf"(?:(?P<nth>first|1st|second|2nd|third|3rd|fourth|4th|last) (?P<nth_day>{DAY}|day)|"
    r"(?P<first>first)|(?P<numbers>\d\d?(?:st|nd|rd|th)(?:(?:,| and|, and) (?:the )?\d\d?(?:st|nd|rd|th))*)) "
    r"of (?:the|every|each) month"
)

EVERY = re.compile(
    rf"\b(?:on )?(?:{_OF_MONTH}|(?:every|each) (?P<other>other |second |2nd )?"
    rf"(?P<unit>(?:day|weekday|weekend|{DAYS})(?: {PART_HERE})?|week(?: on {DAYS})?|month|year|hour|{PART_HERE})|"
    rf"every (?P<apart>{COUNT}) (?P<units>(?:hour|day|month|year)s|weeks(?: on {DAYS})?)|"
    rf"(?P<twice>biweekly|fortnightly)(?: on {DAYS})?|(?P<daily>daily|weekly|monthly|hourly|yearly)|"
    rf"(?P<plural>weekdays|weekends|{DAY}s(?:(?:,? and |, ?| & ){DAY}s)*))\b",
    re.IGNORECASE,
)
SEVERAL_DAYS = re.compile(rf"\b(?:on )?(?P<days>{DAY}(?:(?:,? and |, ?| & ){DAY})+)\b", re.IGNORECASE)
EVERY_WEEK = 'Every week? Then text "every week". If it is only this once, send me each day by itself.'
_WHOSE_HOLIDAYS = 'Whose holidays? Send it once more with the country, such as "not on holidays in DE".'

_UNTIL = re.compile(r",? ?\b(?:until|till)(?: and including)? (?:next )?", re.IGNORECASE)
_FROM = re.compile(r",? ?\b(?:starting|beginning|from)(?: on| from)? (?:next )?(?:this )?", re.IGNORECASE)
_EXCEPT = re.compile(
    rf",? ?\b(?:but )?(?:except|excluding|not|but|apart from)(?: for)?(?: on)? (?:the )?"
    rf"(?P<days>weekends?|weekdays?|{DAYS})\b",
    re.IGNORECASE,
)
_HOLIDAYS = re.compile(
    r",? ?\b(?:but )?(?:except|not)(?: on)? (?:public |bank |national )?holidays"
    r"(?: in (?P<country>[A-Za-z]{2}(?:-[A-Za-z]{2,3})?))?\b",
    re.IGNORECASE,
)
_FOR = re.compile(
    rf",? ?\bfor (?:the )?(?:next )?(?P<number>{COUNT}) (?P<unit>day|week)s?\b(?= *$| at\b| to\b)", re.IGNORECASE
)
_NEAR_DAY = re.compile(rf"(?P<day>{DAY})\b(?!,? \d)|tomorrow\b", re.IGNORECASE)
_TOO_MANY_DAYS = 366
_ORDER = {"1st": "first", "2nd": "second", "3rd": "third", "4th": "fourth"}


def repeated(every: re.Match[str]) -> dict[str, Any]:
    """The tool's fields for a match of `EVERY`."""
    if every["nth"]:
        return _of_each_month(every["nth"].lower(), every["nth_day"].lower())
    if every["first"] or every["numbers"]:
        return {"repeat": "monthly", "days_of_month": [int(day) for day in re.findall(r"\d+", every["numbers"] or "1")]}
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


def on_date(days: dict[str, Any], day: date, said: int | None) -> dict[str, Any]:
    """The fields of what comes each month or year, on the day that was named; `said` is its number, of a month."""
    if days["repeat"] == "monthly":
        return {**days, "days_of_month": [said or day.day]}
    return {**days, "month": MONTHS[day.month - 1], "days_of_month": [day.day]}


def bounds(sentence: str, days: dict[str, Any], today: date) -> tuple[str, dict[str, Any], str]:
    """Of what repeats: the sentence without its first and last days and those left out, its fields, what to ask."""
    trouble = ""
    if found := _HOLIDAYS.search(sentence):
        sentence = joined(sentence, *found.span())
        trouble = "" if found["country"] else _WHOSE_HOLIDAYS
        days = {**days, "not_on_holidays": (found["country"] or "").upper()}
    if (found := _EXCEPT.search(sentence)) and (left := _left(days, found["days"].lower())):
        sentence, days = joined(sentence, *found.span()), {**days, "repeat": "weekly", "weekdays": left}
    for field, word in (("until", _UNTIL), ("date", _FROM)):
        if found := word.search(sentence):
            day, ends, asked = _day_at(sentence, found.end(), today)
            if ends:
                sentence, trouble = joined(sentence, found.start(), ends), trouble or asked
                days = {**days, field: day.isoformat()} if day else days
    if (found := _FOR.search(sentence)) and (count := _count(days, number(found["number"]), found["unit"].lower())):
        sentence, days = joined(sentence, *found.span()), {**days, "count": count}
    return sentence, days, trouble


def _of_each_month(nth: str, day: str) -> dict[str, Any]:
    nth = _ORDER.get(nth, nth)
    if day == "day":
        numbered = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 31}
        return {"repeat": "monthly", "days_of_month": [numbered[nth]]}
    return {"repeat": "monthly", "nth": [nth], "weekdays": [day]}


def joined(sentence: str, begins: int, ends: int) -> str:
    """The sentence without what stands between the two places."""
    return re.sub(r"\s{2,}", " ", f"{sentence[:begins].rstrip()} {sentence[ends:].lstrip()}").strip()


def _left(days: dict[str, Any], said: str) -> list[str]:
    """The weekdays on which it still comes."""
    if days["repeat"] not in {"daily", "weekly"} or days.get("every", 1) > 1:
        return []
    kinds = {"weekend": WEEKDAYS[5:], "weekday": WEEKDAYS[:5]}
    out = kinds.get(said.rstrip("s")) or re.findall(DAY, said)
    return [day for day in days.get("weekdays", WEEKDAYS) if day not in out]


def _day_at(sentence: str, begins: int, today: date) -> tuple[date | None, int, str]:
    """The day that stands there, where it ends, and what to ask; it ends nowhere if none stands there."""
    if found := _NEAR_DAY.match(sentence, begins):
        return next_weekday(found["day"], today) if found["day"] else today + timedelta(days=1), found.end(), ""
    if found := DATE.match(sentence, begins):
        day, asked = day_named(found, today)
        return day, found.end(), asked
    return None, 0, ""


def _count(days: dict[str, Any], said: int, unit: str) -> int:
    """On how many days it comes in all; 0 where that is not plain."""
    a_week = {"daily": 7, "weekly": len(days.get("weekdays", ()))}.get(days["repeat"], 0)
    a_unit = a_week if unit == "week" else int(days["repeat"] == "daily")
    count = said * a_unit if days.get("every", 1) == 1 else 0
    return count if count <= _TOO_MANY_DAYS else 0
