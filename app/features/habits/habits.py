"""Habits: wishes and corrections that repeat in a person's texts and could be a routine or a rule. Pure.

A habit is the same wish at the same hour on three of the last five days, weekdays or such weekdays; or the same
correction, or a request for the same form, three times. Figures: docs/decisions/0026-habits.md.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.clock import WEEKDAYS
from app.features.habits import words
from app.features.habits.words import Manner
from app.models import Suggestion
from app.routines import suggestions
from app.routines.schedule import Schedule
from app.text.wording import folded

LOOKED_BACK = timedelta(days=36)  # Five of the same weekday, and the time of the current day.
APART = timedelta(minutes=45)
DAYS, ENOUGH = 5, 3
WEEK, SATURDAY = 7, 5
MOST_WEEKDAYS = 3  # Weekdays that repeat each by itself: more of them mean daily, or chance.
SAME_EXCHANGE = timedelta(minutes=15)  # A correction comes within this time, and counts once in one exchange.
ANSWERS_WITHIN, ANSWER_WORDS = timedelta(minutes=30), 5  # To a text that came by itself: "done", "in ten minutes".
TO_THE = timedelta(minutes=15)
OF_ITS_HOUR = 0.4  # So large a share of such wishes on these days has to come at this hour; else the hour is chance.
OF_ITS_WEEKDAY = 0.7

BY_WORDS = 0.5  # From this likeness on, two wishes are the same by their words (Dice, 0 to 1).
BY_MEANING = 0.6
"""From this cosine on they are the same in meaning. Of 26 different wishes the nearest two have 0.57."""
COVERED, COVERED_AT_ITS_HOUR = 0.5, 0.3
"""A routine or rule with this share of a wish's words already covers it; at the same hour, less is enough."""
MEASURED_MODELS = frozenset({"local:all-MiniLM-L6-v2"})
"""Embedders whose vectors `BY_MEANING` was measured with; with any other, words alone decide."""

Vector = NDArray[np.float32]


@dataclass(frozen=True)
class Said:
    """One text in the person's own words."""

    id: int
    at: datetime  # Aware, in the zone of the person.
    words: str
    vector: Vector | None = None
    """float32, shape (dim,), of any length above 0, all from one model; None without a vector."""
    answers_routine: bool = False  # True if the last text to the person before it came by itself.


@dataclass(frozen=True)
class Known:
    """Something not to suggest: a routine, a rule, or an earlier suggestion."""

    kind: Literal["routine", "rule"]
    words: str  # The task of a routine, or the words of a rule.
    key: str | None = None  # The key of a suggested manner.
    schedule: Schedule | None = None
    was_asked: bool = False
    """True if it was suggested lately: then nothing else is suggested at that hour, so that a wish that comes at one
    hour in many words is suggested only once."""


def find(texts: Sequence[Said], known: Sequence[Known], now: datetime) -> list[Suggestion]:
    """Suggestions that could be made from one person's texts of the time `LOOKED_BACK`, the most frequent first.

    They are not stored. The texts are in order, and `now` is in the person's zone.
    """
    routines, said_in_them = _routines(texts, now)
    found = [*routines, *_rules(texts, said_in_them)]
    return sorted((one for one in found if not is_known(one, known)), key=lambda one: -one.times)


def _routines(texts: Sequence[Said], now: datetime) -> tuple[list[Suggestion], set[int]]:
    """Suggestions from wishes that repeat at one hour, and the ids of the texts with these wishes."""
    wished = [text for text in texts if words.is_hard(text.words) or _is_wish(text)]
    alike = _alike(wished)
    # A wish like a hard one is hard too, in whatever words.
    is_hard = np.array([words.is_hard(text.words) for text in wished], bool)
    seeds = np.flatnonzero(~(alike & is_hard).any(axis=1)).tolist()
    rounds = [one for seed in seeds if (one := _round(wished, alike, seed, now)) is not None]
    rounds.sort(key=lambda one: (one.hits, len(one.members)))
    found: list[Suggestion] = []
    taken: set[int] = set()
    for one in reversed(rounds):
        if taken.isdisjoint(one.at_its_hour):
            taken |= one.at_its_hour
            found.append(_as_routine(wished, alike, one))
    return found, {wished[place].id for place in taken}


