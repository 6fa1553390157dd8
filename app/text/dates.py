"""Days and times as people text them, for `when` to read: `24 Dec`, `the 3rd`, `tmrw`, `half past 7`."""

import calendar
import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta

from app.clock import MONTHS, WEEKDAYS

NUMBERS = dict(zip("one two three four five six seven eight nine ten eleven twelve".split(), range(1, 13), strict=True))
NUMBERS |= {"a": 1, "an": 1, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "half an": 0}
DAY_HOURS, HOUR_MINUTES, NOON = 24, 60, 12
WHICH_DAY = "Which day do you mean? Say it as tomorrow, Friday or 24 December."
_LEAP_YEARS_APART = 8  # At most: 1900 and 2100 have no 29 February.

MONTH = rf"(?:{'|'.join(MONTHS)}|{'|'.join(name[:3] for name in MONTHS)}|sept)"
DAY = rf"(?:{'|'.join(WEEKDAYS)})"
DATE = re.compile(
    rf"(?<!at )(?<!\d[.:/])\b(?:on )?(?:(?P<weekday>{DAY}),? )?(?:"
    r"(?:on )?(?P<iso>\d{4}-\d\d?-\d\d?)\b|"
    rf"(?:the )?(?P<day>\d\d?)(?:st|nd|rd|th)?(?: of)? (?P<month>{MONTH})\b\.?(?:,? (?P<year>\d{{4}})\b)?|"
    rf"(?P<month2>{MONTH})\.? (?:the )?(?P<day2>\d\d?)(?:st|nd|rd|th)?\b(?!:)(?:,? (?P<year2>\d{{4}})\b)?|"
    r"(?P<day3>\d\d?)\.(?P<month3>\d\d?)\.(?:(?P<year3>\d{4})\b)?,?|(?P<slashed>\d\d?/\d\d?)(?:/(?P<year4>\d{4}))?\b|"
    r"the (?P<day5>\d\d?)(?:st|nd|rd|th)(?P<of> of (?:the|this|next) month|(?: of)?(?=,? (?:at|to|about|that|in|"
    r"around)\b|[ ,.]*$)))|(?<!at )(?<![\d.:/])\b(?:on (?=\d+\.\d+\b)|"
    r"(?=\d+\.\d+$))(?P<day6>\d\d?)\.(?P<month6>\d\d?)\b",
    re.IGNORECASE,
)

_NUMBER = rf"(?:\d{{1,3}}|{'|'.join(NUMBERS)})"
_HOUR = rf"(?:{'|'.join(word for word, hour in NUMBERS.items() if len(word) > len('an') and 1 <= hour <= NOON)})"
_HOURS, _MINUTES = r"(?:hours?|hrs?|h)", r"(?:minutes?|mins?|m)"


