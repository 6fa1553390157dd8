"""Times as people text them, put as `when` reads them: `tmrw`, `half past 7`, `an hour and a half`."""

import re
from collections.abc import Callable, Sequence

from app.clock import WEEKDAYS

NUMBERS = dict(zip("one two three four five six seven eight nine ten eleven twelve".split(), range(1, 13), strict=True))
NUMBERS |= {"a": 1, "an": 1, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "half an": 0}
DAY_HOURS, HOUR_MINUTES, NOON = 24, 60, 12

_DAY = rf"(?:{'|'.join(WEEKDAYS)})"
_NUMBER = rf"(?:\d{{1,3}}|{'|'.join(NUMBERS)})"
_HOUR = rf"(?:{'|'.join(word for word, hour in NUMBERS.items() if len(word) > len('an') and 1 <= hour <= NOON)})"
_HOURS, _MINUTES = r"(?:hours?|hrs?|h)", r"(?:minutes?|mins?|m)"


def number(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS[word.lower()]


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
    rf"(?:(?<=me )|(?<=every )|(?<=each )|^)(?:from )?(?P<first>{_DAY})(?: ?- ?| to | till? | through | thru )"
    rf"(?P<last>{_DAY})\b"
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
        (rf"(?<=day)(?: ?/ ?| ?, ?and | )(?={_DAY}\b)", ", "),
    )
]
