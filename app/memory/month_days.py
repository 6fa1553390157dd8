"""Days that are told by their number alone: "on the 3rd", "Friday the 27th". Pure."""

import re
from datetime import datetime, timedelta

from app.memory.regular_days import may_be_habit
from app.memory.tense import Tense

STANDS_BEFORE = "".join(f"|(?<={word} )" for word in "by until till before after since from for around".split())
"""For a pattern: words without which "the 3rd" may be anything."""
_ENDS = (
    r"(?=\s*(?:$|[.,;:!?)\n…\"”]|(?:at|and|but|in|for|with|because|so|i|we|he|she|they|you|my|it|to|from|until|till|"
    r"when|if|then|after|before|by|around|about)\b))(?!,?\s*(?:and|or|to|[-–])?\s*(?:the )?\d)"
)
NUMBER = rf"(?P<number>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th){_ENDS}"
"""For a pattern: neither "the 3rd floor" nor "the 3rd of May", nor one of several."""

WITHIN = timedelta(days=62)
"""A day is of this month or of the next that has it, be it the 31st."""

_EACH_MONTH = re.compile(
    r"\b(?:rent|due|bills?|mortgage|salary|pay|payday|subscription|renews?|billed|invoices?|monthly|(?:each|every) "
    r"month)\b",
    re.IGNORECASE,
)
_SAYING = re.compile(r"friday,? (?:the )?13th", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?\n]")


def may_be_each_month(before: str, phrase: str, after: str, said: Tense | None) -> bool:
    """Whether it is no one day: the rent is due on the 1st of each month. And Friday the 13th is a saying."""
    if _SAYING.search(phrase):
        return True
    sentence = f"{_SENTENCE.split(before)[-1]} {_SENTENCE.split(after)[0]}"
    of_each = _EACH_MONTH.search(sentence) is not None or may_be_habit(before, phrase, after, said)
    return of_each and said is not Tense.PAST


def nearest(number: int, weekday: int | None, at: datetime, *, back: bool) -> datetime | None:
    """The nearest day of that number, and of that weekday (Monday is 0), before `at` or after it.

    None where there is none within `WITHIN`, or where it is the day itself: who means that says "today".
    """
    if at.day == number:
        return None
    near = (at + timedelta(days=-days if back else days) for days in range(1, WITHIN.days + 1))
    return next((day for day in near if day.day == number and weekday in {None, day.weekday()}), None)
