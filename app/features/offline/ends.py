"""Until when something lasts, as people say it: `until Friday`, `till 6pm`, `for two weeks`. Pure."""

import re
from dataclasses import dataclass, field
from datetime import date, timedelta

from app.clock import WEEKDAYS
from app.routines.repeats import COUNT
from app.routines.when import When, minutes_of, read_when
from app.text.clock_words import DAY_HOURS, number
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
_UNTIL = re.compile(r"(?:un?till?|'?till?|through) (?:(?:at|on) )?", re.IGNORECASE)
_FOR = re.compile(rf"for (?:the )?(?:next )?(?P<count>{_COUNT}) (?P<unit>{_OF_TIME})s?", re.IGNORECASE)
_OPEN = re.compile(
    r"(?:I|you|we)\b.+|further notice|later|then|(?:for )?(?:now|the moment|the time being)", re.IGNORECASE
)
_UNIT = re.compile(
    r"(?:(?:for|over|on|all|this) )?(?:the |this )?(?:next )?(?:(?:end|rest) of (?:the |this )?)?"
    r"(?P<unit>day|week|weekend|month)|today|tonight",
    re.IGNORECASE,
)
_TONIGHT = frozenset({"tonight", "this evening"})
_BARE_HOUR = re.compile(r"\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?", re.IGNORECASE)
_DAYS = {"day": 1, "night": 1, "week": 7, "month": 30}


@dataclass(frozen=True)
class End:
    """The day that is named, or the span; neither where it lasts until something else is said."""

    day: date | None = None
    minutes: int | None = None
    at: When = field(default_factory=When)
    """The hour of the day that is named, or of today, where one is."""


def read_end(words: str, today: date) -> End | None:
    """The end that the words name; None where they name none that is understood."""
    until = _UNTIL.match(words)
    said = words[until.end() :] if until else words
    if span := _FOR.fullmatch(words):
        return _after(span["count"].lower(), span["unit"].lower(), today)
    if _OPEN.fullmatch(said):
        return End()
    if until and said.lower() in _TONIGHT:
        return End(at=When(hour=18, part="pm"))
    if unit := _UNIT.fullmatch(said):
        return _over(unit["unit"] or "day", today, begins=until is not None and "end of" not in said)
    return _named(said, today) if until else None


def _after(count: str, unit: str, today: date) -> End:
    if unit in _DAYS:
        many = 3 if count == "a few" else 2 if count.startswith("a couple") else number(count)
        return End(today + timedelta(days=many * _DAYS[unit]))
    return End(minutes=minutes_of({"a few": "3", "a couple": "2", "a couple of": "2"}.get(count, count), unit))


def _over(unit: str, today: date, *, begins: bool) -> End:
    """When the day, the week, the weekend or the month is over; `until the weekend` ends where it begins."""
    match unit.lower():
        case "day":
            return End(today + timedelta(days=1))
        case "month":
            return End((today.replace(day=1) + timedelta(days=31)).replace(day=1))
        case "weekend" if begins:
            return End(next_weekday(WEEKDAYS[5], today))
        case _:
            return End(next_weekday(WEEKDAYS[0], today))


def _named(said: str, today: date) -> End | None:
    """The day or the hour that follows `until`."""
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
    if when.hour is not None:
        return End(day, at=when)
    return End(day) if day and day != today else None
