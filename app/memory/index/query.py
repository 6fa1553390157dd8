"""Turn a text into a query to memory: the gate's reason, and the words, days and meaning to search for.

A reason is one of a few fixed labels without anybody's words; it is stored on the turn and counted.

A question looks back: a month or a day without a year is the latest that has begun. In languages other than English
only relative days are found; a time given as an event ("before we moved") is never found. Without a vector in time, a
search goes on by words alone. Words of the gate: query.toml.
"""

import logging
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from weakref import WeakKeyDictionary

from app.clock import MONTHS
from app.errors import EmbeddingError
from app.memory.episodes.significance import asks_common_knowledge, content_words
from app.memory.episodes.triggers import says_goodbye
from app.memory.index.ranking import distinctive_words
from app.memory.index.vectors import Vector
from app.services import Embedder, Services
from app.text.days import LANGUAGES, SEASONS, Span, english_days, folded, foreign_days, months_from, season
from app.text.word_files import expressions, read_words
from app.text.wording import normalise, subjects

logger = logging.getLogger(__name__)

REST_SECONDS = 30.0  # After a failure: an embedder that is down must not delay every turn.
WINDOW_TURNS = 4  # For so many turns, the memories found for a topic are reused without a new search.
SAME_QUESTION_SECONDS = 180.0  # Within this time, a repeated text is the same question with the same answer.
SAYS_SOMETHING = 2  # Words beyond politeness, plus "I" or "my": one alone, such as "meh", opens no topic.
LEAST_SECONDS = 5.0  # The least time the model needs; the search may use the rest.

Days = tuple[int, int]  # First and last day, proleptic Gregorian ordinals.

_SAYS = expressions(read_words(__file__, "query.toml"))
_PAST, _OWN, _ASKS, _POINTS_BACK, _OF_THE_ONE, _KIN = (
    re.compile(_SAYS[name], re.IGNORECASE) for name in ("past", "own", "asks", "points_back", "of_the_one", "kin")
)

_NAME = re.compile(r"(?<=[^\W\d_][ ,])(?!I\b)[^\W\d_a-z][^\W\d_A-Z]+\b")  # A capitalised name within a sentence.


@dataclass(frozen=True)
class EarlierTurn:
    """An earlier turn of the same conversation."""

    words: str
    seconds_ago: float
    gate: str  # The reason stored on it; empty for none.

    @property
    def looked(self) -> bool:
        return self.gate in LOOKED


LOOKED = frozenset({"past", "themselves", "a day", "a name", "start", "new topic", "long since"})
"""Reasons of `recall_reason` for which a turn searches memory."""
ASKED_FOR = frozenset({"past", "themselves"})
"""Reasons of `LOOKED` for which the person asks about the past or about themselves."""
HELD = frozenset({"same topic", "same question"})
"""Reasons for no new search: memories found shortly before are shown again."""


def recall_reason(words: str, before: Sequence[EarlierTurn], *, days: Days | None = None, today: int = 0) -> str:
    """The reason why a turn searches memory, one of `LOOKED`, or does not.

    `before` are earlier turns of its conversation, newest first; `days` the days that the words name, see `asked_days`;
    `today` the person's own day as an ordinal.
    """
    said, asked, window = content_words(words), normalise(words), before[:WINDOW_TURNS]
    is_question, own = bool(_ASKS.search(words.strip())), bool(_OWN.search(words))
    points_back = bool(_POINTS_BACK.search(words))
    looked = any(one.looked for one in window)
    # A question may ask about one thing with a single word: "how was the wedding?"
    asks_anybody = asks_common_knowledge(words) and not _OF_THE_ONE.match(words)
    asks_of_one_thing = is_question and bool(said) and not points_back and not asks_anybody
    says_little = len(said) + (own and bool(said)) < SAYS_SOMETHING and not asks_of_one_thing
    little = says_little or says_goodbye(words)
    of_days = days if is_question else None
    # The first that is true decides: reasons in the question itself come before guesses from the turns before it.
    reasons = {
        "same question": any(
            one.looked and one.seconds_ago < SAME_QUESTION_SECONDS and normalise(one.words) == asked for one in before
        ),
        "past": (bool(_PAST.search(words)) and (bool(said) or is_question))
        or (of_days is not None and of_days[0] < today),
        "themselves": is_question and bool(said) and own,
        "a day": of_days is not None and of_days[1] > today,
        "a name": is_question and bool(_NAME.search(words) or _KIN.search(words)),
        "same topic": looked and little and (is_question or points_back),
        "small talk": little,
        "start": not any(one.gate in LOOKED | HELD for one in before),
        "new topic": not any(said & content_words(one.words) for one in window),
        "long since": not looked,
    }
    return next((reason for reason, is_so in reasons.items() if is_so), "same topic")


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
_MANY = {"two": 2, "three": 3, "couple of": 3, "four": 4, "five": 5, "six": 6, "few": 6}  # The upper end of each.
_LONG_AGO = date(1, 1, 1)

