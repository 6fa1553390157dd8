"""The relative days of languages beside English, and which days they are from the moment at which they were said: pure.

`morgen` is tomorrow and the morning, `hier` is yesterday in French and here in German: a phrase counts only in a text
that is plainly in its language. The words are data: foreign_days.toml.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

_ENOUGH = 2  # Signs of a language; one may be chance, or a name.
_KANA = re.compile(r"[\u3040-\u30ff]")  # Japanese, which shares characters with Chinese.
_DATE_AFTER = re.compile(
    r",?\s?(?:de[mnr]\s)?[(\[]?\d{1,2}(?:\.\s?|\s(?:de\s)?)(?!(?:heures?|horas?|uhr|h)\b)[^\W\d]{3,}", re.IGNORECASE
)
_DATE_BEFORE = re.compile(r"\d{4}[,\s]+[(\[]?$|月\d{1,2}[日号號][（(，,]?$")
_UNSPACED = "zh"
_REACH = 200  # Characters to either side in which a clause ends.


@dataclass(frozen=True)
class DayWords:
    """One language, as the file says it."""

    day: str
    """How a day is written."""
    rules: tuple[tuple[str, str, int], ...]
    months: tuple[str, ...] = ()
    weekday_words: tuple[str, ...] = ()
    """As people type them: regular expressions, from Monday on."""
    counts: Mapping[str, int] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    """`day`, `week`, `month` and `year`, each with its words as a regular expression."""
    past: str = r"(?!)"
    future: str = r"(?!)"
    breaks: str = r"[,;]"
    ending: str = ""


def _day_words(read: dict[str, Any]) -> DayWords:
    numbered = enumerate(read.get("counts", "").split(), 1)
    clauses = {name: "".join(read[name]) for name in ("past", "future", "breaks", "ending") if name in read}
    return DayWords(
        day=read["day"],
        rules=tuple((pattern, kind, number) for pattern, kind, number in read["rules"]),
        months=tuple(read.get("months", "").split()),
        weekday_words=tuple(read.get("weekdays", "").split()),
        counts={word: number for number, words in numbered for word in words.split("/")},
        units=read.get("units", {}),
        **clauses,
    )


_READ = tomllib.loads(Path(__file__).with_name("foreign_days.toml").read_text(encoding="utf-8"))
_SMALL_WORDS = {language: frozenset(read["small"].split()) for language, read in _READ.items() if "small" in read}
DAY_WORDS = {language: _day_words(read) for language, read in _READ.items() if "rules" in read}


@dataclass(frozen=True)
class ForeignDay:
    """One relative date, and its days."""

    start: int
    end: int
    first: date
    last: date
    is_plain: bool
    """Whether it is today, tonight, tomorrow or yesterday."""


@dataclass(frozen=True)
class _Rule:
    pattern: re.Pattern[str]
    kind: str
    number: int


def foreign_days(text: str, at: datetime) -> Iterator[ForeignDay]:
    """Each relative date of a text that was said at the local time `at`, where its language is one of `DAY_WORDS`."""
    found = {language: _matches(text, language) for language in DAY_WORDS}
    language = _language(text, found)
    for match, rule in found.get(language or "", ()):
        if not (rule.kind.startswith(("day", "weekday")) and _is_dated(match)):
            yield _meaning(match, rule, language or "", at)


_Found = list[tuple[re.Match[str], _Rule]]


def _matches(text: str, language: str) -> _Found:
    if not _ANY[language].search(text) or (language == _UNSPACED and _KANA.search(text)):
        return []
    found: _Found = []
    taken: set[int] = set()
    for rule in _RULES[language]:
        for match in rule.pattern.finditer(text):
            if not taken.intersection(range(match.start(), match.end())):
                taken.update(range(match.start(), match.end()))
                found.append((match, rule))
    return found


def _language(text: str, found: dict[str, _Found]) -> str | None:
    """The language of the text, by its small words and by the phrases that were found; None where they do not tell."""
    if not any(found.values()):
        return None
    if found[_UNSPACED]:
        return _UNSPACED
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text.casefold())
    votes = {name: sum(word in small for word in words) for name, small in _SMALL_WORDS.items()}
    for name, matches in found.items():
        votes[name] = votes.get(name, 0) + sum(_weight(match[0]) for match, _ in matches)
    best = max((name for name in found if found[name]), key=lambda name: votes[name])
    others = max(count for name, count in votes.items() if name != best)
    return best if votes[best] >= _ENOUGH and votes[best] > others else None


def _weight(phrase: str) -> int:
    """A phrase of several words, or with letters of its own, is no chance."""
    return 2 if " " in phrase or not phrase.isascii() else 1


def _is_dated(match: re.Match[str]) -> bool:
    """Whether the date in figures stands beside the day."""
    before = match.string[max(0, match.start() - _REACH) : match.start()]
    after = match.string[match.end() : match.end() + _REACH]
    return bool(_DATE_BEFORE.search(before) or _DATE_AFTER.match(after))


def _meaning(match: re.Match[str], rule: _Rule, language: str, at: datetime) -> ForeignDay:
    words, today = DAY_WORDS[language], at.date()
    kind, number = rule.kind, rule.number
    if kind in {"ahead", "ago"}:
        kind = _unit(match["unit"], words)
        number *= _count(match["count"], words)
    first = last = today
    match kind:
        case "day" | "evening" | "night":
            first = last = today + timedelta(days=number)
        case "weekday" | "weekday of the week":
            first = last = _weekday(match, kind, number, language, today)
        case "week" if rule.kind in {"ahead", "ago"}:
            first = last = today + timedelta(weeks=number)
        case "week":
            first = today + timedelta(days=7 * number - today.weekday())
            last = first + timedelta(days=6)
        case "month":
            first = _month(today, number)
            last = _month(today, number + 1) - timedelta(days=1)
        case _:
            first, last = date(today.year + number, 1, 1), date(today.year + number, 12, 31)
    is_plain = rule.kind in {"day", "evening"} and abs(number) <= 1
    return ForeignDay(match.start(), match.end(), first, last, is_plain)


def _weekday(match: re.Match[str], kind: str, number: int, language: str, today: date) -> date:
    words = DAY_WORDS[language].weekday_words
    wanted = next(i for i, word in enumerate(words) if re.search(word, match[0], re.IGNORECASE))
    if kind == "weekday of the week":
        return today + timedelta(days=7 * number - today.weekday() + wanted)
    ahead, behind = (wanted - today.weekday()) % 7, (today.weekday() - wanted) % 7
    if number < 0 or (number == 0 and _is_past(match, language)):
        return today - timedelta(days=behind or 7)
    return today + timedelta(days=ahead or 7 * number)


def _is_past(match: re.Match[str], language: str) -> bool:
    """Whether the clause of a weekday tells of what was; the clause to come counts where its own has no verb."""
    words, text = DAY_WORDS[language], match.string
    before = re.split(words.breaks, text[max(0, match.start() - _REACH) : match.start()], flags=re.IGNORECASE)[-1]
    after = re.split(words.breaks, text[match.end() : match.end() + _REACH], flags=re.IGNORECASE)[0]
    ends = re.compile(r"[.!?\n]")
    before, after = ends.split(before)[-1], ends.split(after)[0]
    past, future = re.compile(words.past, re.IGNORECASE), re.compile(words.future, re.IGNORECASE)
    if words.ending:  # The verb stands last, and the first after the day is what the day belongs to.
        marks = sorted(
            [(m.start(), False) for m in future.finditer(after)] + [(m.start(), True) for m in past.finditer(after)]
        )
        return bool(marks) and marks[0][1]
    clause = f"{before} {after}"
    return bool(past.search(clause)) and not future.search(clause)


def _month(today: date, number: int) -> date:
    months = today.year * 12 + today.month - 1 + number
    return date(months // 12, months % 12 + 1, 1)


def _count(written: str, words: DayWords) -> int:
    return int(written) if written.isdigit() else words.counts[written.casefold()]


def _unit(written: str, words: DayWords) -> str:
    return next(unit for unit, word in words.units.items() if re.fullmatch(word, written, re.IGNORECASE))


def _pattern(rule: str, kind: str, words: DayWords) -> str:
    counts = "|".join(sorted(words.counts, key=len, reverse=True))
    pattern = (
        rule.replace("{weekday}", f"(?:{'|'.join(words.weekday_words)})")
        .replace("{count}", rf"(?P<count>\d{{1,3}}|{counts})")
        .replace("{unit}", f"(?P<unit>{'|'.join(words.units.values())})")
    )
    if words.ending and kind not in {"evening", "night", "ahead", "ago"}:
        return rf"(?<!\w)(?:{pattern}){words.ending}(?!\w)"
    return pattern


def _whole(pattern: str) -> str:
    return pattern if pattern.startswith(r"(?<!\w)") else rf"(?<!\w)(?:{pattern})(?!\w)"


_RULES = {
    language: tuple(
        _Rule(
            re.compile(
                _pattern(rule, kind, words) if language == _UNSPACED else _whole(_pattern(rule, kind, words)),
                re.IGNORECASE,
            ),
            kind,
            number,
        )
        for rule, kind, number in words.rules
    )
    for language, words in DAY_WORDS.items()
}
_ANY = {
    language: re.compile("|".join(re.sub(r"\(\?P<\w+>", "(?:", rule.pattern.pattern) for rule in rules), re.IGNORECASE)
    for language, rules in _RULES.items()
}
