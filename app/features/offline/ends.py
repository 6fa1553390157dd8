"""Until when something lasts, as people say it: `until Friday`, `till 6pm`, `for two weeks`. Pure."""

import calendar
import re
from dataclasses import dataclass, field
from datetime import date, timedelta

from app.routines.repeats import COUNT
from app.routines.when import When, minutes_of, read_when
from app.text.clock_words import DAY_HOURS, WEEKDAYS, number
from app.text.dates import next_weekday

_COUNT = rf"(?:{COUNT}|a few|a couple(?: of)?)"
_OF_TIME = r"(?:minute|min|hour|hr|day|night|week|month)"
END = (
    r"(?:un?till?|'?till?|through) .+|"
    rf"for (?:the )?(?:next |rest of (?:the |this )?)?(?:{_COUNT} {_OF_TIME}s?|"
    r"day|week|weekend|month|night|evening|moment|time being|now)|"
    r"(?:this|over the|on the|all) (?:day|week|weekend|month)|today|tonight"
)
"""What may follow what is to last, as one piece."""
_UNTIL = re.compile(r"(?:un?till?|'?till?|through) (?P<until>.+)", re.IGNORECASE)
_FOR = re.compile(rf"for (?:the )?(?:next )?(?P<count>{_COUNT}) (?P<unit>{_OF_TIME})s?", re.IGNORECASE)
_OPEN = re.compile(r"(?:I|you|we)\b.+|further notice|later|then|for (?:now|the moment|the time being)", re.IGNORECASE)
_UNIT = re.compile(
    r"(?:the |this |next )?(?:(?:end|rest) of (?:the |this )?)?(?P<unit>day|week|weekend|month)|today|tonight",
    re.IGNORECASE,
)
_BARE_HOUR = re.compile(r"\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?", re.IGNORECASE)
_KINDLY = re.compile(r"(?:,? (?:please|thanks|thank you))+$", re.IGNORECASE)
_OF_PART = {"afternoon": 12, "evening": 18, "night": 18}
_FEW = 3
_WEEK = 7


@dataclass(frozen=True)
class End:
    """The day that is named, or the span; neither where it lasts until something else is said."""

    day: date | None = None
    minutes: int | None = None
    at: When = field(default_factory=When)
    """The hour of the day that is named, or of today, where one is."""


def read_end(words: str, today: date) -> End | None:
    """The end that the words name; None where they name none that is understood."""
    words = _KINDLY.sub("", words.strip(" ,.!"))
    if span := _FOR.fullmatch(words):
        return _after(span["count"].lower(), span["unit"].lower(), today)
    until = _UNTIL.fullmatch(words)
    said = until["until"] if until else words
    if _OPEN.fullmatch(said):
        return End()
    if until and said.lower() in {"tonight", "this evening"}:
        return _named("this evening", today)
    if unit := _UNIT.fullmatch(re.sub(r"^(?:for|over|on|all|this) (?:the |this )?", "", said, flags=re.IGNORECASE)):
        is_next = said.lower().startswith(("next", "the next"))
        return _of_unit((unit["unit"] or "day").lower(), today, is_next=is_next or "weekend" not in said or not until)
    return _named(said, today) if until else None


def _after(count: str, unit: str, today: date) -> End:
    many = _FEW if count == "a few" else 2 if count.startswith("a couple") else number(count)
    match unit:
        case "minute" | "min" | "hour" | "hr":
            return End(minutes=30 if count == "half an" else minutes_of(str(many), unit))
        case "month":
            month = today.month - 1 + many
            year, month = today.year + month // len(calendar.month_abbr[1:]), month % len(calendar.month_abbr[1:]) + 1
            return End(today.replace(year=year, month=month, day=min(today.day, calendar.monthrange(year, month)[1])))
        case _:
            return End(today + timedelta(days=many * (_WEEK if unit == "week" else 1)))


def _of_unit(unit: str, today: date, *, is_next: bool) -> End:
    """When the day, the week, the weekend or the month is over; `until the weekend` ends where it begins."""
    if unit == "day":
        return End(today + timedelta(days=1))
    if unit == "month":
        return End((today.replace(day=1) + timedelta(days=31)).replace(day=1))
    return End(next_weekday(WEEKDAYS[0] if unit == "week" or is_next else WEEKDAYS[5], today))


def _named(said: str, today: date) -> End | None:
    """The day or the hour that follows `until`."""
    said = re.sub(r"^(?:at|on) ", "", said)
    bare = f"at {said}" if _BARE_HOUR.fullmatch(said) else said
    rest, when = read_when(bare if re.match(r"at |noon|midnight", bare) else f"on {bare}", today)
    is_over = when.minutes or when.trouble or (when.hour or 0) >= DAY_HOURS
    if not when or is_over or rest.strip(" ,.").lower() not in {"", "on", "at", "next", "the"}:
        return None
    day = None
    if "weekdays" in when.days:
        day = next_weekday(when.days["weekdays"][0], today)
    elif "in_days" in when.days:
        day = today + timedelta(days=when.days["in_days"])
    elif "date" in when.days:
        day = date.fromisoformat(when.days["date"])
    if when.hour is None and (day is None or day == today):
        return End(at=When(hour=_OF_PART[when.part], part="pm")) if when.part in _OF_PART else None
    return End(day, at=when) if when.hour is not None else End(day)