_OF_DAYS_ALONE = subjects(f"happen happened went yesterday last past ago remind {' '.join(MONTHS)}")


@dataclass(frozen=True)
class Query:
    """A query in the form that each part of the search takes."""

    words: str  # For the search by words: the question as asked.
    meaning: str  # For the vector: the question in the first person, like its answer.
    about: frozenset[str]  # Speakers that the question names.
    days: Days | None  # Days that the question names.


@dataclass(frozen=True)
class Meaning:
    """The vector of a question; empty if there is none."""

    vector: Vector | None = None  # float32, shape (dim,), unit length.
    model: str | None = None


_RESTS_UNTIL: WeakKeyDictionary[Embedder, float] = WeakKeyDictionary()
"""The time at which a failed embedder may be asked again, in seconds of the monotonic clock."""


def prepare(question: str, speakers: Sequence[str], at: datetime) -> Query:
    """The query for a question asked at the local time `at` about talk among `speakers`, whose names may be empty.

    A name draws the vector towards greetings, and people speak of themselves as *I*: for the vector, a speaker's name
    becomes *I* or *my*, or is dropped if it only addresses somebody.
    """
    whole = {name: rf"(?<!\w){re.escape(name.strip())}(?!\w)" for name in speakers if name.strip()}
    text = question
    for name in sorted(whole, key=len, reverse=True):
        text = re.sub(rf"^\W*{whole[name]}\s*,\s*|\s*,\s*{whole[name]}(?=\W*$)", "", text, flags=re.IGNORECASE)
        text = re.sub(rf"{whole[name]}['’]s\b", "my", text, flags=re.IGNORECASE)
        text = re.sub(whole[name], "I", text, flags=re.IGNORECASE)
    about = frozenset(name for name, form in whole.items() if re.search(form, question, re.IGNORECASE))
    return Query(question, " ".join(text.split()) or question, about, asked_days(question, at))


def meaning(services: Services, text: str, *, seconds: float, until: float | None = None) -> Meaning:
    """The vector of a question, made within `seconds` and before `until`; empty if the embedder fails or rests."""
    embedder, now = services.embedder, services.clock.monotonic()
    deadline = now + seconds if until is None else min(now + seconds, until)
    if embedder is None or deadline <= now or now < _RESTS_UNTIL.get(embedder, -math.inf):
        return Meaning()
    try:
        return Meaning(embedded(services, embedder, [text], is_query=True, deadline=deadline)[0], embedder.name)
    except EmbeddingError as error:
        logger.warning("A question is searched by its words alone: %s", error)
    except Exception:  # Third-party code: whatever breaks in it, the person gets an answer.
        logger.exception("The embedder broke: a question is searched by its words alone")
    _RESTS_UNTIL[embedder] = services.clock.monotonic() + REST_SECONDS
    return Meaning()