def number(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS[word.lower()]


def day_named(dated: re.Match[str], today: date) -> tuple[date | None, str]:
    """The day that a match of `DATE` names, without a year the next such day; or None, and what to ask."""
    said = dated[0].strip(" ,").removeprefix("on ")
    given = {name.rstrip("23456"): words for name, words in dated.groupdict().items() if words}
    if dated["day5"]:
        return _of_month(int(dated["day5"]), said, today, is_next="next" in given.get("of", ""))
    if "iso" in given:
        year, month, day = (int(part) for part in given["iso"].split("-"))
    elif "slashed" in given:
        first, second = (int(part) for part in given["slashed"].split("/"))
        if max(first, second) <= NOON and first != second:
            titled = MONTHS[second - 1].title() if second else "December"
            return None, f"Which day is {said}? Write out the month, such as {first} {titled}."
        day, month = (first, second) if second <= NOON else (second, first)
        year = int(given.get("year", 0))
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


def next_weekday(name: str, today: date) -> date:
    """The next such day; today does not count."""
    return today + timedelta(days=(WEEKDAYS.index(name.lower()) - today.weekday() - 1) % 7 + 1)


def _of_month(day: int, said: str, today: date, *, is_next: bool) -> tuple[date | None, str]:
    """The next such day of a month: this one's, or the first that has it."""
    begins = today.replace(day=1)
    if is_next:
        begins = (begins + timedelta(days=31)).replace(day=1)
    for _ in range(1 if is_next else len(MONTHS)):
        if 0 < day <= calendar.monthrange(begins.year, begins.month)[1] and begins.replace(day=day) >= today:
            return begins.replace(day=day), ""
        begins = (begins + timedelta(days=31)).replace(day=1)
    return None, f"There is no such day: {said}. {WHICH_DAY}"


def _next_date(year: int, month: int, day: int, today: date) -> date | None:
    """None where no calendar has it."""
    found = None
    for one in [year] if year else range(today.year, today.year + _LEAP_YEARS_APART + 1):
        try:
            found = date(one, month, day)
        except ValueError:
            continue
        if found >= today:
            break
    return found


def plainly(sentence: str) -> str:
    """The sentence with its times as `when` reads them; all else in it stays as it is."""
    for pattern, meant in _FORMS:
        sentence = pattern.sub(meant, sentence)
    return sentence


def _half_past(found: re.Match[str]) -> str:
    hour, before = int(found["hour"]), found["side"].lower() == "to"
    minute = 30 if found["part"].lower() == "half" else 45 if before else 15
    hour = (hour - 2) % NOON + 1 if before and hour <= NOON else hour
    return f"{hour}:{minute:02}"


def _hour_in_words(found: re.Match[str]) -> str:
    return f"at {NUMBERS[found['hour'].lower()]}{':30' if found['half'] else ''}"


def _of_four_digits(found: re.Match[str]) -> str:
    hour, minute = int(found[1]), int(found[2])
    return f"at {hour:02}:{minute:02}" if hour < DAY_HOURS and minute < HOUR_MINUTES else found[0]


def _span(found: re.Match[str]) -> str:
    half = HOUR_MINUTES // 2 if found["half"] or found["half2"] or found["tenth"] else 0
    minutes = half + (number(found["minutes"]) if found["minutes"] else 0)
    return f"in {number(found['hours']) * HOUR_MINUTES + minutes} minutes"


def _whole_day(found: re.Match[str]) -> str:
    return next(day for day in WEEKDAYS if day.startswith(found[1].lower()[:3]))


def _days_between(found: re.Match[str]) -> str:
    first, last = (WEEKDAYS.index(found[side].lower()) for side in ("first", "last"))
    return ", ".join(WEEKDAYS[(first + ahead) % 7] for ahead in range((last - first) % 7 + 1))


_LONG_SPAN = (
    rf"\bin (?!half)(?P<hours>{_NUMBER})(?:(?P<half2> and a half)|(?P<tenth>[.,]5))? ?{_HOURS}"
    rf"(?:(?P<half> and a half)|,?(?: and)? ?(?P<minutes>\d{{1,2}})(?: ?{_MINUTES})?)?\b"
)
_WEEKEND_DAY = (
    r"(?:(?<=\bon )|(?<=\bme )|(?<=every )|(?<=each )|(?<=next )|(?<=this )|(?<=day )|(?<=day, )|(?<=day,)|"
    r"(?<=day and )|(?<=day-)|(?<=day - )|(?<=day/)|(?<=day & )|(?<=day to )|(?<=through ))(sat|sun)\b"
)
"""Where nothing but a day can stand: people have fun in the sun."""
_FROM_DAY_TO_DAY = (
    rf"(?:(?<=me )|(?<=every )|(?<=each )|^)(?:from )?(?P<first>{DAY})(?: ?- ?| to | till? | through | thru )"
    rf"(?P<last>{DAY})\b"
)
_FORMS: Sequence[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = [
    (re.compile(pattern, re.IGNORECASE), meant)
    for pattern, meant in (
        (r"\b(?:tmrw|tmr|tmw|tmrow|2moro|2morrow|tomm?or+ow|tomm?or+w|tomm?or+o)\b", "tomorrow"),
        (r"\btonite\b", "tonight"),
        (r"\b(?:rmind|remid|remnd|remimd|reming) me\b", "remind me"),
        (r"\bremind me 2 (?=[a-z])", "remind me to "),
        (r"\bdo not let me forget\b|\bI need (?:a reminder|to be reminded|reminding)\b", "remind me"),
        (r"^((?:(?:can|could|would|will) (?:you|u) )?(?:please )?)(?:ping|nudge|alert|buzz) me\b", r"\1remind me"),
        (r"\bset (?:me )?a timer for\b", "set a timer in"),
        (r" ?@ ?(?=\d)", " at "),
        (r"\b(?P<part>half|quarter) (?P<side>past|to) (?P<hour>\d{1,2})\b", _half_past),
        (r"\bat (\d\d)(\d\d)\b(?! ?[ap]\.?m)", _of_four_digits),
        (r"\bat (\d{1,2})h\b", r"at \1:00"),
        (r"\bat (\d{1,2})h(\d\d)\b", r"at \1:\2"),
        (r"(?<=\d)ish\b", ""),
        (rf"\b(?:at|around) (?P<hour>{_HOUR})(?P<half> thirty)?\b(?! ?(?:minute|hour|of))", _hour_in_words),
        (_LONG_SPAN, _span),
        (r"\b(mon|tues?|weds?|thur?s?|fri)\b\.?", _whole_day),
        (_WEEKEND_DAY, _whole_day),
        (_FROM_DAY_TO_DAY, _days_between),
        (rf"(?<=day)(?: ?/ ?| ?, ?and | )(?={DAY}\b)", ", "),
    )
]
