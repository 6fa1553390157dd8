"""Find the relative days that a text names, in nine languages, and resolve them by the time at which it was said.

A weekday alone is the last one if the text asks about the past, else the next one. A habit ("every Friday") names no
day. Days in a language other than English count only if the text is plainly in it: `hier` is yesterday in French and
here in German. The words are data: days.toml.

Since "tomorrow" is read on a later day than it was said, a kept day word that can mean only one day gets its date
behind it in brackets: today, tonight, tomorrow, yesterday, and weekdays with *this*, *next* or *last*. Reasons:
docs/decisions/0031-facts-in-the-persons-sense.md.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from app.clock import MONTHS, WEEKDAYS
from app.services.model import DatedPhrase
from app.text.word_files import expressions, read_words

Span = tuple[date, date]  # The first and the last day.

SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  # First months, in the north.

_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()  # Beyond, people write digits.
_NUMBERS = {word: number for number, word in enumerate(_WORDS)} | {"a": 1, "an": 1}
_AT_MOST = {"couple": 3, "few": 6, "several": 6, "some": 6}
_TURKISH = str.maketrans({"ı": "i", "İ": "i"})
_DAYS_OF = {"day": 1, "week": 7, "fortnight": 14, "month": 31, "year": 366}
_MONTHS_A_YEAR, _MONTHS_A_SEASON = 12, 3
_NEARLY = 3  # Days to either side of, say, "two weeks ago".
_WITHIN_DAYS = 62  # A day of the month lies in this month or the next that has it, even the 31st.
_NEAR = 40  # Characters before a weekday that may make it a habit.
_AROUND = 60  # Characters to either side that may change the meaning of a day word.
_SHIFTS = {"last": -1, "past": -1, "this past": -1, "before last": -2, "next": 1, "coming": 1, "after next": 2}

_READ = read_words(__file__, "days.toml")
_SAYS = expressions(
    _READ["en"]["expressions"],
    weekdays="|".join(WEEKDAYS),
    months="|".join(month[:3] for month in MONTHS),
    seasons="|".join(SEASONS),
    numbers="|".join(_NUMBERS),
)
_IS_HABIT, _ASKS_WAS, _COMES, _DAY_WORD, _IS_OTHER_BEFORE, _IS_OTHER_AFTER, _YEAR_AFTER, _YEAR_BEFORE, _WAS = (
    re.compile(_SAYS[name], re.IGNORECASE)
    for name in "habit asks_was comes day_word other_before other_after year_after year_before was".split()
)
_QUOTED = re.compile(_SAYS["quoted"])

_ENOUGH = 2  # Signs needed for a language; a single one may be chance or a name.
_KANA = re.compile(r"[\u3040-\u30ff]")  # Japanese, which shares characters with Chinese.
_DATE_AFTER = re.compile(
    r",?\s?(?:de[mnr]\s)?[(\[]?\d{1,2}(?:\.\s?|\s(?:de\s)?)(?!(?:heures?|horas?|uhr|h)\b)[^\W\d]{3,}", re.IGNORECASE
)
_DATE_BEFORE = re.compile(r"\d{4}[,\s]+[(\[]?$|月\d{1,2}[日号號][（(，,]?$")
_UNSPACED = "zh"
_REACH = 200  # Characters searched to either side for the end of a clause.

_Rule = tuple[re.Pattern[str], Callable[[re.Match[str], datetime], Span | None]]


def english_days(text: str, at: datetime) -> Iterator[tuple[int, int, Span]]:
    """Relative dates of a text said at the local time `at`: start, end and days of each."""
    taken: set[int] = set()
    for pattern, span_of in _RULES:
        for match in pattern.finditer(text):
            if taken.isdisjoint(range(*match.span())):
                taken.update(range(*match.span()))
                if (span := span_of(match, at)) is not None:
                    yield *match.span(), span


def folded(word: str) -> str:
    """A matched word in the form of the tables here.

    A pattern that ignores case takes a Turkish *ı* or *İ* for an *i*, but `casefold` does not.
    """
    return word.translate(_TURKISH).casefold()


def months_from(first: date, count: int) -> Span:
    """`count` whole months, from `first`, the first day of a month."""
    return first, _month(first, count) - timedelta(days=1)


def season(name: str, year: int | None, today: date) -> Span:
    """The season of a year, or the latest that has begun; a winter belongs to the year in which it ends."""
    month = SEASONS[name]
    if year is None:
        year = today.year - (date(today.year, month, 1) > today)
    elif name == "winter":
        year -= 1
    return months_from(date(year, month, 1), _MONTHS_A_SEASON)


def weekday(which: str, wanted: int, today: date, *, back: bool = False) -> date:
    """The date meant by a weekday (Monday is 0) with `last`, `next`, `this` or nothing before it."""
    ahead, behind = (wanted - today.weekday()) % 7, (today.weekday() - wanted) % 7
    if which == "next":
        return today + timedelta(days=7 - today.weekday() + wanted)
    if back or which in {"last", "past", "this past"}:
        return today - timedelta(days=behind or 7)
    return today + timedelta(days=ahead or (7 if "coming" in which else 0))


def _one(day: date) -> Span:
    return day, day


def _month(day: date, shift: int) -> date:
    months = day.year * _MONTHS_A_YEAR + day.month - 1 + shift
    return date(months // _MONTHS_A_YEAR, months % _MONTHS_A_YEAR + 1, 1)


def _of_calendar(unit: str, shift: int, today: date) -> Span:
    """The calendar week, weekend, month or year that is `shift` units from the current one."""
    if unit == "year":
        return date(today.year + shift, 1, 1), date(today.year + shift, 12, 31)
    if unit == "month":
        return months_from(_month(today, shift), 1)
    monday = today + timedelta(days=7 * shift - today.weekday())
    return monday + timedelta(days=5 if unit == "weekend" else 0), monday + timedelta(days=6)


def _asks_about_past(match: re.Match[str]) -> bool:
    return bool(_ASKS_WAS.search(match.string)) and not _COMES.search(match.string)


def _day_word(match: re.Match[str], at: datetime) -> Span:
    word = folded(match["word"])
    if "after" in word or "before" in word:
        return _one(at.date() + timedelta(days=2 if "after" in word else -2))
    shift = {"yesterday": -1, "last": -1, "today": 0, "tonight": 0, "tonite": 0, "this": 0}
    return _one(at.date() + timedelta(days=shift.get(word.split()[0], 1)))


def _weekday(match: re.Match[str], at: datetime) -> Span | None:
    if _IS_HABIT.search(match.string[max(0, match.start() - _NEAR) : match.start()]):
        return None
    which = folded(match["which"] or "")
    back = which in {"", "this"} and _asks_about_past(match)
    return _one(weekday(which, WEEKDAYS.index(folded(match["day"])), at.date(), back=back))


def _day_of_month(match: re.Match[str], at: datetime) -> Span | None:
    """The nearest day with that number, and with that weekday if one is named."""
    number, wanted = int(match["number"]), match["day"]
    sign = -1 if _asks_about_past(match) else 1
    near = (at.date() + timedelta(days=sign * days) for days in range(1, _WITHIN_DAYS + 1))
    of_day = WEEKDAYS.index(folded(wanted)) if wanted else None
    return next((_one(day) for day in near if day.day == number and of_day in {None, day.weekday()}), None)


def _calendar(match: re.Match[str], at: datetime) -> Span:
    return _of_calendar(folded(match["unit"]), _SHIFTS.get(folded(match["which"]), 0), at.date())


def _the_weekend(match: re.Match[str], at: datetime) -> Span:
    days = -((at.weekday() - 5) % 7) if _asks_about_past(match) else (5 - at.weekday()) % 7
    saturday = at.date() + timedelta(days=days)
    return saturday, saturday + timedelta(days=1)


def _season(match: re.Match[str], at: datetime) -> Span:
    name, which = folded(match["unit"]), folded(match["which"])
    middle = SEASONS[name] % _MONTHS_A_YEAR + 1
    if which in {"last", "past"}:
        return season(name, at.year - (middle >= at.month), at.date())
    return season(name, at.year + (which in {"next", "coming"} and middle <= at.month), at.date())


def _distance(match: re.Match[str], at: datetime) -> Span:
    """The days that lie so many units before or after now."""
    sign = -1 if folded(match["way"]) == "ago" else 1
    count, unit = folded(match["count"]), folded(match["unit"])
    words = re.findall(r"[\w.,]+", count)
    if words[0] == "half":
        count, unit = ("0", "day") if unit == "hour" else ("6", "month")
    elif len(words) > 1 or not (count.isdigit() or count in _NUMBERS):
        return _about(words, unit, at.date(), sign)
    number = sign * (int(count) if count.isdigit() else _NUMBERS[count])
    if unit in {"minute", "hour"}:
        return _one((at + timedelta(**{f"{unit}s": number})).date())
    if unit in {"year", "month"}:
        return _of_calendar(unit, number, at.date())
    day, nearly = at.date() + timedelta(days=number * _DAYS_OF[unit]), timedelta(days=0 if unit == "day" else _NEARLY)
    return day - nearly, day + nearly


def _about(words: list[str], unit: str, today: date, sign: int) -> Span:
    """An inexact count ("two or three", "a few"): the days from now to its upper end."""
    known = _NUMBERS | _AT_MOST
    most = max(int(float(word.replace(",", "."))) if word[0].isdigit() else known.get(word, 1) for word in words)
    days = timedelta(days=max(most, 1) * _DAYS_OF.get(unit, 1))
    return (today - days, today - timedelta(days=1)) if sign < 0 else (today + timedelta(days=1), today + days)


def _the_next(match: re.Match[str], at: datetime) -> Span:
    return _about([folded(match["count"]).split()[0]], folded(match["unit"]), at.date(), 1)


_RULES: tuple[_Rule, ...] = tuple(
    (re.compile(rf"\b(?:{_SAYS[name]})(?:['’]s)?(?![\w-])", re.IGNORECASE), span_of)
    for name, span_of in (  # Longer phrases first: "the day after tomorrow" holds "tomorrow".
        ("named_day", _day_word),
        ("day_of_month", _day_of_month),
        ("weekday", _weekday),
        ("calendar_after_next", _calendar),
        ("calendar", _calendar),
        ("weekend", _the_weekend),
        ("season", _season),
        ("ahead", _distance),
        ("ago", _distance),
        ("the_next", _the_next),
    )
)


@dataclass(frozen=True)
class ForeignDay:
    """A relative date and its days."""

    start: int
    end: int
    first: date
    last: date
    is_plain: bool  # True for today, tonight, tomorrow and yesterday.


class Language:
    """A language other than English, read from days.toml."""

    def __init__(self, read: Mapping[str, Any], *, is_spaced: bool) -> None:
        self.day: str = read["day"]
        """Format of a written day."""
        self.months: list[str] = read.get("months", "").split()
        self.weekdays: list[str] = read.get("weekdays", "").split()
        """Regular expressions for the weekdays as people type them, from Monday on."""
        numbered = enumerate(read.get("counts", "").split(), 1)
        self.counts = {word: number for number, words in numbered for word in words.split("/")}
        self.units: dict[str, str] = read.get("units", {})
        self.past, self.future = ("".join(read.get(name, "(?!)")) for name in ("past", "future"))
        self.breaks: str = read.get("breaks", "[,;]")
        self.ending: str = read.get("ending", "")
        self.rules = [
            (re.compile(self._pattern(rule, kind, is_spaced), re.IGNORECASE), kind, number)
            for rule, kind, number in read["rules"]
        ]
        each = (re.sub(r"\(\?P<\w+>", "(?:", pattern.pattern) for pattern, _, _ in self.rules)
        self.any = re.compile("|".join(each), re.IGNORECASE)

    def _pattern(self, rule: str, kind: str, is_spaced: bool) -> str:
        counts = "|".join(sorted(self.counts, key=len, reverse=True))
        rule = (
            rule.replace("{weekday}", f"(?:{'|'.join(self.weekdays)})")
            .replace("{count}", rf"(?P<count>\d{{1,3}}|{counts})")
            .replace("{unit}", f"(?P<unit>{'|'.join(self.units.values())})")
        )
        ending = self.ending if kind not in {"evening", "night", "ahead", "ago"} else ""
        return rf"(?<!\w)(?:{rule}){ending}(?!\w)" if is_spaced else rule


_SMALL_WORDS = {name: frozenset(read["small"].split()) for name, read in _READ.items() if "small" in read}
LANGUAGES = {name: Language(read, is_spaced=name != _UNSPACED) for name, read in _READ.items() if "rules" in read}

_Found = list[tuple[re.Match[str], str, int]]  # Matches, each with the kind and number of its rule.


def foreign_days(text: str, at: datetime) -> Iterator[ForeignDay]:
    """Relative dates of a text said at the local time `at`, if its language is one of `LANGUAGES`."""
    found = {name: _matches(text, name) for name in LANGUAGES}
    if any(found.values()) and (name := _language(text, found)):
        for match, kind, number in found[name]:
            if not (kind.startswith(("day", "weekday")) and _is_dated(match)):
                span = _foreign_span(match, kind, number, LANGUAGES[name], at.date())
                yield ForeignDay(*match.span(), *span, kind in {"day", "evening"} and abs(number) <= 1)


def _matches(text: str, name: str) -> _Found:
    found: _Found = []
    if not LANGUAGES[name].any.search(text) or (name == _UNSPACED and _KANA.search(text)):
        return found
    taken: set[int] = set()
    for pattern, kind, number in LANGUAGES[name].rules:
        for match in pattern.finditer(text):
            if taken.isdisjoint(range(*match.span())):
                taken.update(range(*match.span()))
                found.append((match, kind, number))
    return found


def _language(text: str, found: Mapping[str, _Found]) -> str | None:
    """The language of the text, judged by its small words and the phrases found; None if unclear."""
    if found[_UNSPACED]:
        return _UNSPACED
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text.casefold())
    votes = {name: sum(word in small for word in words) for name, small in _SMALL_WORDS.items()}
    for name, matches in found.items():
        # A phrase of several words, or with non-ASCII letters, is hardly chance.
        weights = (2 if " " in match[0] or not match[0].isascii() else 1 for match, _, _ in matches)
        votes[name] = votes.get(name, 0) + sum(weights)
    best = max((name for name in found if found[name]), key=lambda name: votes[name])
    others = max(count for name, count in votes.items() if name != best)
    return best if votes[best] >= _ENOUGH and votes[best] > others else None


def _is_dated(match: re.Match[str]) -> bool:
    """True if a date in figures stands beside the day."""
    before = match.string[max(0, match.start() - _REACH) : match.start()]
    after = match.string[match.end() : match.end() + _REACH]
    return bool(_DATE_BEFORE.search(before) or _DATE_AFTER.match(after))


def _foreign_span(match: re.Match[str], kind: str, number: int, words: Language, today: date) -> Span:
    if kind in {"ahead", "ago"}:
        count = match["count"]
        number *= int(count) if count.isdigit() else words.counts[count.casefold()]
        unit = next(one for one, word in words.units.items() if re.fullmatch(word, match["unit"], re.IGNORECASE))
        if unit in {"day", "week"}:
            return _one(today + timedelta(days=number * _DAYS_OF[unit]))
        return _of_calendar(unit, number, today)
    if kind in {"day", "evening", "night"}:
        return _one(today + timedelta(days=number))
    if kind in {"week", "month", "year"}:
        return _of_calendar(kind, number, today)
    wanted = next(i for i, word in enumerate(words.weekdays) if re.search(word, match[0], re.IGNORECASE))
    if kind == "weekday of the week":
        return _one(today + timedelta(days=7 * number - today.weekday() + wanted))
    back = number < 0 or (number == 0 and _is_past(match, words))
    return _one(weekday("coming" if number else "", wanted, today, back=back))


def _is_past(match: re.Match[str], words: Language) -> bool:
    """True if the clause of a weekday is in the past; in a verb-final language the first verb after the day decides."""
    ends = rf"{words.breaks}|[.!?\n]"
    before = re.split(ends, match.string[max(0, match.start() - _REACH) : match.start()], flags=re.IGNORECASE)[-1]
    after = re.split(ends, match.string[match.end() : match.end() + _REACH], flags=re.IGNORECASE)[0]
    past, future = re.compile(words.past, re.IGNORECASE), re.compile(words.future, re.IGNORECASE)
    if words.ending:  # Verbs come last, and the first one after the day is the day's own.
        marks = sorted(
            (m.start(), was) for pattern, was in ((future, False), (past, True)) for m in pattern.finditer(after)
        )
        return bool(marks) and marks[0][1]
    clause = f"{before} {after}"
    return bool(past.search(clause)) and not future.search(clause)


# Day words that can mean only one day, and the dates behind them.


def day_words(text: str, at: datetime) -> list[DatedPhrase]:
    """Day words of a text said at the local time `at`, in order, except those in quotation marks."""
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    plain = ((one.start, one.end, one.first) for one in foreign_days(text, at) if one.is_plain)
    foreign = ((start, end, day) for start, end, day in plain if not _YEAR_AFTER.match(text[end:]))
    found: dict[int, DatedPhrase] = {}
    for start, end, day in (*_english_day_words(text, at.date()), *foreign):
        if not any(begin <= start and end <= stop for begin, stop in quoted):
            found.setdefault(start, DatedPhrase(start, end, f"{day.day} {day:%b %Y}"))
    return [found[start] for start in sorted(found)]


def with_dates(text: str, words: Sequence[DatedPhrase]) -> str:
    """The text with the date of each day word behind it."""
    for one in reversed(words):
        text = f"{text[: one.end]} [{one.means}]{text[one.end :]}"
    return text


def dated(sentence: str, at: datetime) -> str:
    """A sentence said at the local time `at`, with the dates of its day words behind them."""
    return with_dates(sentence, day_words(sentence, at))


def _english_day_words(text: str, today: date) -> Iterator[tuple[int, int, date]]:
    for match in _DAY_WORD.finditer(text):
        before, after = text[max(0, match.start() - _AROUND) : match.start()], text[match.end() : match.end() + _AROUND]
        is_other = _IS_OTHER_BEFORE.search(before) or _IS_OTHER_AFTER.match(after)
        if is_other or _YEAR_AFTER.match(after) or _YEAR_BEFORE.search(before) or _is_a_title(text, match, before):
            continue
        if match["day"] is None:
            shift = {"yesterday": -1, "today": 0, "tonight": 0, "tonite": 0}.get(folded(match["word"]), 1)
            yield *match.span(), today + timedelta(days=shift)
            continue
        wanted, which = WEEKDAYS.index(folded(match["day"])), folded(match["which"])
        # "This Monday" in the past tense, later in the week, may be the last or the next one.
        if not (which == "this" and wanted < today.weekday() and _WAS.search(text)):
            yield *match.span(), weekday(which, wanted, today)


def _is_a_title(text: str, match: re.Match[str], before: str) -> bool:
    """True if it is a title and no day: "listening to Yesterday", capitalised within a sentence in lower case."""
    begins = not before.strip(" \"'“‘(") or before.rstrip(" \"'“‘(")[-1] in ".!?\n"
    is_written_so = match[0][0].isupper() and not match[0].isupper()
    return is_written_so and not begins and text != text.title()
