"""Add the date to day words, since "tomorrow" is read on a later day than it was said. Pure.

The words stay unchanged. A word that can mean only one day gets its date behind it in square brackets: today, tonight,
tomorrow, yesterday, and weekdays with *this*, *next* or *last*. Reasons:
docs/decisions/0031-facts-in-the-persons-sense.md.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from app.clock import WEEKDAYS
from app.services.model import DatedPhrase
from app.text.days import PART, folded, foreign_days, weekday

_NEAR = 60  # Characters to either side that may change the meaning of a word.
_ENGLISH = re.compile(
    r"\b(?:(?P<word>today|tonight|tonite|tomm?orr?ow|tmrw|tmr|2morr?ow|yesterday)|"
    rf"(?P<which>this|next|last) (?P<day>{'|'.join(WEEKDAYS)}))(?: {PART})?(?:['’]s)?(?![\w-])",
    re.IGNORECASE,
)
# "The day after tomorrow", "every last Friday", "the next Friday after Easter", "two weeks from today".
_NOT_THE_DAY_BEFORE = re.compile(
    r"\b(?:(?:day|week|fortnight|month|year|night|morning|evening)s?[ -](?:after|before|from)|"
    r"every|each|any|the|no)\s+$",
    re.IGNORECASE,
)
_NOT_THE_DAY_AFTER = re.compile(r"^ (?:of\b|in (?:the|each|every|any) month\b|week\b|show\b)", re.IGNORECASE)
_IS_DATED = re.compile(r"^ ?[\[(]|^[^.;!?]{0,25}\b(?:19|20)\d\d\b")
_WAS_DATED = re.compile(r"\b(?:19|20)\d\d(?:-\d\d-\d\d)?,? ?[(\[]?$")
_WAS = re.compile(r"\b(?:was|were|had|did|went|saw|met|got|came|[a-z]{2,}(?<!e)ed)\b", re.IGNORECASE)
_QUOTED = re.compile(r"“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|\"[^\"]*\"|(?<!\w)['‘](?=\S)[^'’]+['’](?!\w)")


def day_words(text: str, at: datetime) -> list[DatedPhrase]:
    """Day words of a text said at the local time `at`, in order, except those in quotation marks."""
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    plain = ((one.start, one.end, one.first) for one in foreign_days(text, at) if one.is_plain)
    foreign = ((start, end, day) for start, end, day in plain if not _IS_DATED.match(text[end:]))
    found: dict[int, DatedPhrase] = {}
    for start, end, day in (*_english(text, at.date()), *foreign):
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


def dated_if_certain(text: str, said: Iterable[tuple[str, datetime]]) -> str | None:
    """A sentence about texts, with the dates of its day words behind them; None if a word may mean several days.

    `said` are the texts with their local times. A word has its meaning in the texts that hold it; a word that none of
    them holds is read on each of their days and must mean the same day.
    """
    texts = list(said)
    meant: dict[str, set[str]] = {}
    for words, at in texts:
        for one in day_words(words, at):
            meant.setdefault(_name(words, one), set()).add(one.means)
    places: dict[int, tuple[DatedPhrase, set[str]]] = {}
    for at in {at.date(): at for _, at in texts}.values():
        for one in day_words(text, at):
            places.setdefault(one.start, (one, set()))[1].add(one.means)
    found = [(one, meant.get(_name(text, one)) or means) for _, (one, means) in sorted(places.items())]
    if any(len(means) > 1 for _, means in found):
        return None
    return with_dates(text, [replace(one, means=means.pop()) for one, means in found])


def _name(text: str, word: DatedPhrase) -> str:
    """The day word in lower case: `tomorrow`, `next friday`."""
    return " ".join(folded(text[word.start : word.end]).split())


def _english(text: str, today: date) -> Iterator[tuple[int, int, date]]:
    for match in _ENGLISH.finditer(text):
        before, after = text[max(0, match.start() - _NEAR) : match.start()], text[match.end() : match.end() + _NEAR]
        is_other = _NOT_THE_DAY_BEFORE.search(before) or _NOT_THE_DAY_AFTER.match(after)
        if is_other or _IS_DATED.match(after) or _WAS_DATED.search(before) or _is_a_title(text, match, before):
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