@dataclass(frozen=True)
class _Round:
    """Days on which a wish came round at one hour."""

    members: dict[int, date]  # Places in `wished`, in order, each with its day, one of those looked at.
    at_its_hour: set[int]  # Places of all such wishes at this hour.
    weekdays: tuple[int, ...]  # The weekdays on which it came, Monday is 0.
    hits: int  # The number of looked-at days on which it came.


def _round(wished: Sequence[Said], alike: NDArray[np.bool_], seed: int, now: datetime) -> _Round | None:
    """The round at the seed's hour; None if its wish does not come round then."""
    like = np.flatnonzero(alike[seed]).tolist()
    day_of = {place: day for place in like if (day := _day(wished[place].at, wished[seed].at)) is not None}
    days = set(day_of.values())
    if len(days) < ENOUGH:
        return None
    hour, last = wished[seed].at, now.date()
    is_over = now.replace(tzinfo=None) > datetime.combine(last, hour.time()) + APART
    if not is_over and last not in days:
        last -= timedelta(days=1)  # The last day whose hour has passed, or was used before it passed.
    for weekdays, window, share in _patterns(last, days):
        hits = days.intersection(window)
        others = [place for place in like if window[-1] <= wished[place].at.date() <= last]
        members = {place: day_of[place] for place in others if day_of.get(place) in hits}
        if len(hits) >= ENOUGH and len(members) >= share * len(others):
            return _Round(members, set(day_of), weekdays, len(hits))
    return None


def _patterns(last: date, days: set[date]) -> Iterator[tuple[tuple[int, ...], list[date], float]]:
    """Patterns that these days may follow: daily if they reach the last weekend; else workdays, if some came before it.

    Each has its weekdays, the days to look at (the latest first), and the share of all such wishes in that time that
    has to fall on these days at this hour.
    """
    back = [last - timedelta(days=one) for one in range(DAYS * WEEK)]
    weekend = {day for day in back[:WEEK] if day.weekday() >= SATURDAY}
    if not weekend.isdisjoint(days):
        yield tuple(range(WEEK)), back[:DAYS], OF_ITS_HOUR
    elif not days.isdisjoint(day for day in back[: 2 * WEEK] if day < min(weekend)):
        workdays = [day for day in back if day.weekday() < SATURDAY]
        yield tuple(range(SATURDAY)), workdays[:DAYS], OF_ITS_HOUR
    came = Counter(day.weekday() for day in days.intersection(back))
    regular = tuple(sorted(weekday for weekday, times in came.items() if times >= ENOUGH))
    if 0 < len(regular) <= MOST_WEEKDAYS:
        yield regular, [day for day in back if day.weekday() in regular], OF_ITS_WEEKDAY


def _day(at: datetime, hour: datetime) -> date | None:
    """The day whose `hour` is near `at` on the wall clock (00:10 is near 23:50 of the day before); None if none is."""
    wall = at.replace(tzinfo=None)
    there = datetime.combine(wall.date(), hour.time())
    near = min((there + timedelta(days=days) for days in (-1, 0, 1)), key=lambda one: abs(one - wall))
    return near.date() if abs(near - wall) <= APART else None


