"""Wishes for what is to come by itself, read from a text: when, and what. Pure; dates are left to the tool."""

import re
from dataclasses import dataclass, field
from typing import Any

from app.clients.offline.sentences import sentences, tidy

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = rf"(?:{'|'.join(WEEKDAYS)})"
_DAYS = rf"{_DAY}s?(?:(?:,? and |, ?| & ){_DAY}s?)*"
_PART = r"morning|afternoon|evening|night"
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10, "half an": 0}
_MINUTES = {"minute": 1, "min": 1, "hour": 60, "hr": 60}
_LAST_MORNING_HOUR = 11
NOON = 12
TEXT_ME = "Text me "
"""How an instruction begins, in the person's own words."""

_WHICH_COUNTRY = 'Whose holidays? Name the country by its two letters, such as "not on holidays in DE".'

_SPAN = re.compile(
    rf"\bin (?P<number>\d{{1,4}}|{'|'.join(_NUMBERS)}) ?(?P<unit>minute|min|hour|hr|day|week|h|m)s?\b", re.IGNORECASE
)
_EVERY = re.compile(
    rf"\b(?:(?:every|each) (?P<other>other |second |2nd )?"
    rf"(?P<unit>day|weekday|weekend|week|month|hour|{_PART}|{_DAYS})|"
    rf"(?P<daily>daily|weekly|hourly)|on (?P<plural>weekdays|weekends))\b",
    re.IGNORECASE,
)
_TOO_OFTEN = re.compile(r"\b(?:every|each) (?:\d+ |few |other |couple of )?(?:minute|second)s?\b", re.IGNORECASE)
_ON = re.compile(
    rf"\b(?:(?P<tomorrow>tomorrow)(?: (?P<part>{_PART}))?|(?P<tonight>tonight)|today|this (?P<this>{_PART})|"
    rf"(?:on |this |next )?(?P<day>{_DAY}))\b",
    re.IGNORECASE,
)
_WITHIN = re.compile(rf"\b(?:in the (?P<part>{_PART})s?|at (?P<night>night))\b", re.IGNORECASE)
_AT = re.compile(
    r"\b(?:(?:at|around) (?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?(?: ?(?P<half>[ap])\.?m\b\.?)?(?: o['’]?clock)?|"
    r"(?P<hour2>\d{1,2})(?::(?P<minute2>\d\d))? ?(?P<half2>[ap])\.?m\b\.?|(?P<hour3>\d{1,2}):(?P<minute3>\d\d)|"
    r"(?:at )?(?P<word>noon|midnight))",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:(?:hey|hi|ok|okay|and|also)[ ,]+)*(?:(?:can|could|would|will) you )?(?:please )?"
    r"(?:(?P<remind>remind me(?: again)?|set (?:me )?a reminder|wake me(?: up)?|(?:text|tell|message) me(?= to\b))|"
    r"(?P<text>(?:text|send|tell|message) me))\b[ ,:]*(?:please )?"
    r"(?:(?:to|about|that|of|for)\b)?[ ,:]*(?P<what>.*?)[ ,.!]*",
    re.IGNORECASE,
)
_TO_DO = re.compile(r"\b(?:remind me(?: again)?|reminder|wake me(?: up)?)(?: to\b|$)", re.IGNORECASE)
_LISTS = re.compile(
    r"(?:(?:what are|show(?: me)?|list|tell me|what) )?(?:all )?(?:of )?my (?:reminders|routines|alarms)|"
    r"what (?:reminders|routines) (?:do i have|are there)|what is scheduled",
    re.IGNORECASE,
)
_STOPS = re.compile(
    r"(?:please )?(?:stop (?:texting me |sending me |reminding me (?:to |about |of )?)?|cancel |delete |remove |drop )"
    r"(?P<what>.+)",
    re.IGNORECASE,
)
_OF_ROUTINES = re.compile(
    r"\b(?:texts?|messages?|reminders?|routines?|alarms?|briefings?)\b|^stop (?:text|send|remind)", re.IGNORECASE
)
_SNOOZES = re.compile(
    r"(?:please )?(?:snooze|remind me again)(?: (?:it|that|this))?(?: for| in)? "
    r"(?P<number>\d{1,4}|a|an|one|two|three|half an) ?(?P<unit>minute|min|hour|hr|h|m)s?",
    re.IGNORECASE,
)
_THIS = r"(?:it|that|this|this one|that one)"
_ALREADY = re.compile(
    rf"(?:(?:ok|okay|yes|great|thanks),? )?(?:i(?: am|'m|'ve| have)? )?(?:all |just |already )*"
    rf"(?:done|(?:did|finished|took|taken|called)(?: {_THIS}| them)?)(?:,? (?:already|now|thanks|thank you))*",
    re.IGNORECASE,
)
_SKIPS = re.compile(
    rf"(?:please )?(?:(?:skip|leave out)(?: (?:the |my )?next(?: one| time)?)?|not)(?: {_THIS})?"
    rf"(?: (?P<day>today|tomorrow|{_DAY})(?:['’]s)?)?(?: (?:the |my )?(?P<what>(?!on\b|for\b)"
    r"(?:(?!\b(?:is|are|was)\b).)+?))??"
    rf"(?:,? (?:(?:on|for) )?(?P<day2>today|tomorrow|{_DAY}))?",
    re.IGNORECASE,
)
_HOLDS = re.compile(
    rf"(?:please )?(?P<hold>pause)(?: (?:{_THIS}|(?:the |my )?(?P<what>.+)))?|"
    rf"(?:please )?(?P<resume>resume|unpause|restart)(?: (?:{_THIS}|(?:the |my )?(?P<what2>.+)))?",
    re.IGNORECASE,
)
_HOLIDAYS = re.compile(
    r"(?:please )?(?:but )?not on (?:public |bank |national )?holidays"
    r"(?: in (?P<country>[A-Za-z]{2}(?:-[A-Za-z]{2,3})?))?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Wish:
    """One thing that the person wants of what comes by itself."""

    kind: str
    """`set`, `list`, `stop`; `done`, `skip`, `snooze`, `pause`, `resume` or `change` one that is there; or `unclear`: a
    question has to be asked first."""
    does: str = "remind"
    words: str = ""
    """What to remind of or to do; which one is meant, empty for the one that spoke last."""
    schedule: dict[str, Any] = field(default_factory=dict)
    minutes: int = 0
    day: str = ""
    """`today`, `tomorrow` or a weekday, of what is to be left out."""
    country: str = ""
    question: str = ""


def wishes(text: str) -> tuple[list[Wish], str]:
    """What the text wants, and what else it says."""
    found, rest = [], []
    for sentence in sentences(tidy(text)):
        wish = _wish(sentence.text.strip(" .!?"))
        found += [wish] if wish else []
        rest += [] if wish else [sentence.text]
    return (found, " ".join(rest)) if found else ([], text)


def _wish(sentence: str) -> Wish | None:
    if _LISTS.fullmatch(sentence):
        return Wish("list")
    stop = _STOPS.fullmatch(sentence)
    if stop and _OF_ROUTINES.search(sentence):
        return Wish("stop", words=stop["what"])
    return _about_one(sentence) or _to_set(sentence)


def _about_one(sentence: str) -> Wish | None:
    """What is wished of one that is there already."""
    if snooze := _SNOOZES.fullmatch(sentence):
        return Wish("snooze", minutes=_minutes(snooze["number"], snooze["unit"]))
    if _ALREADY.fullmatch(sentence):
        return Wish("done")
    if holidays := _HOLIDAYS.fullmatch(sentence):
        return Wish("change", country=(holidays["country"] or "").upper(), question=_WHICH_COUNTRY)
    skip = _SKIPS.fullmatch(sentence)
    if skip and (re.match("(?:please )?(?:skip|leave)", sentence, re.IGNORECASE) or (skip["day"] and not skip["what"])):
        return Wish("skip", words=skip["what"] or "", day=(skip["day"] or skip["day2"] or "").lower())
    hold = _HOLDS.fullmatch(sentence)
    if hold:
        return Wish("pause" if hold["hold"] else "resume", words=hold["what"] or hold["what2"] or "")
    return None


def _to_set(sentence: str) -> Wish | None:
    rest, span = _cut(sentence, _SPAN)
    rest, every = _cut(rest, _EVERY)
    rest, within = _cut(rest, _WITHIN)
    rest, at = _cut(rest, _AT)
    rest, on = _cut(rest, _ON) if not every else (rest, None)
    asks = _ASKS.fullmatch(rest.strip(" ,"))
    if asks is None or not (span or every or at or on or _TO_DO.search(sentence) or _TOO_OFTEN.search(sentence)):
        return None  # "Remind me what my job is" asks for what is known.
    does = "remind" if asks["remind"] else "run"
    what = to_person(asks["what"].strip()) or ("Wake up" if "wake" in sentence.lower() else "")
    if _TOO_OFTEN.search(sentence):
        return Wish("unclear", question="Every hour is the most often that I can text you. Say it so, and I will.")
    if not what:
        return Wish("unclear", question="What shall I remind you of? Say it in one text, with the time.")
    words = what if does == "remind" else f"{TEXT_ME}{asks['what'].strip()}"
    schedule, question = _schedule(span, every, on, at, (within["part"] or "night").lower() if within else "")
    return Wish("unclear", question=question) if question else Wish("set", does, words, schedule)


def _schedule(
    span: re.Match[str] | None,
    every: re.Match[str] | None,
    on: re.Match[str] | None,
    at: re.Match[str] | None,
    part: str,
) -> tuple[dict[str, Any], str]:
    """The tool's fields, or what to ask."""
    if span and span["unit"].lower() not in {"day", "week"}:
        return {"repeat": "once", "in_minutes": _minutes(span["number"], span["unit"])}, ""
    given = _days(every, on)
    if span:
        number = _number(span["number"])
        given["in_days"] = number * (7 if span["unit"].lower() == "week" else 1)
    if given["repeat"] == "hourly":
        return {**given, "from_time": "09:00", "to_time": "21:00"}, ""
    if at is None:
        return {}, "At what time? Say it all in one text, such as: remind me tomorrow at 9 to call Ana."
    hour, minute, is_clear = _time(at, part or _part(every, on))
    if hour >= 24 or minute >= 60:  # noqa: PLR2004  (a day's hours and an hour's minutes)
        return {}, "What time is that? Say it as 9am, 6:30pm or 18:30."
    if not is_clear and given == {"repeat": "once"}:
        return {}, f"In the morning or in the evening? Say {hour}am or {hour}pm, all in one text."
    return {**given, "times": [f"{hour:02}:{minute:02}"]}, ""


def _days(every: re.Match[str] | None, on: re.Match[str] | None) -> dict[str, Any]:
    if every:
        unit = (every["unit"] or every["daily"] or every["plural"]).lower().removesuffix("ly").rstrip("s")
        apart = {"every": 2} if every["other"] else {}
        if unit in {"weekday", "weekend"}:
            days = WEEKDAYS[:5] if unit == "weekday" else WEEKDAYS[5:]
            return {"repeat": "weekly", "weekdays": list(days), **apart}
        if named := re.findall(_DAY, every[0].lower()):
            return {"repeat": "weekly", "weekdays": named, **apart}
        repeat = {"week": "weekly", "month": "monthly", "hour": "hourly"}.get(unit, "daily")
        return {"repeat": repeat, **apart}
    if on and on["tomorrow"]:
        return {"repeat": "once", "in_days": 1}
    if on and on["day"]:
        return {"repeat": "once", "weekdays": [on["day"].lower()]}
    return {"repeat": "once"}


def _part(every: re.Match[str] | None, on: re.Match[str] | None) -> str:
    """The part of the day that is named: `evening`."""
    told = f"{every[0] if every else ''} {on[0] if on else ''}".lower().replace("tonight", "night")
    found = re.search(_PART, told)
    return found[0] if found else ""


def _time(at: re.Match[str], part: str) -> tuple[int, int, bool]:
    """Hour and minute, and whether it is clear which half of the day is meant."""
    if at["word"]:
        return (NOON if at["word"].lower() == "noon" else 0), 0, True
    hour = int(at["hour"] or at["hour2"] or at["hour3"])
    minute = at["minute"] or at["minute2"] or at["minute3"]
    half = (at["half"] or at["half2"] or "").lower()
    if half:
        return hour % NOON + (NOON if half == "p" else 0), int(minute or 0), True
    if part in {"afternoon", "evening", "night"} and hour < NOON:
        return hour + NOON, int(minute or 0), True
    return hour, int(minute or 0), bool(part or minute or hour > _LAST_MORNING_HOUR or hour == 0)


def _minutes(number: str, unit: str) -> int:
    each = 60 if unit.lower() in {"hour", "hr", "h"} else 1
    return 30 if number.lower() == "half an" else _number(number) * each


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def _cut(sentence: str, pattern: re.Pattern[str]) -> tuple[str, re.Match[str] | None]:
    """The sentence without what the pattern finds in it."""
    found = pattern.search(sentence)
    if found is None:
        return sentence, None
    return re.sub(
        r"\s{2,}", " ", f"{sentence[: found.start()].rstrip()} {sentence[found.end() :].lstrip()}"
    ).strip(), found


def to_person(words: str) -> str:
    words = re.sub(r"\bmy\b", "your", words, flags=re.IGNORECASE)
    words = re.sub(r"\bI am\b", "you are", words)
    words = re.sub(r"\bI\b|\bme\b", "you", words)
    return words[:1].upper() + words[1:] if words else ""
