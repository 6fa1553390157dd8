"""The days that a question names, and how a day is said to the person."""

import calendar
import re
from datetime import date, timedelta

from app.clients.offline.words import MONTHS, WEEKDAYS

_MONTHS = "january february march april may june july august september october november december".split()
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_UNITS = {"day": 1, "week": 7, "month": 30, "year": 365}
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}

_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})"
_NAMED = re.compile(
    r"\b(?:(?P<before>the night before last|(?:the )?day before yesterday)|"
    r"(?P<today>today|this (?:morning|afternoon|evening)|tonight)|"
    r"(?P<yesterday>yesterday(?: (?:morning|noon|afternoon|evening|night))?|last night)|"
    rf"(?:on |(?P<a_week_back>last )|this )?(?P<weekday>{'|'.join(_WEEKDAYS)})"
    r"(?: (?:morning|afternoon|evening|night))?|"
    rf"(?:on )?(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}|"
    rf"(?:on )?{_MONTH.replace('month', 'month2')} (?:the )?(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b|"
    rf"(?:in|last|this|during) {_MONTH.replace('month', 'month3')}(?: (?P<year>(?:19|20)\d\d))?|"
    rf"on the (?P<number>\d{{1,2}})(?:st|nd|rd|th)(?! (?:of|{'|'.join(_MONTHS)}))|"
    r"(?P<span>last|this|the (?:last|past)) (?P<unit>week|weekend|month|year)|"
    r"the (?P<earlier>week|weekend|month|year) before last|"
    rf"(?P<count>\d{{1,3}}|{'|'.join(_COUNTS)}) (?P<units>day|week|month|year)s? ago)\b",
    re.IGNORECASE,
)
_SHORT = [month[:3] for month in _MONTHS]
_WRITTEN = re.compile(rf"\b(?P<day>\d{{1,2}}) (?P<month>{'|'.join(_SHORT)})[a-z]* (?P<year>\d{{4}})\b", re.IGNORECASE)
TIME_WORDS = (
    WEEKDAYS
    | MONTHS
    | frozenset(
        "today yesterday tonight last this past ago week weekend month year day days weeks months years morning "
        "afternoon evening night before earlier recently lately once time".split()
    )
)


def phrase(question: str) -> str:
    """The words of a question that name its days, whole: `in January`; empty where it names none."""
    found = _NAMED.search(question)
    return found[0] if found else ""


def after(words: str) -> str | None:
    """What follows the day with which the words begin; None where they begin otherwise."""
    found = _NAMED.match(words)
    return words[found.end() :] if found else None


def span(question: str, today: date) -> tuple[date, date] | None:
    """The first and the last day that a question about the past names; without a year, the latest that has begun."""
    found = _NAMED.search(question)
    if found is None:
        return None
    said = {name: words.lower() for name, words in found.groupdict().items() if words}
    try:
        return _meant(said, today)
    except (ValueError, OverflowError):  # 31 June, or thousands of years ago.
        return None


def _meant(said: dict[str, str], today: date) -> tuple[date, date]:
    if "month3" in said:
        return _month(_MONTHS.index(said["month3"]) + 1, int(said["year"]) if "year" in said else None, today)
    if "span" in said:
        return _stretch(said["unit"], today, 0 if said["span"] == "this" else 1)
    if "earlier" in said:
        return _stretch(said["earlier"], today, 2)
    if "units" in said:
        day = today - timedelta((_COUNTS.get(said["count"]) or int(said["count"])) * _UNITS[said["units"]])
        around = timedelta(_UNITS[said["units"]] // 2)
        return day - around, min(day + around, today)
    day = _day(said, today)
    return day, day


def _day(said: dict[str, str], today: date) -> date:
    if "today" in said or "yesterday" in said:
        return today - timedelta("yesterday" in said)
    if "before" in said:
        return today - timedelta(2)
    if "weekday" in said:
        back = (today.weekday() - _WEEKDAYS.index(said["weekday"])) % 7
        return today - timedelta(back or (7 if "a_week_back" in said else 0))
    if "number" in said:
        number = int(said["number"])
        return (today if number <= today.day else today.replace(day=1) - timedelta(1)).replace(day=number)
    month, number = said.get("month") or said["month2"], int(said.get("day") or said["day2"])
    day = date(today.year, _MONTHS.index(month) + 1, number)
    return day if day <= today else day.replace(year=today.year - 1)


def _month(month: int, year: int | None, today: date) -> tuple[date, date]:
    year = year or today.year - (date(today.year, month, 1) > today)
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


def _stretch(unit: str, today: date, back: int) -> tuple[date, date]:
    """The week, weekend, month or year that was so many before this one."""
    if unit == "year":
        return date(today.year - back, 1, 1), date(today.year - back, 12, 31)
    if unit == "month":
        months = today.year * 12 + today.month - 1 - back
        return _month(months % 12 + 1, months // 12, today)
    monday = today - timedelta(today.weekday() + 7 * back)
    return (monday + timedelta(5) if unit == "weekend" else monday), monday + timedelta(6)


def names_one_of(words: str, between: tuple[date, date]) -> bool:
    """Whether the words write out a day between the two: `18 November 2026`, `18 Nov 2026`."""
    for found in _WRITTEN.finditer(words):
        try:
            day = date(int(found["year"]), _SHORT.index(found["month"].lower()) + 1, int(found["day"]))
        except ValueError:
            continue
        if between[0] <= day <= between[1]:
            return True
    return False


def spoken(day: date, today: date | None) -> str:
    """`today`, `yesterday`, `on 3 November`; with the year where it is another."""
    if today is not None and day == today:
        return "today"
    if today is not None and day == today - timedelta(1):
        return "yesterday"
    year = "" if today is not None and day.year == today.year else f" {day.year}"
    return f"on {day.day} {day:%B}{year}"