def _as_routine(wished: Sequence[Said], alike: NDArray[np.bool_], one: _Round) -> Suggestion:
    said = [wished[place] for place in one.members]
    # Choose the words that most of the others are like; among these the shortest, then the latest.
    near = alike[np.ix_([*one.members], [*one.members])].sum(axis=1)
    best = min(range(len(said)), key=lambda place: (-near[place], len(said[place].words), -place))
    in_order = sorted(one.members, key=lambda place: _minutes(wished[place].at.time(), said[best].at.time()))
    middle = in_order[len(said) // 2]
    wall = wished[middle].at.replace(tzinfo=None)
    midnight = datetime.combine(wall.date(), time.min)
    at = midnight + round((wall - midnight) / TO_THE) * TO_THE
    later = (at.date() - one.members[middle]).days  # Monday's 23:55 is Tuesday's 00:00.
    days = sorted((day + later) % WEEK for day in one.weekdays)
    weekdays = tuple(WEEKDAYS[day] for day in days) if len(days) < WEEK else ()
    schedule = Schedule("weekly" if weekdays else "daily", times=(at.time(),), weekdays=weekdays)
    of = {"words": said[best].words, "message_id": said[best].id, "times": len(said)}
    return Suggestion(kind="routine", **of, schedule=schedule.as_dict())


def _minutes(at: time, hour: time) -> float:
    """Minutes by which `at` is later in its day than `hour`, on the wall clock: −720 to 720."""
    span = datetime.combine(date.min, at) - datetime.combine(date.min, hour)
    return ((span / timedelta(minutes=1)) + 720) % 1440 - 720


def _rules(texts: Sequence[Said], said_in_routines: set[int]) -> list[Suggestion]:
    """Rules from the ways in which the person has asked three times to be answered."""
    asked: dict[str, list[tuple[Said, Manner]]] = {}
    before: Said | None = None
    for text in texts:
        is_at_once = before is not None and text.at - before.at <= SAME_EXCHANGE and not text.answers_routine
        manner = words.manner_asked_for(text.words) if is_at_once else None
        manner = manner or words.form_asked_for(text.words)
        before = text
        if manner is None or words.is_hard(text.words):
            continue
        of_it = asked.setdefault(manner.key, [])
        if not of_it or text.at - of_it[-1][0].at > SAME_EXCHANGE:
            of_it.append((text, manner))
    found = []
    for of_it in asked.values():
        is_custom = len({text.at.date() for text, _ in of_it}) > 1  # Not a wish for one piece of work.
        if len(of_it) >= ENOUGH and is_custom and not all(text.id in said_in_routines for text, _ in of_it):
            text, manner = min(reversed(of_it), key=lambda one: len(one[0].words))
            of = {"words": text.words, "message_id": text.id, "times": len(of_it)}
            found.append(Suggestion(kind="rule", **of, procedure=manner.procedure, manner=manner.key))
    return found


def _is_wish(text: Said) -> bool:
    is_answer = text.answers_routine and len(text.words.split()) <= ANSWER_WORDS and "?" not in text.words
    return not is_answer and words.is_wish(text.words) and words.manner_asked_for(text.words) is None


def _alike(wished: Sequence[Said]) -> NDArray[np.bool_]:
    """Pairs of wishes that are the same; bool, shape (n, n), each like itself."""
    matters = [words.matter(text.words) for text in wished]
    alike = np.array([[words.shared(one, other) >= BY_WORDS for other in matters] for one in matters], bool)
    alike = alike.reshape(len(wished), len(wished))
    with_vector = [place for place, text in enumerate(wished) if text.vector is not None]
    if with_vector:
        rows = np.stack([text.vector for text in wished if text.vector is not None]).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        alike[np.ix_(with_vector, with_vector)] |= rows @ rows.T >= BY_MEANING
    return alike


def is_known(new: Suggestion, known: Sequence[Known]) -> bool:
    """True if something already does what `new` would suggest."""
    return any(_covers(one, new) for one in known)


def _covers(one: Known, new: Suggestion) -> bool:
    if one.kind != new.kind:
        return False
    if new.kind == "rule":
        said = {*words.said_in_rule(one.words), one.key}
        return new.manner in said or folded(new.procedure or "") == folded(one.words)
    is_at_its_hour = _come_together(suggestions.schedule_of(new), one.schedule)
    wish = words.matter(new.words)
    share = len(wish & words.matter(one.words)) / len(wish) if wish else 0.0  # A briefing of four covers each of them.
    return (one.was_asked and is_at_its_hour) or share >= (COVERED_AT_ITS_HOUR if is_at_its_hour else COVERED)


def _come_together(one: Schedule, other: Schedule | None) -> bool:
    """True if a time of day of one is near one of the other's."""
    spans = [abs(_minutes(at, its)) for at in one.times for its in (other.times if other else ())]
    return min(spans, default=720.0) <= APART / timedelta(minutes=1)
