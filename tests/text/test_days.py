"""The relative days that a text names, and what they mean from the moment at which it was said."""

import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.episodes.drafts import dated_if_certain
from app.memory.index.query import asked_days
from app.text.days import dated, day_words
from tests.tables import rows

SEATTLE = ZoneInfo("America/Los_Angeles")
THURSDAY, SATURDAY = (datetime(2026, 11, day, 9, 30, tzinfo=SEATTLE) for day in (19, 21))

SAID = rows("day_words.tsv")
AT = {"saturday": SATURDAY, "thursday": THURSDAY}


@pytest.mark.parametrize(("day", "kept"), [one for one in SAID if one[0] in AT])
def test_the_date_of_a_day_word_stands_behind_it(day: str, kept: str) -> None:
    at = AT[day]
    assert dated(re.sub(r" \[.*?\]", "", kept), at) == kept
    assert dated(kept, at + timedelta(days=3)) == kept, "read again later it means what it meant"


@pytest.mark.parametrize(("day", "words"), [one for one in SAID if one[0] not in AT])
def test_what_may_mean_another_day_or_none_stays_as_it_is(day: str, words: str) -> None:
    assert dated(words, AT[day.removeprefix("none, ")]) == words


def test_the_day_is_that_of_the_persons_own_clock() -> None:
    before_midnight = datetime(2026, 11, 22, 7, 30, tzinfo=ZoneInfo("UTC"))
    assert dated("tomorrow", before_midnight.astimezone(SEATTLE)) == "tomorrow [22 Nov 2026]"
    assert dated("tomorrow", before_midnight.astimezone(ZoneInfo("Asia/Tokyo"))) == "tomorrow [23 Nov 2026]"
    of_25_hours = datetime(2026, 10, 31, 23, 30, tzinfo=SEATTLE)
    assert dated("tomorrow", of_25_hours) == "tomorrow [1 Nov 2026]"


@pytest.mark.parametrize("days", range(7))
def test_a_weekday_with_this_next_or_last_is_of_the_calendars_weeks(days: int) -> None:
    monday = datetime(2026, 11, 23, 9, 30, tzinfo=SEATTLE)
    at = monday + timedelta(days=days)
    assert dated("Is off next Friday", at) == "Is off next Friday [4 Dec 2026]"
    last = "27 Nov 2026" if days > 4 else "20 Nov 2026"
    assert dated("Was off last Friday", at) == f"Was off last Friday [{last}]"
    coming = "4 Dec 2026" if days > 4 else "27 Nov 2026"
    assert dated("Is off this Friday", at) == f"Is off this Friday [{coming}]"


def test_a_sentence_about_texts_is_read_by_their_day_or_by_the_text_that_says_it() -> None:
    said = [("my exam is soon", SATURDAY), ("wish me luck", SATURDAY + timedelta(minutes=5))]
    assert dated_if_certain("Alex has an exam tomorrow.", said) == "Alex has an exam tomorrow [22 Nov 2026]."
    said = [("my exam is tomorrow", SATURDAY), ("it went well", SATURDAY + timedelta(days=1))]
    assert dated_if_certain("Alex had an exam tomorrow.", said) == "Alex had an exam tomorrow [22 Nov 2026]."


def test_a_day_word_that_may_mean_two_days_is_not_guessed() -> None:
    said = [("tomorrow is hard", SATURDAY), ("tomorrow too", SATURDAY + timedelta(days=1))]
    assert dated_if_certain("Tomorrow is hard for Alex.", said) is None
    assert dated_if_certain("Yesterday was hard for Alex.", said) is None
    assert dated_if_certain("Both days were hard for Alex.", said) == "Both days were hard for Alex."


@pytest.mark.parametrize("typed", ["thıs week", "on FRİDAY", "last sprıng", "thıs year"])
def test_a_turkish_keyboard_types_the_same_days(typed: str) -> None:
    plain = typed.replace("ı", "i").replace("İ", "I")
    assert (
        asked_days(f"what did I do {typed}?", SATURDAY) == asked_days(f"what did I do {plain}?", SATURDAY) is not None
    )


@given(st.text(alphabet="thiısweknd lastprgFRİDAYmoun", max_size=40))
def test_no_text_breaks_the_reading_of_its_days(words: str) -> None:
    day_words(words, SATURDAY)
    asked_days(words, SATURDAY)


@given(st.text(alphabet="abcdehilmnoprstuwy ,.'é中国的我IT0123456789", max_size=120))
def test_the_words_themselves_are_never_changed(words: str) -> None:
    kept = dated(words, SATURDAY)
    for one in day_words(words, SATURDAY):
        kept = kept.replace(f" [{one.means}]", "")
    assert kept == words


@pytest.mark.parametrize(("question", "first", "last"), rows("foreign_days.jsonl"))
def test_foreign_days_are_found(question: str, first: tuple[int, int, int], last: tuple[int, int, int]) -> None:
    assert asked_days(question, THURSDAY) == (date(*first).toordinal(), date(*last).toordinal())
