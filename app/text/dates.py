"""Dates as people name them, `24 December`, `Dec 24th`, `24.12.`, `the 3rd`: the next such day, or what to ask."""

import calendar
import re
from datetime import date, timedelta

from app.clock import MONTHS, WEEKDAYS
from app.text.clock_words import NOON

MONTH = rf"(?:{'|'.join(MONTHS)}|{'|'.join(name[:3] for name in MONTHS)}|sept)"
DAY = rf"(?:{'|'.join(WEEKDAYS)})"
_LEAP_YEARS_APART = 8  # At most: 1900 and 2100 have no 29 February.

DATE = re.compile(
    rf"(?<!at )(?<!\d[.:/])\b(?:on )?(?:(?P<weekday>{DAY}),? )?(?:"
    r"(?:on )?(?P<iso>\d{4}-\d\d?-\d\d?)\b|"
    rf"(?:the )?(?P<day>\d\d?)(?:st|nd|rd|th)?(?: of)? (?P<month>{MONTH})\b\.?(?:,? (?P<year>\d{{4}})\b)?|"
    rf"(?P<month2>{MONTH})\.? (?:the )?(?P<day2>\d\d?)(?:st|nd|rd|th)?\b(?!:)(?:,? (?P<year2>\d{{4}})\b)?|"
    r"(?P<day3>\d\d?)\.(?P<month3>\d\d?)\.(?:(?P<year3>\d{4})\b)?,?|"
    r"(?P<slashed>\d\d?/\d\d?)(?:/(?P<year4>\d{4}))?\b|"
    r"the (?P<day5>\d\d?)(?:st|nd|rd|th)(?P<of> of (?:the|this|next) month|"
    r"(?: of)?(?=,? (?:at|to|about|that|in|around)\b|[ ,.]*$)))|"
    r"(?<!at )(?<![\d.:/])\b(?:on (?=\d+\.\d+\b)|(?=\d+\.\d+$))(?P<day6>\d\d?)\.(?P<month6>\d\d?)\b",
    re.IGNORECASE,
)

WHICH_DAY = "Which day do you mean? Say it as tomorrow, Friday or 24 December."


def month_name(day: date) -> str:
    return MONTHS[day.month - 1]


def day_named(dated: re.Match[str], today: date) -> tuple[date | None, str]:
    """The day that a match of `DATE` names, without a year the next such day; or None, and what to ask."""
    said = dated[0].strip(" ,").removeprefix("on ")
    given = {name: words for name, words in dated.groupdict().items() if words}
    if "iso" in given:
        year, month, day = (int(part) for part in given["iso"].split("-"))
    elif "slashed" in given:
        first, second = (int(part) for part in given["slashed"].split("/"))
        if max(first, second) <= NOON and first != second:
            return None, f"Which day is {said}? Write out the month, such as {first} {_titled(second)}."
        day, month = (first, second) if second <= NOON else (second, first)
        year = int(given.get("year4", 0))
    elif "day5" in given:
        return _of_month(int(given["day5"]), said, today, is_next="next" in given.get("of", ""))
    else:
        day = int(given.get("day") or given.get("day2") or given.get("day3") or given["day6"])
        name = given.get("month") or given.get("month2")
        month = int(given.get("month3") or given.get("month6") or 0) if name is None else _month(name)
        year = int(given.get("year") or given.get("year2") or given.get("year3") or 0)
    found = _next_date(year, month, day, today)
    if found is None:
        return None, f"There is no {said}. {WHICH_DAY}"
    if found < today:
        return None, f"The {said} is over already. {WHICH_DAY}"
    if given.get("weekday", WEEKDAYS[found.weekday()]).lower() != WEEKDAYS[found.weekday()]:
        return None, f"{found.day} {found:%B %Y} is a {found:%A}. {WHICH_DAY}"
    return found, ""


def next_weekday(name: str, today: date) -> date:
    """The next such day; today does not count."""
    return today + timedelta(days=(WEEKDAYS.index(name.lower()) - today.weekday() - 1) % 7 + 1)


def _month(name: str) -> int:
    return next(place for place, full in enumerate(MONTHS, 1) if full.startswith(name.lower()[:3]))


def _titled(month: int) -> str:
    return MONTHS[month - 1].title() if 1 <= month <= len(MONTHS) else "December"


def _of_month(day: int, said: str, today: date, *, is_next: bool) -> tuple[date | None, str]:
    """The next such day of a month: this one's, or the first that has it."""
    begins = today.replace(day=1)
    if is_next:
        begins = (begins + timedelta(days=31)).replace(day=1)
    for _ in range(len(MONTHS)):
        if day <= calendar.monthrange(begins.year, begins.month)[1] and day and begins.replace(day=day) >= today:
            return begins.replace(day=day), ""
        begins = (begins + timedelta(days=31)).replace(day=1)
        if is_next:
            break
    return None, f"There is no such day: {said}. {WHICH_DAY}"


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
