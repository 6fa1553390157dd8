"""Habits are found, and other texts are left alone, in labelled months of made-up texts."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from app.embeddings.local import LocalEmbedder
from app.features.habits import words as of_habits
from app.features.habits.habits import Said, find
from tests.features.habits.months import Embed, measure, months
from tests.tables import rows

HERE = ZoneInfo("America/Los_Angeles")
NOW = datetime(2026, 11, 20, 12, tzinfo=HERE)  # A Friday.


def said(*texts: tuple[int, str, str]) -> list[Said]:
    """Texts, each with how many days ago it was, at which time, and its words."""
    found = []
    for number, (days, at, words) in enumerate(texts):
        hour, minute = map(int, at.split(":"))
        day = NOW - timedelta(days=days)
        found.append(Said(number, day.replace(hour=hour, minute=minute), words))
    return sorted(found, key=lambda one: one.at)


def found_in(texts: list[Said]) -> list[str]:
    return [one.words for one in find(texts, [], NOW)]


@pytest.mark.parametrize(("part", "size"), [("seen", 20), ("unseen", 20), ("later", 12), ("last", 12)])
@pytest.mark.parametrize("how", ["by meaning", "by words alone"])
def test_habits_of_labelled_months_are_found_and_nothing_else_is_suggested(
    part: str, size: int, how: str, meaning: LocalEmbedder
) -> None:
    embed: Embed | None = meaning.embed if how == "by meaning" else None
    some = months(part)
    assert len(some) == size
    precision, recall, others = measure(some, embed)
    assert precision >= 0.9, others
    assert recall >= 0.7, others


def test_the_day_that_is_not_over_is_no_day_without_the_wish() -> None:
    texts = said(*[(days, "13:00", "Weather today?") for days in (1, 2, 5)])
    assert found_in(texts) == ["Weather today?"]
    assert find(texts, [], NOW + timedelta(hours=2)) == []


def test_around_midnight_one_night_is_one_day() -> None:
    texts = said(*[(days, "23:50" if days % 2 else "00:10", "Tell me a joke") for days in range(1, 8)])
    [habit] = find(texts, [], NOW)
    assert habit.times >= 3


def test_what_comes_just_before_midnight_is_suggested_for_the_same_night() -> None:
    mondays = said(*[(days, "23:55", "Tell me a joke") for days in (4, 11, 18, 25)])
    [habit] = find(mondays, [], NOW)
    assert habit.schedule == {"repeat": "weekly", "times": ["00:00"], "weekdays": ["tuesday"]}


def test_a_form_that_belongs_to_one_routine_is_no_rule_besides() -> None:
    texts = said(*[(days, "08:00", "The news in bullet points please") for days in range(7)])
    assert [one.kind for one in find(texts, [], NOW)] == ["routine"]


@pytest.mark.parametrize("words", rows("hard_wishes.jsonl"))
def test_what_is_hard_is_no_wish_and_nothing_like_it_is_one(words: str) -> None:
    assert of_habits.is_hard(words)
    assert not of_habits.is_wish(words)
    texts = said(*[(days, "22:00", words) for days in range(7)])
    assert found_in(texts) == []