def embedded(
    services: Services,
    embedder: Embedder,
    texts: Sequence[str],
    *,
    is_query: bool = False,
    deadline: float | None = None,
) -> Vector:
    """Same as `Embedder.embed`; a lane gives up its desk while it waits for an embedder outside the process.

    Raises:
        EmbeddingError: the embedder gives no vectors now.
    """
    with services.background.leave_desk() if embedder.is_outside else nullcontext():
        return embedder.embed(texts, is_query=is_query, deadline=deadline)


def asked_days(question: str, at: datetime) -> Days | None:
    """First and last day named by a question asked at the local time `at`, as ordinals; None if it names none."""
    today, text, spans = at.date(), question, list[Span]()
    for start, end, span in english_days(question, at):
        spans.append(_in_place(question[:start], question[end:], span, today))
        text = text[:start] + "," * (end - start) + text[end:]
    spans += [(one.first, one.last) for one in foreign_days(text, at)]
    spans += _spans(text, today)
    for lately in _LATELY.finditer(question):
        many = folded(lately["many"] or "1")
        days = (int(many) if many.isdigit() else _MANY[many]) * _SPANS[folded(lately["unit"])]
        spans.append((_shifted(today, -days), today))
    if not spans:
        return None
    return min(first for first, _ in spans).toordinal(), max(last for _, last in spans).toordinal()


def asks_only_of_days(question: str) -> bool:
    """True if a question that names days says nothing else: "what happened on Thursday?"."""
    said = content_words(distinctive_words(question)) - _OF_DAYS_ALONE
    return not any(word.isalpha() for word in said)


def names_any_day(text: str, first: date, last: date) -> bool:
    """True if the text writes out one of the days, in any language whose relative days are known."""
    days = [_shifted(first, place) for place in range((last - first).days + 1)]
    return re.search(rf"(?<!\d)(?:{'|'.join(_written(day) for day in days)})(?!\d)", text, re.IGNORECASE) is not None


def _written(day: date) -> str:
    """Pattern for the written forms of a day, each from its first number on, as words before it are often omitted."""
    forms = {f"{day.day} {day:%B %Y}", f"{day.day} {day:%b %Y}", day.isoformat()}
    for words in LANGUAGES.values():
        month = words.months[day.month - 1] if words.months else ""
        form = words.day[words.day.index("{") :].format(d=day.day, m=day.month, y=day.year, month=month)
        forms.add(form.strip())
    return "|".join(map(re.escape, sorted(forms)))


def _spans(text: str, today: date) -> Iterator[Span]:
    taken: list[tuple[int, int]] = []
    year = re.search(r"\b(?:19|20)\d\d\b", text)
    for match in (match for form in _FORMS for match in form.finditer(text)):
        is_verb = folded(match[0]).startswith(("to ", "and ")) and not re.search(
            r"\b(?:from|between)\b", text[: match.start()], re.IGNORECASE
        )  # "To march", without "from" before it.
        if is_verb or any(match.start() < end and start < match.end() for start, end in taken):
            continue
        taken.append(match.span())
        later = int(year[0]) if year and year.start() >= match.end() else None
        span = _span(match, later, today)
        if span is not None:
            own = re.match(rf"{_IN}(?= )", match[0], re.IGNORECASE)
            before = text[: match.start()] + (own[0] if own else "")
            yield _in_place(before, text[match.end() :], span, today)


def _span(match: re.Match[str], later_year: int | None, today: date) -> Span | None:
    """The days that the words name by themselves; None for an impossible day, such as 31 June.

    A year said only later also holds for earlier days: "between 11 and 15 August 2023".
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
        day = date(year or today.year, month, int(said.get("day") or 1))
        day = day if year or day <= today else day.replace(year=day.year - 1)
        return (day, day) if said.get("day") else months_from(day, 1)
    except ValueError:
        return None


def _in_place(before: str, after: str, span: Span, today: date) -> Span:
    """The days named together with the words before them, such as "the week of" or "since"."""
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
