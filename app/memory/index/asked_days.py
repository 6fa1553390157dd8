"""The days that a question names: "what was I stressed about in January?" Pure.

A question looks back: a month or a day without its year is the latest that has begun. In other languages than English
only relative days are found, and none where the time is an event ("before we moved").
"""

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta

from app.clock import MONTHS
from app.memory.episodes.significance import words_that_say
from app.memory.index.floor import telling_words
from app.text.days import LANGUAGES, SEASONS, Span, english_days, folded, foreign_days, months_from, season
from app.text.wording import subjects

_MONTH_NUMBERS = {month[:3]: number for number, month in enumerate(MONTHS, 1)}
_SPANS = {"day": 1, "week": 7, "month": 31, "year": 366}

_MONTH = rf"(?P<month>{'|'.join(MONTHS)}|{'|'.join(month[:3] for month in MONTHS)}|sept)\.?"
_NUMBER = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:,? +(?:of +)?(?P<year>(?:19|20)\d\d))"
_IN = r"(?:in|of|during|since|before|after|until|till|by|from|between|and|to|last|this|early|late|mid)"

# Longer forms first: "3 May 2026" holds "May 2026".
_FORMS = tuple(
    re.compile(rf"\b(?:{form})\b", re.IGNORECASE)
    for form in (
        r"(?P<iso>\d{4}-\d\d-\d\d)",
        rf"{_NUMBER} +(?:of +)?{_MONTH}{_YEAR}?",
        rf"{_MONTH} +(?:the +)?{_NUMBER}(?!\d){_YEAR}?",
        rf"{_MONTH}{_YEAR}",
        rf"(?<=\b){_IN} +(?:the +)?(?P<season>{'|'.join(SEASONS)}){_YEAR}?",
        rf"{_IN} +{_MONTH}",
        rf"{_IN} +(?P<year>(?:19|20)\d\d)",
    )
)

_BEFORE = re.compile(r"\b(?:before|until|till|prior to|up to)\s*$", re.IGNORECASE)
_SINCE = re.compile(r"\b(?:since|after|from)\s*$", re.IGNORECASE)
_AROUND = re.compile(r"\baround\s*$", re.IGNORECASE)
_WEEK = re.compile(r"\b(?:the )?(?P<what>week|weekend) (?:of|from|beginning) (?:the )?$", re.IGNORECASE)
_LATELY = re.compile(
    r"\b(?:over|in|during|for|within) the (?:past|last) (?:(?P<many>\d{1,3}|two|three|four|five|six|few|couple of) )?"
    r"(?P<unit>day|week|month|year)s?\b",
    re.IGNORECASE,
)
_MANY = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_AT_MOST = {"couple of": 3, "few": 6}
_LONG_AGO = date(1, 1, 1)

_OF_DAYS_ALONE = subjects(f"happen happened went yesterday last past ago remind {' '.join(MONTHS)}")


def asked_days(question: str, at: datetime) -> tuple[int, int] | None:
    """The first and the last day that a question asked at the local time `at` names, as ordinals; None where none."""
    today, text, spans = at.date(), question, list[Span]()
    for start, end, span in english_days(question, at):
        spans.append(_in_place(question[:start], question[end:], span, today))
        text = text[:start] + "," * (end - start) + text[end:]
    spans += [(one.first, one.last) for one in foreign_days(text, at)]
    spans += [*_spans(text, today), *(_lately(match, today) for match in _LATELY.finditer(question))]
    if not spans:
        return None
    return min(first for first, _ in spans).toordinal(), max(last for _, last in spans).toordinal()


def asks_of_days_alone(question: str) -> bool:
    """Whether a question that names days says nothing else: "what happened on Thursday?"."""
    said = words_that_say(telling_words(question)) - _OF_DAYS_ALONE
    return not any(word.isalpha() for word in said)


def names_one_of(text: str, first: date, last: date) -> bool:
    """Whether the text writes out one of the days, in any language in which relative days are known."""
    days = [_shifted(first, place) for place in range((last - first).days + 1)]
    return re.search(rf"(?<!\d)(?:{'|'.join(_written(day) for day in days)})(?!\d)", text, re.IGNORECASE) is not None


def _written(day: date) -> str:
    """The day as it is written in a text, from its first number on: what stands before that is often left out."""
    forms = {f"{day.day} {day:%B %Y}", f"{day.day} {day:%b %Y}", day.isoformat()}
    for words in LANGUAGES.values():
        month = words.months[day.month - 1] if words.months else ""
        form = words.day[words.day.index("{") :].format(d=day.day, m=day.month, y=day.year, month=month)
        forms.add(form.strip())
    return "|".join(map(re.escape, sorted(forms)))


def _spans(text: str, today: date) -> Iterator[Span]:
    taken: list[tuple[int, int]] = []
    year = re.search(r"\b(?:19|20)\d\d\b", text)
    for form in _FORMS:
        for match in form.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken) or _is_a_verb(match):
                continue
            taken.append(match.span())
            later = int(year[0]) if year and year.start() >= match.end() else None
            span = _span(match, later, today)
            if span is not None:
                own = re.match(rf"{_IN}(?= )", match[0], re.IGNORECASE)
                before = text[: match.start()] + (own[0] if own else "")
                yield _in_place(before, text[match.end() :], span, today)


def _is_a_verb(match: re.Match[str]) -> bool:
    """Whether it is "to march" without "from" before it."""
    joined = folded(match[0]).startswith(("to ", "and "))
    return joined and not re.search(r"\b(?:from|between)\b", match.string[: match.start()], re.IGNORECASE)


def _span(match: re.Match[str], later_year: int | None, today: date) -> Span | None:
    """What the words name by themselves; None for what is no day, such as 31 June.

    A year that is only said later holds for what was said before it: "between 11 and 15 August 2023".
    """
    said = match.groupdict()
    try:
        if said.get("iso"):
            day = date.fromisoformat(said["iso"])
            return day, day
        year = int(said["year"]) if said.get("year") else later_year
        if said.get("season"):
            return season(folded(said["season"]), year, today)
        if not said.get("month"):
            return (date(year, 1, 1), date(year, 12, 31)) if year else None
        month = _MONTH_NUMBERS[folded(said["month"])[:3]]
        if not said.get("day"):
            first = date(year or today.year, month, 1)
            return months_from(first if year or first <= today else first.replace(year=first.year - 1), 1)
        day = date(year or today.year, month, int(said["day"]))
        day = day if year or day <= today else day.replace(year=day.year - 1)
    except ValueError:
        return None
    return day, day


def _lately(match: re.Match[str], today: date) -> Span:
    return _shifted(today, -_many(folded(match["many"] or "1")) * _SPANS[folded(match["unit"])]), today


def _many(said: str) -> int:
    """At the most."""
    return int(said) if said.isdigit() else _MANY.get(said) or _AT_MOST[said]


def _in_place(before: str, after: str, span: Span, today: date) -> Span:
    """What they name with the words that stand before them: "the week of", "since"."""
    first, last = span
    week = _WEEK.search(before)
    if week:
        last = _shifted(first, 6 if folded(week["what"]) == "week" else 1)
        before = before[: week.start()]
    if _BEFORE.search(before):
        return _LONG_AGO, _shifted(first, -1)
    if _SINCE.search(before) and not re.search(r"\b(?:to|until|till)\b", after, re.IGNORECASE):
        return first, max(today, last)
    if _AROUND.search(before):
        return _shifted(first, -3), _shifted(last, 3)
    return first, last


def _shifted(day: date, days: int) -> date:
    return day + timedelta(days=max(days, (_LONG_AGO - day).days))
